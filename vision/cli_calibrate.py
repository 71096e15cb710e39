"""``youjin calibrate``: learning a player's own set from photos."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from engine.text import LANGUAGES, Text, language_of

if TYPE_CHECKING:
    from vision.calibration import Examples
    from vision.capture import Step
    from vision.profiles import Profile, Profiles
    from vision.reading import Reader

_ONE_TASK = Text(
    "一次只做一件事：照片加 --name，或 --list、--show、--use、--off、--remove、--again 之一。",
    "一次只做一件事：照片加 --name，或 --list、--show、--use、--off、--remove、--again 之一。",
    "One thing at a time: photos with --name, or one of --list, --show, --use, --off, --remove, --again.",
)
_NO_NAME = Text("请用 --name 给这副牌起名。", "請用 --name 給這副牌取名。", "Name the set with --name.")
_NO_FILE = Text("没有 {path}。", "沒有 {path}。", "There is no {path}.")
_TOO_MANY = Text(
    "照片比要摆的排数多（最多 {n} 排）。同一排有几张照片时，文件名请以排名开头：{keys}。",
    "照片比要擺的排數多（最多 {n} 排）。同一排有幾張照片時，檔名請以排名開頭：{keys}。",
    "More photos than rows ({n}). With several photos of a row let the files' names begin with the row's: {keys}.",
)
_EMPTY = Text(
    "{path} 里没有照片，也没有标注。", "{path} 裡沒有照片，也沒有標註。", "{path} holds neither photos nor labels."
)
_BAD_LABELS = Text("标注读不懂：{why}", "標註讀不懂：{why}", "The labels cannot be understood: {why}")
_CHECK = Text(
    "没有学。核对后如果确实摆对了，请加 --trust。",
    "沒有學。核對後如果確實擺對了，請加 --trust。",
    "Nothing was learned. If all rows are right after all, add --trust.",
)
_LEARNED = Text(
    "学好了“{name}”，从现在起用它看牌。",
    "學好了「{name}」，從現在起用它看牌。",
    "“{name}” is learned and in use from now on.",
)
_REMOVED = Text("删掉了“{name}”。", "刪掉了「{name}」。", "“{name}” is removed.")
_IN_USE = Text("现在用“{name}”。", "現在用「{name}」。", "“{name}” is in use now.")
_OFF = Text("现在不用任何学过的牌。", "現在不用任何學過的牌。", "No learned set is in use now.")
_NONE = Text("还没有学过牌。", "還沒有學過牌。", "No set has been learned yet.")
_USED = Text("（在用）", "（使用中）", " (in use)")
_LINE = Text(
    "{name}{used}：{kinds} 种牌，{crops} 张图，{made}",
    "{name}{used}：{kinds} 種牌，{crops} 張圖，{made}",
    "{name}{used}: {kinds} kinds, {crops} pictures, {made}",
)
_RIGHT = Text(
    "难认的画面里认对：学之前 {before}，学之后 {after}（{how}）",
    "難認的畫面裡認對：學之前 {before}，學之後 {after}（{how}）",
    "Read right in hard views: {before} before, {after} after ({how})",
)
_HELD_OUT = Text("用没学过的照片测", "用沒學過的照片測", "measured on pictures that were not learned")
_SAME = Text(
    "用学过的牌的变形画面测，偏乐观",
    "用學過的牌的變形畫面測，偏樂觀",
    "measured on changed views of the same pictures, so hopeful",
)
_CONFUSES = Text("会认错的：", "會認錯的：", "What is misread:")
_PAIR = Text(
    "  {shown} 认成 {read_as}：学之前 {before}，现在 {after}",
    "  {shown} 認成 {read_as}：學之前 {before}，現在 {after}",
    "  {shown} read as {read_as}: {before} before, {after} now",
)
_NO_CONFUSION = Text("没有常认错的牌。", "沒有常認錯的牌。", "No kind is often misread.")


DATA_OPTION = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of your data; default: the usual one."
)


def _fail(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)


@click.command("calibrate")
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", help="What you call the set.")
@click.option("--trust", is_flag=True, help="Learn although some tiles look like others than those asked for.")
@click.option("--list", "list_all", is_flag=True, help="List the learned sets.")
@click.option("--show", metavar="NAME", help="Show what was learned of a set, and what it confuses.")
@click.option("--use", metavar="NAME", help="Read with this set from now on.")
@click.option("--off", is_flag=True, help="Read without any learned set.")
@click.option("--remove", metavar="NAME", help="Forget a set.")
@click.option(
    "--again", metavar="NAME", help="Learn a set anew from its kept pictures, after an update of the program."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@DATA_OPTION
@click.option("--models", type=click.Path(path_type=Path), help="Folder with detector.onnx and classifier.onnx.")
@click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=lambda: language_of(os.environ),
    help="Language; default: the terminal's.",
)  # fmt: skip
def calibrate_command(
    photos: tuple[Path, ...],
    name: str | None,
    trust: bool,
    list_all: bool,
    show: str | None,
    use: str | None,
    off: bool,
    remove: str | None,
    again: str | None,
    as_json: bool,
    data: Path | None,
    models: Path | None,
    language: str,
) -> None:
    """Learn your own set from photos of its tiles, one row in each.

    The rows, from left to right: 1 to 9 characters; 1 to 9 dots; 1 to 9 bamboo; east south west north white green red; the
    seasons and the plants; one tile face down. Leave out from the end what you do not play with. Several photos of a row,
    or rows in another order, are known by their names: characters, dots, bamboo, honours, flowers, back, and anything
    after it. A folder holds such photos, or labelled photos (images/ and labels/ in YOLO form, such as your kept
    corrections).
    """
    from vision.folders import data_dir  # noqa: PLC0415
    from vision.profiles import ProfileError, Profiles  # noqa: PLC0415
    from vision.runtime import ModelError  # noqa: PLC0415

    profiles = Profiles(data_dir(data))
    tasks = sum([bool(photos), list_all, show is not None, use is not None, off, remove is not None, again is not None])
    if tasks != 1:
        _fail(_ONE_TASK.in_language(language))
    try:
        if list_all:
            _list(profiles, language, as_json=as_json)
        elif show is not None:
            _tell(profiles.load(show), language, as_json=as_json)
        elif use is not None:
            profiles.use(use)
            click.echo(_IN_USE.format(name=use).in_language(language))
        elif off:
            profiles.use(None)
            click.echo(_OFF.in_language(language))
        elif remove is not None:
            profiles.delete(remove)
            click.echo(_REMOVED.format(name=remove).in_language(language))
        else:
            _learn(profiles, photos, name, again, models, language, trust=trust, as_json=as_json)
    except (ProfileError, ModelError) as error:
        _fail(error.text.in_language(language))


def _learn(
    profiles: Profiles,
    photos: tuple[Path, ...],
    name: str | None,
    again: str | None,
    models: Path | None,
    language: str,
    *,
    trust: bool,
    as_json: bool,
) -> None:
    from vision.calibration import Examples, learn  # noqa: PLC0415
    from vision.profiles import checked_name  # noqa: PLC0415
    from vision.reading import Reader  # noqa: PLC0415

    reader = Reader(models)
    if again is not None:
        old = profiles.load(again)
        name, examples = old.name, Examples(old.crops, old.kinds)
    else:
        if name is None:
            _fail(_NO_NAME.in_language(language))
        name = checked_name(name)
        examples = _examples(reader, photos, language, trust=trust)
    profile = learn(reader.classifier, examples, name)
    profiles.save(profile)
    profiles.use(name)
    _tell(profile, language, as_json=as_json)
    if not as_json:
        click.echo(_LEARNED.format(name=name).in_language(language))


def _examples(reader: Reader, photos: tuple[Path, ...], language: str, *, trust: bool) -> Examples:
    """The crops of all photos; ends the program with a sentence where a photo cannot be used."""
    from vision.calibration import Examples, examples_of  # noqa: PLC0415
    from vision.capture import STEPS, look  # noqa: PLC0415
    from vision.dataset import find_images, label_path, read_folder  # noqa: PLC0415
    from vision.images import ImageError, load_image  # noqa: PLC0415

    parts: list[Examples] = []
    rows: list[Path] = []
    for path in photos:
        if not os.path.exists(path):  # noqa: PTH110 - Path.exists raises on names that no system takes
            _fail(_NO_FILE.format(path=path).in_language(language))
        if not path.is_dir():
            rows.append(path)
            continue
        inside = find_images(path)
        if not inside:
            _fail(_EMPTY.format(path=path).in_language(language))
        if any(label_path(image).exists() for image in inside):
            try:
                parts.append(examples_of(read_folder(path, repair=False)))
            except ImageError as error:
                _fail(f"{path}: {error.text.in_language(language)}")
            except ValueError as error:
                _fail(_BAD_LABELS.format(why=error).in_language(language))
        else:
            rows += inside
    questioned = False
    for path, step in _steps_of(rows, STEPS, language):
        try:
            shot = look(reader, load_image(path), step)
        except ImageError as error:
            _fail(f"{path}: {error.text.in_language(language)}")
        if shot.problem is not None:
            _fail(f"{path} ({step.title.in_language(language)}): {shot.problem.in_language(language)}")
        if shot.warning is not None:
            questioned = True
            click.echo(f"{path}: {shot.warning.in_language(language)}", err=True)
        parts.append(shot.examples)
    if questioned and not trust:
        _fail(_CHECK.in_language(language))
    return Examples.joined(parts)


def _steps_of(rows: list[Path], steps: tuple[Step, ...], language: str) -> list[tuple[Path, Step]]:
    """Which row each photo shows: by the file's name, or by the photos' order."""
    by_name = [next((step for step in steps if path.stem.lower().startswith(step.key)), None) for path in rows]
    named = [(path, step) for path, step in zip(rows, by_name, strict=True) if step is not None]
    if len(named) == len(rows):
        return named
    if len(rows) > len(steps) or named:
        keys = ", ".join(step.key for step in steps)
        _fail(_TOO_MANY.format(n=len(steps), keys=keys).in_language(language))
    return list(zip(rows, steps, strict=False))


def _list(profiles: Profiles, language: str, *, as_json: bool) -> None:
    from vision.profiles import ProfileError  # noqa: PLC0415

    found, active = profiles.list(), profiles.active
    if as_json:
        known = [p.as_json() for p in found if not isinstance(p, ProfileError)]
        click.echo(json.dumps({"active": active, "profiles": known}, ensure_ascii=False))
        return
    if not found:
        click.echo(_NONE.in_language(language))
    for profile in found:
        if isinstance(profile, ProfileError):
            click.echo(profile.text.in_language(language), err=True)
            continue
        used = _USED.in_language(language) if profile.name == active else ""
        line = _LINE.format(
            name=profile.name, used=used, kinds=len(profile.covered), crops=profile.pictures, made=profile.made
        )
        click.echo(line.in_language(language))


def _tell(profile: Profile, language: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(profile.as_json(), ensure_ascii=False))
        return
    how = _HELD_OUT if profile.held_out else _SAME
    right = _RIGHT.format(before=f"{profile.right_before:.1%}", after=f"{profile.right_after:.1%}", how=how)
    click.echo(right.in_language(language))
    if not profile.confusions:
        click.echo(_NO_CONFUSION.in_language(language))
        return
    click.echo(_CONFUSES.in_language(language))
    for pair in profile.confusions:
        line = _PAIR.format(
            shown=pair.shown, read_as=pair.read_as, before=f"{pair.before:.0%}", after=f"{pair.after:.0%}"
        )
        click.echo(line.in_language(language))
