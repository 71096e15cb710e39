"""A set that the classifier does not know is learned from one photo of each row, and forgotten again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from engine.tiles import CODES, INDEX
from vision.calibration import Examples, fitted, learn
from vision.capture import STEPS, Step, look
from vision.classifier import BACK
from vision.cli import commands
from vision.cli_calibrate import calibrate_command
from vision.crops import middle, resized, seen_side, store
from vision.dataset import label_line, save_image
from vision.profiles import Confusion, Profile, ProfileError, Profiles
from vision.reading import MODELS, Reader
from vision.synthesis.geometry import Camera
from vision.synthesis.render import PlacedTile, Scene, render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


def photo(tiles: Sequence[str], seed: int = 1, *, high: float = 420) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A drawn photo of tiles in a row, and their boxes in that order."""
    left = -27 * (len(tiles) - 1) / 2
    placed = tuple(PlacedTile(code, left + 27 * i, 0) for i, code in enumerate(tiles))
    camera = Camera(position=(0, -250, high), target=(0, 30, 0), focal=1.1)
    rendered = render(Scene(1280, 720, camera=camera, tiles=placed), np.random.default_rng(seed))
    boxes = np.array(sorted((box.xyxy for box in rendered.boxes), key=lambda box: box[0]), np.float32)
    assert len(boxes) == len(tiles)
    return rendered.image, boxes


def carved(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The photo as outlines: a set of carved tiles without colour, which the classifier has never seen."""
    lines = cv2.Canny(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 60, 140)
    return np.asarray(cv2.cvtColor(255 - lines, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def shown() -> Examples:
    """One crop of each face of the carved set and one of a back."""
    parts = []
    for step in STEPS:
        image, boxes = photo(step.tiles)
        parts.append(
            Examples(store(carved(image), boxes), np.array([INDEX.get(t, BACK) for t in step.tiles], np.int64))
        )
    return Examples.joined(parts)


@pytest.fixture(scope="module")
def later() -> Examples:
    """The same set another time: other order, other place of the camera, other noise."""
    parts = []
    for seed in (1, 2, 3):
        tiles = [CODES[i] for i in np.random.default_rng(seed).permutation(len(CODES))]
        for row in (tiles[:14], tiles[14:28], tiles[28:]):
            image, boxes = photo(row, seed, high=360 + 40 * seed)
            parts.append(Examples(store(carved(image), boxes), np.array([INDEX[t] for t in row], np.int64)))
    return Examples.joined(parts)


@pytest.fixture(scope="module")
def learned(reader: Reader, shown: Examples) -> Profile:
    return learn(reader.classifier, shown, "carved set")


def logits(reader: Reader, examples: Examples) -> NDArray[np.float32]:
    """What the classifier says of examples from one look, whatever size they were stored in."""
    return reader.classifier.logits(middle(resized(examples.crops, reader.classifier.side)))


def right(reader: Reader, examples: Examples) -> float:
    return float((logits(reader, examples).argmax(1) == examples.kinds).mean())


def test_a_strange_set_is_read_after_it_was_shown_and_undo_restores(
    reader: Reader, learned: Profile, later: Examples
) -> None:
    before = logits(reader, later)
    without = right(reader, later)
    reader.classifier.use(learned)
    try:
        with_it = right(reader, later)
    finally:
        reader.classifier.use(None)
    assert without < 0.9
    assert 1 - with_it < (1 - without) / 2
    assert np.array_equal(logits(reader, later), before)
    assert learned.right_after > learned.right_before
    assert not learned.held_out
    assert len(learned.covered) == 43
    assert all(0.2 <= max(c.before, c.after) <= 1 for c in learned.confusions)


def test_kinds_that_were_not_shown_are_read_as_before(reader: Reader) -> None:
    shown = [Examples.cut(*photo(step.tiles), np.arange(9) + 9 * i) for i, step in enumerate(STEPS[:3])]
    profile = learn(reader.classifier, Examples.joined(shown), "suits alone")
    assert profile.covered == CODES[:27]
    image, boxes = photo((*STEPS[3].tiles, *STEPS[4].tiles), 5)
    others = Examples(store(image, boxes), np.arange(27, 42))
    without = right(reader, others)
    reader.classifier.use(profile)
    try:
        assert right(reader, others) >= without - 0.07
    finally:
        reader.classifier.use(None)


def test_with_several_crops_of_a_kind_the_test_is_on_crops_not_learned(
    reader: Reader, shown: Examples, later: Examples
) -> None:
    some = (shown.kinds < 12, later.kinds < 12)
    both = Examples.joined([Examples(e.crops[s], e.kinds[s]) for e, s in zip((shown, later), some, strict=True)])
    profile = learn(reader.classifier, both, "twelve")
    assert profile.held_out
    assert len(profile.kinds) == len(both) == 48
    assert profile.right_after > profile.right_before
    assert len(Examples.joined([both, both, both, both]).thinned()) == 6 * 12


def test_crops_kept_for_another_classifier_are_learned_by_this_one(
    reader: Reader, shown: Examples, later: Examples
) -> None:
    """A version with other weights may see more pixels: `youjin calibrate --again` learns from what was kept."""
    former = Examples(resized(shown.crops, 64), shown.kinds)
    profile = learn(reader.classifier, former, "carved set")
    assert seen_side(profile.crops) == reader.classifier.side
    assert profile.right_after > profile.right_before
    both = Examples.joined([former, later])
    assert seen_side(both.crops) == seen_side(later.crops)
    assert len(both) == len(former) + len(later)


def test_a_set_outlives_an_update_of_the_classifier(
    reader: Reader, learned: Profile, later: Examples, tmp_path: Path
) -> None:
    profiles = Profiles(tmp_path)
    profiles.save(
        replace(learned, classifier="0" * 16, made="2026-01-01T00:00:00+00:00", crops=resized(learned.crops, 64))
    )
    profiles.use("carved set")
    fresh, anew = fitted(reader.classifier, profiles, "carved set")
    assert anew
    assert fresh.made == "2026-01-01T00:00:00+00:00"
    assert profiles.load("carved set").classifier == reader.classifier.digest
    assert fitted(reader.classifier, profiles, "carved set")[1] is False
    without = right(reader, later)
    reader.classifier.use(fresh)
    try:
        assert 1 - right(reader, later) < (1 - without) / 2
    finally:
        reader.classifier.use(None)


def test_profiles_are_kept_listed_used_and_removed(tmp_path: Path, learned: Profile) -> None:
    profiles = Profiles(tmp_path)
    assert profiles.list() == []
    assert profiles.active is None
    profiles.save(learned)
    profiles.save(replace(learned, name="外婆的牌 / 1", confusions=(Confusion("1m", "none", 0.5, 0.25),)))
    profiles.use("外婆的牌 / 1")
    again = Profiles(tmp_path)
    assert again.active == "外婆的牌 / 1"
    loaded = again.load("外婆的牌 / 1")
    assert loaded.confusions == (Confusion("1m", "none", 0.5, 0.25),)
    assert np.array_equal(loaded.weights, learned.weights)
    assert np.array_equal(loaded.crops, learned.crops)
    assert {p.name for p in again.list() if isinstance(p, Profile)} == {"carved set", "外婆的牌 / 1"}
    again.delete("外婆的牌 / 1")
    assert Profiles(tmp_path).active is None
    for gone in (again.load, again.delete, again.use):
        with pytest.raises(ProfileError) as caught:
            gone("外婆的牌 / 1")
        assert caught.value.code == "unknown_profile"
    assert len(again.list()) == 1


def test_damaged_profiles_and_bad_names_are_told(tmp_path: Path, learned: Profile) -> None:
    profiles = Profiles(tmp_path)
    profiles.save(learned)
    (path,) = (tmp_path / "profiles").glob("*.npz")
    data = path.read_bytes()
    for broken in (b"", b"nonsense", data[: len(data) // 2]):
        path.write_bytes(broken)
        with pytest.raises(ProfileError) as caught:
            profiles.load("carved set")
        assert caught.value.code == "damaged_profile"
        assert "carved set" in caught.value.text.en
        (told,) = profiles.list()
        assert isinstance(told, ProfileError)
    for name in ("", "  ", "a\nb", "x" * 41):
        with pytest.raises(ProfileError) as refused:
            profiles.save(replace(learned, name=name))
        assert refused.value.code == "bad_name"
    (tmp_path / "profiles" / "active.json").write_text("[1")
    assert profiles.active is None
    (tmp_path / "file").write_text("")
    with pytest.raises(ProfileError) as unwritten:
        Profiles(tmp_path / "file").save(learned)
    assert unwritten.value.code == "not_written"


def test_a_profile_of_another_classifier_is_refused(learned: Profile) -> None:
    with pytest.raises(ProfileError) as caught:
        Reader(MODELS, threads=2, profile=replace(learned, classifier="0" * 16))
    assert caught.value.code == "other_classifier"
    assert "carved set" in caught.value.text.en
    assert Reader(MODELS, threads=2, profile=learned).classifier.profile is learned


def test_too_few_kinds_are_refused(reader: Reader, shown: Examples) -> None:
    with pytest.raises(ProfileError) as caught:
        learn(reader.classifier, Examples(shown.crops[:3], shown.kinds[:3]), "three")
    assert caught.value.code == "too_few_kinds"


@pytest.mark.parametrize("step", [STEPS[1], STEPS[3], STEPS[5]], ids=lambda step: step.key)
def test_a_row_is_found_in_the_asked_order_whichever_way_it_lies(reader: Reader, step: Step) -> None:
    image, boxes = photo(step.tiles)
    for quarter in (0, 1, 2, 3):
        turned = np.ascontiguousarray(np.rot90(image, quarter))
        shot = look(reader, turned, step)
        assert shot.problem is None
        assert shot.warning is None
        kinds = shot.examples.kinds
        assert kinds[kinds <= BACK].tolist() == [INDEX.get(tile, BACK) for tile in step.tiles]
        assert (kinds > BACK).any()
        assert [tile["tile"] for tile in shot.as_json()["tiles"]] == list(step.tiles)
        x, y = ((boxes[:, :2] + boxes[:, 2:]) / 2).T
        expected = ((x, y), (y, 1280 - x), (1280 - x, 720 - y), (720 - y, x))[quarter]
        found = (shot.boxes[:, :2] + shot.boxes[:, 2:]) / 2
        assert np.hypot(*(found - np.stack(expected, 1)).T).max() < 0.4 * (boxes[:, 2] - boxes[:, 0]).mean()


def test_wrong_rows_are_refused_or_questioned(reader: Reader) -> None:
    characters, dots = STEPS[0], STEPS[1]
    image, _ = photo(characters.tiles[:8])
    shot = look(reader, image, characters)
    assert shot.problem is not None
    assert "8" in shot.problem.en
    assert len(shot.examples) == 0
    nothing = look(reader, np.full((720, 1280, 3), 90, np.uint8), characters)
    assert nothing.problem is not None
    assert nothing.boxes.shape == (0, 4)
    wrong = look(reader, photo(characters.tiles)[0], dots)
    assert wrong.problem is None
    assert wrong.warning is not None
    assert len(wrong.doubtful) >= 7
    swapped = list(characters.tiles)
    swapped[2] = "7p"
    one = look(reader, photo(swapped)[0], characters)
    assert one.doubtful == (2,)
    assert one.warning is not None
    assert "7 dots" in one.warning.en
    face_up = look(reader, photo(["5m"])[0], STEPS[5])
    assert face_up.problem is not None
    forced = look(reader, photo(characters.tiles)[0], characters, turned=True)
    assert len(forced.doubtful) >= 6


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    def call(*words: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(calibrate_command, [*words, "--data", str(tmp_path / "data"), "--lang", "en"])
        return result.exit_code, result.stdout, result.stderr

    return call


def test_the_command_learns_shows_uses_and_removes(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    paths = []
    for step in STEPS[:2]:
        path = tmp_path / f"{step.key}-1.jpg"
        save_image(path, photo(step.tiles)[0])
        paths.append(str(path))
    code, out, _ = run(*reversed(paths), "--name", "home")
    assert code == 0
    assert "“home” is learned" in out
    code, out, _ = run("--list")
    assert "home (in use): 18 kinds, 18 pictures" in out
    code, out, _ = run("--show", "home", "--json")
    assert json.loads(out)["covered"] == list(CODES[:18])
    assert run("--off")[0] == 0
    assert "in use" not in run("--list")[1]
    assert run("--use", "home")[0] == 0
    assert json.loads(run("--list", "--json")[1])["active"] == "home"
    assert run("--again", "home")[0] == 0
    assert run("--remove", "home")[0] == 0
    assert "No set" in run("--list")[1]
    code, _, error = run("--remove", "home")
    assert code == 2
    assert "no set called “home”" in error


def test_the_command_takes_labelled_folders_and_says_what_is_wrong(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    folder = tmp_path / "corrections"
    (folder / "images").mkdir(parents=True)
    (folder / "labels").mkdir()
    image, boxes = photo(CODES[:9])
    save_image(folder / "images" / "a.jpg", carved(image))
    lines = [
        f"{i} {(x + X) / 2 / 1280} {(y + Y) / 2 / 720} {(X - x) / 1280} {(Y - y) / 720}"
        for i, (x, y, X, Y) in enumerate(boxes)
    ]
    (folder / "labels" / "a.txt").write_text("\n".join(lines))
    code, out, _ = run(str(folder), "--name", "kept")
    assert code == 0
    assert "kept" in out
    (folder / "labels" / "a.txt").write_text("1 2 3")
    assert "labels" in run(str(folder), "--name", "kept")[2]
    wrong = tmp_path / "dots.jpg"
    save_image(wrong, image)
    code, _, error = run(str(wrong), "--name", "kept")
    assert code == 2
    assert "--trust" in error
    assert run(str(wrong), "--name", "kept", "--trust")[0] == 0
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.jpg").write_text("no picture")
    for words, told in (
        ((str(tmp_path / "gone.jpg"), "--name", "x"), "There is no"),
        ((str(tmp_path / "empty"), "--name", "x"), "neither"),
        ((str(tmp_path / "text.jpg"), "--name", "x"), "text.jpg"),
        ((str(wrong),), "--name"),
        ((str(wrong), str(tmp_path / "text.jpg"), "--name", "x"), "names begin"),
        ((), "One thing at a time"),
        (("--list", "--off"), "One thing at a time"),
    ):
        code, _, error = run(*words)
        assert code == 2
        assert told in error


def test_photos_are_read_and_measured_with_the_set_in_use(
    learned: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, boxes = photo(CODES[:9])
    for part in ("images", "labels"):
        (tmp_path / "photos" / part).mkdir(parents=True)
    save_image(tmp_path / "photos" / "images" / "row.png", carved(image))
    lines = [label_line(kind, box, 1280, 720) for kind, box in enumerate(boxes.tolist())]
    (tmp_path / "photos" / "labels" / "row.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
    monkeypatch.setenv("YOUJIN_DATA", str(tmp_path / "data"))
    profiles = Profiles(tmp_path / "data")
    profiles.save(learned)
    group = click.Group(commands=commands)

    def kinds(*words: str) -> tuple[list[str], str]:
        call = ["read", str(tmp_path / "photos" / "images"), "--json", "--lang", "en", *words]
        result = CliRunner().invoke(group, call)
        assert result.exit_code == 0
        return [tile["tile"] for tile in json.loads(result.stdout)["tiles"]], result.stderr

    plain, _ = kinds()
    named, _ = kinds("--profile", learned.name)
    assert named != plain
    profiles.use(learned.name)
    assert kinds() == (named, "")
    assert kinds("--plain") == (plain, "")
    # Learned with a classifier of before: learned again from its kept pictures, and told once.
    profiles.save(replace(learned, classifier="0" * 16))
    tiles, told = kinds()
    assert tiles == named
    assert "was learned again from its kept pictures" in told
    assert kinds() == (named, "")
    # Where that cannot be, the picture is read all the same; asked for by name it is refused.
    profiles.save(replace(learned, classifier="0" * 16, crops=learned.crops[:3], kinds=learned.kinds[:3]))
    tiles, told = kinds()
    assert tiles == plain
    assert "learned with an earlier classifier" in told
    folder = str(tmp_path / "photos")
    images = str(tmp_path / "photos" / "images")
    for words, reason in (
        (["read", images, "--profile", learned.name], "earlier classifier"),
        (["read", images, "--profile", "nobody"], "no set called"),
        (["read", images, "--profile", "x", "--plain"], "not both"),
        (["evaluate", folder, "--profile", "nobody"], "no set called"),
    ):
        lang = ["--lang", "en"] if words[0] == "read" else []
        result = CliRunner(env={"LANG": "en_US.UTF-8", "LC_ALL": "en_US.UTF-8"}).invoke(group, [*words, *lang])
        assert result.exit_code == 2
        assert reason in result.stderr
    profiles.save(learned)

    def named_right(*words: str) -> float:
        result = CliRunner().invoke(group, ["evaluate", folder, "--json", *words])
        assert result.exit_code == 0
        return float(json.loads(result.stdout)["recall"])

    assert named_right("--profile", learned.name) > named_right()
