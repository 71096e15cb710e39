"""The commands of the eyes: read, evaluate, train, export. Heavy libraries load inside the commands."""

from __future__ import annotations

import json
import os
import sys
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from engine.text import LANGUAGES, Text, language_of
from vision.cli_calibrate import DATA_OPTION, calibrate_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.reading import Reader, Reading

JSON_OR_HUMAN = Text(
    "--json 和 --human 只能选一个", "--json 和 --human 只能選一個", "choose --json or --human, not both"
)
HEADING = Text(
    "{path}：{tiles} 张牌，{time} 毫秒", "{path}：{tiles} 張牌，{time} 毫秒", "{path}: {tiles} tiles in {time} ms"
)
ROW = Text("  第 {number} 排：{tiles}", "  第 {number} 排：{tiles}", "  row {number}: {tiles}")
DOUBT = Text(
    "    没看准：{tile} {best}，也可能是 {others}",
    "    沒看準：{tile} {best}，也可能是 {others}",
    "    in doubt: {tile} {best}; else {others}",
)
FACE_DOWN_TILES = Text("  扣着的牌：{number} 张", "  扣著的牌：{number} 張", "  face down: {number}")
NOTHING = Text(
    "  没有看到正面朝上的牌：靠近一点，或把灯开亮",
    "  沒有看到正面朝上的牌：靠近一點，或把燈開亮",
    "  no face-up tile found; come closer, or light the table better",
)

PROFILE_OR_PLAIN = Text(
    "--profile 和 --plain 只能选一个：前者用学过的牌读，后者不用",
    "--profile 和 --plain 只能選一個：前者用學過的牌讀，後者不用",
    "choose --profile or --plain, not both: the first reads with a learned set, the second without",
)

MODELS_OPTION = click.option(
    "--models",
    type=click.Path(path_type=Path),
    help="Folder with detector.onnx and classifier.onnx; default: the shipped ones.",
)
DETECTOR_OPTION = click.option(
    "--detector", type=click.Path(path_type=Path), help="Another detector: .onnx, or .pt with the extra `train`."
)


def _language() -> str:
    return language_of(os.environ)


def _reader(models: Path | None, detector: Path | None, language: str | None = None) -> Reader:
    from vision.reading import Reader  # noqa: PLC0415
    from vision.runtime import ModelError  # noqa: PLC0415

    try:
        return Reader(models, detector)
    except ModelError as error:
        _fail(error.text.in_language(language or _language()))


def _use_own_set(reader: Reader, name: str | None, data: Path | None, language: str, *, in_use: bool) -> None:
    """Read with what was learned of one set: the named one, or the one ``in_use``."""
    from vision.folders import data_dir  # noqa: PLC0415
    from vision.profiles import ProfileError, Profiles  # noqa: PLC0415

    profiles = Profiles(data_dir(data))
    wanted = name if name is not None else profiles.active if in_use else None
    if wanted is None:
        return
    from vision.calibration import LEARNED_AGAIN, fitted  # noqa: PLC0415

    try:
        profile, anew = fitted(reader.classifier, profiles, wanted)
        reader.classifier.use(profile)
        if anew:
            click.echo(LEARNED_AGAIN.format(name=profile.name).in_language(language), err=True)
    except ProfileError as error:
        if name is not None:
            _fail(error.text.in_language(language))
        # Nobody named it in this call: the pictures are read all the same.
        click.echo(error.text.in_language(language), err=True)


def _fail(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)


def _pictures(names: tuple[Path, ...]) -> Iterator[tuple[Path, bool]]:
    """The pictures meant: files as named, folders' pictures in order. The flag says that a folder holds none."""
    from vision.images import is_picture_name  # noqa: PLC0415

    for name in names:
        if name.is_dir():
            inside = sorted(p for p in name.iterdir() if p.is_file() and is_picture_name(p))
            if not inside:
                yield name, True
            yield from ((p, False) for p in inside)
        else:
            yield name, False


@click.command("read")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per image and line.")
@click.option("--human", is_flag=True, help="Print for people (the default).")
@click.option(
    "--draw", type=click.Path(path_type=Path), help="Write the annotated picture here (a folder for several pictures)."
)
@click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=_language, help="Language; default: the terminal's."
)
@click.option(
    "--profile", metavar="NAME", help="Read with what was learned of this set; default: the one in use, if any."
)
@click.option("--plain", is_flag=True, help="Read without any learned set.")
@DATA_OPTION
@MODELS_OPTION
@DETECTOR_OPTION
def read_command(
    images: tuple[Path, ...],
    as_json: bool,
    human: bool,
    draw: Path | None,
    language: str,
    profile: str | None,
    plain: bool,
    data: Path | None,
    models: Path | None,
    detector: Path | None,
) -> None:
    """Read the tiles in pictures (files or folders).

    Pictures that cannot be read are named on standard error and make the exit status 2; the others are still read.
    """
    from vision.images import ImageError, load_image  # noqa: PLC0415

    if as_json and human:
        _fail(JSON_OR_HUMAN.in_language(language))
    if plain and profile is not None:
        _fail(PROFILE_OR_PLAIN.in_language(language))
    reader = _reader(models, detector, language)
    _use_own_set(reader, profile, data, language, in_use=not plain)
    pictures = list(_pictures(images))
    bad = False
    for path, empty in pictures:
        try:
            if empty:
                raise_empty(path)
            image = load_image(path)
        except ImageError as error:
            bad = True
            click.echo(f"{path}: {error.text.in_language(language)}", err=True)
            if as_json:
                click.echo(json.dumps({"image": str(path), "error": error.as_json()}, ensure_ascii=False))
            continue
        reading = reader.read(image)
        click.echo(
            json.dumps(reading.as_json(str(path)), ensure_ascii=False) if as_json else _sheet(path, reading, language)
        )
        if draw is not None and not _draw(draw, path, image, reading, several=len(pictures) > 1):
            bad = True
    if bad:
        sys.exit(2)


def raise_empty(folder: Path) -> None:
    """Say that a folder holds no pictures.

    Raises:
        ImageError: always.
    """
    from vision.images import ImageError  # noqa: PLC0415

    raise ImageError(
        "empty_folder",
        Text(
            f"文件夹 {folder.name} 里没有图片。",
            f"資料夾 {folder.name} 裡沒有圖片。",
            f"There are no pictures in the folder {folder.name}.",
        ),
    )


def _draw(target: Path, source: Path, image: Any, reading: Reading, *, several: bool) -> bool:
    from vision.dataset import save_image  # noqa: PLC0415
    from vision.drawing import annotate  # noqa: PLC0415

    try:
        if several or target.is_dir() or not target.suffix:
            target.mkdir(parents=True, exist_ok=True)
            target = target / f"{source.stem}_read.jpg"
        save_image(target, annotate(image, reading.detections))
    except OSError as error:
        click.echo(f"--draw {target}: {error}", err=True)
        return False
    return True


def _sheet(path: Path, reading: Reading, language: str) -> str:
    """A reading for people: rows of tiles, doubts with their alternatives, problems."""

    def say(text: Text, **values: object) -> str:
        return text.format(**values).in_language(language)

    seen = reading.detections
    lines = [say(HEADING, path=path, tiles=sum(map(len, reading.rows)), time=f"{reading.milliseconds:.0f}")]
    for number, row in enumerate(reading.rows, 1):
        tiles = " ".join(seen.code(i) + ("" if seen.certain[i] else "?") for i in row)
        lines.append(say(ROW, number=number, tiles=tiles))
        for i in row:
            if not seen.certain[i]:
                best = f"{float(seen.probability[i, seen.kind[i]]):.0%}"
                others = ", ".join(f"{code} {p:.0%}" for code, p in seen.alternatives(i))
                lines.append(say(DOUBT, tile=seen.code(i), best=best, others=others))
    face_down = int((seen.kind < 0).sum())
    if face_down:
        lines.append(say(FACE_DOWN_TILES, number=face_down))
    lines += [f"  ! {problem.text.in_language(language)}" for problem in reading.problems]
    if not reading.rows:
        lines.append(say(NOTHING))
    return "\n".join(lines)


@click.command("evaluate")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--html", "html_path", type=click.Path(path_type=Path), help="Write a page with the worst photos drawn.")
@click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, help="Read only every n-th photo.")
@click.option(
    "--repaired",
    is_flag=True,
    help="Judge by the labels with the known faults of datasets/ put right, not as published.",
)
@click.option("--source", help="Read only the photos of this source (file-name prefix, k for instance).")
@click.option(
    "--only", metavar="PATTERN", help="Read only the photos with such a file name ('k_0005[1-8]*' for instance)."
)
@click.option("--profile", metavar="NAME", help="Read with what was learned of this set.")
@DATA_OPTION
@MODELS_OPTION
@DETECTOR_OPTION
def evaluate_command(
    folder: Path,
    as_json: bool,
    html_path: Path | None,
    every: int,
    repaired: bool,
    source: str | None,
    only: str | None,
    profile: str | None,
    data: Path | None,
    models: Path | None,
    detector: Path | None,
) -> None:
    """Measure the models on labelled photos (YOLO format: FOLDER/images and FOLDER/labels, 42 classes)."""
    from vision.dataset import read_folder  # noqa: PLC0415
    from vision.evaluation import as_text, evaluate, page, summary  # noqa: PLC0415
    from vision.images import ImageError  # noqa: PLC0415

    if not folder.is_dir():
        _fail(f"{folder}: there is no such folder; name one that holds images/ and labels/")
    try:
        photos = [p for p in read_folder(folder, repair=repaired) if source is None or p.source == source]
    except (ValueError, OSError) as error:
        _fail(f"{folder}: {error}" if isinstance(error, ImageError) else str(error))
    if source is not None and not photos:
        _fail(f"{folder}: no picture there is named {source}_…; leave out --source, or name another")
    if only is not None:
        photos = [p for p in photos if fnmatchcase(p.path.name, only)]
        if not photos:
            _fail(f"{folder}: no picture there has a name like {only}; leave out --only, or write another pattern")
    photos = photos[::every]
    if not any(len(p.kinds) for p in photos):
        _fail(f"{folder}: none of the {len(photos)} pictures has labels; they are looked for in {folder / 'labels'}")
    reader = _reader(models, detector)
    _use_own_set(reader, profile, data, _language(), in_use=False)
    outcomes = list(evaluate(reader, photos))
    figures = summary(outcomes)
    click.echo(json.dumps(figures, ensure_ascii=False) if as_json else as_text(figures))
    if html_path is not None:
        try:
            html_path.write_text(page(outcomes, figures, f"youjin evaluate {folder}"), encoding="utf-8")
        except OSError as error:
            _fail(f"--html {html_path}: {error.strerror}")


def _need_training() -> None:
    missing = [name for name in ("torch", "ultralytics", "onnx") if find_spec(name) is None]
    if missing:
        _fail(f"training and export need {', '.join(missing)}; run: pip install 'youjin[train]'")


EXTRA_OPTION = click.option(
    "--extra",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A further folder of photos with every tile labelled, kept corrections for instance; may be repeated.",
)
KEEP_OPTION = click.option(
    "--keep",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    help="Part of the starting weights in the finished ones: what was known before, averaged with what was learned.",
)
LEAVE_OUT_OPTION = click.option(
    "--leave-out",
    multiple=True,
    help="An ingredient of the drawn tables to do without (vision/synthesis/README.md lists them); may be repeated.",
)


@click.group("train")
def train_command() -> None:
    """Train the detector or the classifier; an interrupted run goes on when started again with the same --out."""


def _data_folder(data: Path) -> None:
    if not (data / "train").is_dir():
        _fail(f"{data}: there is no folder train in it; name the folder that holds train/images and train/labels")


@train_command.command("classifier")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs/classifier"),
    show_default=True,
    help="Folder of the run.",
)
@click.option("--epochs", type=click.IntRange(min=1), help="Passes over the crops.")
@click.option("--drawn", type=click.IntRange(min=0), help="Drawn tables to mix in.")
@click.option("--seed", type=int, help="Seed of everything random.")
@click.option("--without", help="Hold out the photos of this source (file-name prefix, k for instance).")
@EXTRA_OPTION
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), help="Highest learning rate of the run.")
@click.option("--side", type=click.IntRange(min=32), help="Pixels per side of the crops it sees.")
@click.option("--width", type=click.IntRange(min=4), help="Channels after the network's first layer.")
@click.option(
    "--temperature",
    type=click.FloatRange(min=0.05),
    help="Divisor of the logits; default: the best fit on the source held out, else on val and val_web, which is too sure of sets never seen.",
)
@LEAVE_OUT_OPTION
@click.option("--start", type=click.Path(path_type=Path), help="Weights (.pt) to start from; default: from nothing.")
@KEEP_OPTION
def train_classifier(
    data: Path,
    out: Path,
    epochs: int | None,
    drawn: int | None,
    seed: int | None,
    without: str | None,
    extra: tuple[Path, ...],
    rate: float | None,
    side: int | None,
    width: int | None,
    temperature: float | None,
    leave_out: tuple[str, ...],
    start: Path | None,
    keep: float,
) -> None:
    """Train the crop classifier on DATA (train/images, train/labels, 42 classes) and on drawn tables."""
    _need_training()
    _data_folder(data)
    from vision.training import classifier, quantise, runlog  # noqa: PLC0415

    settings = classifier.Settings(
        **_given(
            epochs=epochs,
            drawn=drawn,
            seed=seed,
            without=without,
            extra=_folders(extra),
            rate=rate,
            side=side,
            width=width,
        ),
        left_out=leave_out,
    )
    try:
        weights = classifier.train(data, out, settings, start=start, kept=keep, say=click.echo)
        divisor = temperature or classifier.temperature(data, weights, held_out=settings.without)
        classifier.export(weights, out / "classifier_float.onnx", divisor)
        quantise.quantise(out / "classifier_float.onnx", out / "classifier.onnx", data / "train")
    except (ValueError, OSError, RuntimeError) as error:  # a tile set of a package that is not what it was, memory
        _fail(str(error))
    runlog.write(out / "classifier.json", classifier.report(out, data, divisor, start, keep))
    click.echo(f"written: {out / 'classifier.onnx'} and its log {out / 'classifier.json'}")


@train_command.command("detector")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs/detector"),
    show_default=True,
    help="Folder of the run.",
)
@click.option("--epochs", type=click.IntRange(min=1), help="Passes over the pictures.")
@click.option("--size", type=click.IntRange(min=64), help="Side of the network's input in pixels.")
@click.option("--batch", type=click.IntRange(min=1), help="Pictures per step.")
@click.option("--drawn", type=click.IntRange(min=0), help="Drawn tables to mix in.")
@click.option("--seed", type=int, help="Seed of everything random but the drawn tables.")
@click.option("--drawn-seed", type=int, help="Seed of the drawn tables; another one draws others.")
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), help="Learning rate of the first epoch.")
@click.option("--degrees", type=click.FloatRange(0, 45), help="Most that a picture is turned by.")
@click.option("--quarter-turns", type=click.FloatRange(0, 1), help="Part of the pictures turned by quarters.")
@click.option("--without", help="Hold out the photos of this source (file-name prefix, k for instance).")
@EXTRA_OPTION
@LEAVE_OUT_OPTION
@click.option(
    "--start",
    default="mahjong-detector",
    show_default=True,
    help="Weights (.pt), model (.yaml) or the PyPI package mahjong-detector to start from.",
)
@KEEP_OPTION
def train_detector(
    data: Path,
    out: Path,
    epochs: int | None,
    size: int | None,
    batch: int | None,
    drawn: int | None,
    seed: int | None,
    drawn_seed: int | None,
    rate: float | None,
    degrees: float | None,
    quarter_turns: float | None,
    without: str | None,
    extra: tuple[Path, ...],
    leave_out: tuple[str, ...],
    start: str,
    keep: float,
) -> None:
    """Fine-tune the YOLO that finds tiles on DATA and on drawn tables, with ultralytics."""
    _need_training()
    _data_folder(data)
    from vision.training import detector, runlog  # noqa: PLC0415

    settings = detector.Settings(
        **_given(
            epochs=epochs,
            size=size,
            batch=batch,
            drawn=drawn,
            seed=seed,
            drawn_seed=drawn_seed,
            rate=rate,
            degrees=degrees,
            quarter_turns=quarter_turns,
            without=without,
            extra=_folders(extra),
        ),
        left_out=leave_out,
    )
    try:
        weights = detector.train(data, out, settings, start, click.echo, keep)
        tight = detector.export(weights, out / "detector.onnx", data / "val_web")
    except (ValueError, OSError, RuntimeError) as error:  # a tile set of a package that is not what it was, memory
        _fail(str(error))
    runlog.write(out / "detector.json", detector.report(out, data, start, tight, keep))
    click.echo(f"written: {out / 'detector.onnx'} and its log {out / 'detector.json'}")


def _folders(extra: tuple[Path, ...]) -> tuple[str, ...] | None:
    """Absolute names of folders that exist."""
    for folder in extra:
        if not folder.is_dir():
            _fail(f"--extra {folder}: there is no such folder; name one that holds images/ and labels/")
    return tuple(str(folder.resolve()) for folder in extra) or None


def _given(**values: float | str | tuple[str, ...] | None) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


@click.command("export")
@click.argument("weights", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Folder with train, val and val_web: calibrates a classifier and makes it int8, tells how tight a detector's boxes are.",
)
def export_command(weights: Path, target: Path, data: Path | None) -> None:
    """Turn WEIGHTS (.pt of the detector or of the classifier) into TARGET (.onnx)."""
    _need_training()
    if not weights.is_file():
        _fail(f"{weights}: there is no such file")
    if target.suffix != ".onnx":
        _fail(f"{target}: the target's name must end in .onnx")
    from vision.training import classifier, detector, quantise  # noqa: PLC0415

    try:
        if classifier.is_classifier(weights):
            divisor = classifier.temperature(data, weights) if data is not None else 1.0
            classifier.export(weights, target, divisor)
            if data is not None and (data / "train").is_dir():
                quantise.quantise(target, target, data / "train")
        else:
            detector.export(weights, target, data / "val_web" if data is not None else None)
    except Exception as error:  # noqa: BLE001 - torch and ultralytics raise anything on a file that is no weights
        _fail(f"{weights}: cannot be exported ({str(error).splitlines()[0] if str(error) else type(error).__name__})")
    click.echo(f"written: {target}")


commands: list[click.Command] = [read_command, calibrate_command, train_command, evaluate_command, export_command]
