"""Training of both models from nothing to ONNX, a few steps on drawn tables; needs the extra ``train``."""

# ruff: noqa: PLC0415 - torch is loaded only when these tests are wanted
from __future__ import annotations

import json
import shutil
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

# torch and ultralytics warn about their own insides; ours are still errors.
pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ultralytics"),
    pytest.mark.filterwarnings("ignore:You are using the legacy TorchScript:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:torch"),
    pytest.mark.filterwarnings("ignore::UserWarning:ultralytics"),
]


@pytest.fixture(autouse=True)
def few_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces of a few mixed sets are enough to see that they are learned from."""
    from vision.training import drawn

    monkeypatch.setattr(drawn, "MIXED", 6)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from vision.training.drawn import ensure

    folder = tmp_path_factory.mktemp("data")
    ensure(folder / "train", 3, 3, lambda _: None)
    ensure(folder / "val", 3, 4, lambda _: None)
    for labels in (folder / "val" / "labels").iterdir():  # test folders hold the 42 kinds only
        lines = [line for line in labels.read_text().splitlines() if not line.startswith("42 ")]
        labels.write_text("\n".join(lines) + "\n")
    return folder


def test_a_folder_without_face_up_tiles_is_not_measured(data: Path, tmp_path: Path) -> None:
    from vision.training import classifier

    folder = shutil.copytree(data, tmp_path / "data")
    for labels in (folder / "val" / "labels").iterdir():
        labels.write_text("\n")
    settings = classifier.Settings(epochs=1, batch=64, drawn=0, side=48, width=8, captioned=0)
    classifier.train(folder, tmp_path / "run", settings, say=lambda _: None)
    (epoch,) = (json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines())
    assert "val" not in epoch


def test_classifier_goes_on_where_it_stopped_and_is_exported(data: Path, tmp_path: Path) -> None:
    import torch

    from vision.classifier import OUTPUTS, Classifier
    from vision.crops import SIDE, standardise
    from vision.runtime import session
    from vision.training import classifier, quantise, runlog

    settings = classifier.Settings(epochs=2, batch=8, drawn=0, seed=3)
    whole = classifier.train(data, tmp_path / "whole", settings, say=lambda _: None)
    assert classifier.train(data, tmp_path / "parts", settings, say=lambda _: None, stop_after=3).name == "last.pt"
    assert not (tmp_path / "parts" / "classifier.pt").exists()
    said: list[str] = []
    parts = classifier.train(data, tmp_path / "parts", settings, say=said.append)
    assert any("going on" in line for line in said)
    written = whole.read_bytes()
    assert classifier.train(data, tmp_path / "whole", settings, say=said.append).read_bytes() == written
    assert classifier.temperature(data, whole, held_out="d") > 0
    one, two = (torch.load(p, weights_only=True)["average"] for p in (whole, parts))
    assert max(float((one[k].float() - two[k].float()).abs().max()) for k in one) < 1e-3

    net, _ = classifier.load(parts)
    classifier.export(parts, tmp_path / "classifier.onnx", 0.7)
    crops = np.random.default_rng(1).integers(0, 256, (5, SIDE, SIDE, 3), dtype=np.uint8)
    with torch.no_grad():
        expected = net(torch.from_numpy(standardise(crops))).numpy() / 0.7
    answer = Classifier(tmp_path / "classifier.onnx").logits(crops)
    assert answer.shape == (5, OUTPUTS)
    assert np.abs(answer - expected).max() < 1e-3
    quantise.quantise(tmp_path / "classifier.onnx", tmp_path / "small.onnx", data / "train")
    small = Classifier(tmp_path / "small.onnx")
    logits, features = session(tmp_path / "small.onnx").run(["logits", "features"], {"crops": standardise(crops)})
    last: Any = net[-1]
    assert features.shape == (5, last.weight.shape[1])
    assert np.abs(features @ last.weight.detach().numpy().T + last.bias.detach().numpy() - logits).max() < 1e-3
    assert small.temperature == 0.7
    assert (tmp_path / "small.onnx").stat().st_size < 0.4 * (tmp_path / "classifier.onnx").stat().st_size
    assert (small.logits(crops).argmax(1) == answer.argmax(1)).mean() >= 0.6
    report = classifier.report(tmp_path / "parts", data, 0.7)
    assert len(report["epochs"]) == 2
    assert "start" not in report
    runlog.write(tmp_path / "parts" / "classifier.json", report)
    told = classifier.report(tmp_path / "whole", data, 0.5, parts)
    assert told["before"]["temperature"] == 0.7
    assert set(told["drawn_with"]) == {"sets", "hands"}
    assert runlog.begun_with(tmp_path / "whole" / "classifier.pt", "classifier") == {"start": "classifier.pt"}


def test_a_log_holds_that_of_the_weights_it_began_with(tmp_path: Path) -> None:
    from vision.training import runlog

    weights = tmp_path / "run" / "run" / "weights" / "last.pt"
    weights.parent.mkdir(parents=True)
    assert runlog.begun_with(weights, "detector") == {"start": "last.pt"}
    (tmp_path / "run" / "detector.json").write_text('{"epochs": 3}')
    assert runlog.begun_with(weights, "detector") == {"start": "last.pt", "before": {"epochs": 3}}
    assert runlog.begun_with("mahjong-detector", "detector") == {"start": "mahjong-detector"}


def test_a_classifier_of_another_width_and_side_is_read_again(data: Path, tmp_path: Path) -> None:
    from vision.classifier import Classifier
    from vision.dataset import read_folder
    from vision.training import classifier, quantise

    settings = classifier.Settings(
        epochs=1, batch=64, drawn=1, side=48, width=8, captioned=0, left_out=("packages", "racks")
    )
    weights = classifier.train(data, tmp_path / "run", settings, say=lambda _: None)
    classifier.export(weights, tmp_path / "narrow.onnx")
    narrow = Classifier(tmp_path / "narrow.onnx")
    assert (classifier.load(weights)[1], narrow.side) == (48, 48)
    _, features = narrow.answers(np.zeros((2, 48, 48, 3), np.uint8))
    assert features.shape == (2, 64)
    image, boxes = read_folder(data / "train")[0].load()
    quantise.quantise(tmp_path / "narrow.onnx", tmp_path / "small.onnx", data / "train")
    for reads in (narrow, Classifier(tmp_path / "small.onnx")):
        assert reads.probabilities(image, boxes).sum(1) == pytest.approx(1, abs=1e-4)
    assert 0.3 <= classifier.temperature(data, weights) <= 2.3
    # What a run of before there were several sizes left behind: 64 pixels.
    classifier.torch.save(classifier.torch.load(weights, weights_only=True)["average"], tmp_path / "former.pt")
    classifier.export(tmp_path / "former.pt", tmp_path / "former.onnx")
    assert Classifier(tmp_path / "former.onnx").side == 64
    with pytest.raises(ValueError, match="no such ingredient: salt; there are mixed, packages"):
        classifier.train(data, tmp_path / "other", replace(settings, left_out=("salt",)), say=lambda _: None)


def test_a_part_of_the_detector_before_is_kept(data: Path, tmp_path: Path) -> None:
    from ultralytics import YOLO

    from vision.training import detector

    settings = detector.Settings(epochs=1, size=96, batch=4, drawn=0)
    for nothing in ("yolo11n.yaml", "mahjong-detector", tmp_path / "none.pt"):
        with pytest.raises(ValueError, match="no weights to start from that could be kept"):
            detector.train(data, tmp_path / "run", settings, nothing, lambda _: None, 0.5)
    other = tmp_path / "other.pt"
    YOLO("yolo11n.yaml").save(str(other))  # 80 classes
    with pytest.raises(ValueError, match="another network"):
        detector.train(data, tmp_path / "run", settings, other, lambda _: None, 0.5)
    first = detector.train(data, tmp_path / "first", settings, "yolo11n.yaml", lambda _: None)
    second = detector.train(data, tmp_path / "second", settings, first, lambda _: None, 0.25)
    assert second.name == "blended.pt"
    before, after, both = (
        YOLO(str(path)).model.float().state_dict() for path in (first, second.with_name("last.pt"), second)
    )
    moved = [name for name, value in before.items() if value.dtype.is_floating_point and (value != after[name]).any()]
    assert len(moved) > 20
    for name in moved:
        assert np.allclose(both[name], 0.25 * before[name] + 0.75 * after[name], atol=2e-3)
    assert detector.report(tmp_path / "second", data, first, None, 0.25)["kept"] == 0.25


@pytest.mark.parametrize("hasty", [False, True])
def test_detector_is_trained_and_exported(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hasty: bool
) -> None:
    from vision.detector import Detector
    from vision.training import detector, processor

    monkeypatch.setattr(processor, "hastens", lambda _: hasty)
    settings = detector.Settings(epochs=1, size=96, batch=4, drawn=2, frozen=0)
    monkeypatch.chdir(tmp_path)  # the command's default folder is a relative one
    weights = detector.train(data, Path("run"), settings, "yolo11n.yaml", lambda _: None)
    assert weights == tmp_path / "run" / "run" / "weights" / "last.pt"
    assert detector.report(Path("run"), data, "yolo11n.yaml")["epochs"]
    assert detector.train(data, tmp_path / "run", settings, "yolo11n.yaml", lambda _: None) == weights
    detector.export(weights, tmp_path / "detector.onnx")
    image = np.random.default_rng(2).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    onnx = Detector(tmp_path / "detector.onnx", confidence=0.0)
    torch = Detector(weights, confidence=0.0)
    a, b = onnx.look(image, 0.5), torch.look(image, 0.5)
    assert len(a[0]) > 0
    assert np.abs(np.sort(a[1])[-20:] - np.sort(b[1])[-20:]).max() < 1e-3
    assert set(a[2].tolist()) <= {0, 1}


def test_how_tight_a_finders_boxes_have_to_be_made_is_measured_and_noted(tmp_path: Path) -> None:
    from vision import MODELS
    from vision.dataset import Photo, save_image
    from vision.detector import TIGHT, Detector, tightened
    from vision.training.detector import note, tightness

    save_image(tmp_path / "k_1.png", np.zeros((300, 400, 3), np.uint8))
    boxes = np.array([[40 + 50 * i, 100, 80 + 50 * i, 160] for i in range(6)], np.float32)
    photo = Photo(tmp_path / "k_1.png", boxes, np.zeros(6, np.int64))

    class Finder:
        tight = 0.5

        def find(self, image: np.ndarray) -> tuple[np.ndarray, None, None]:
            assert self.tight == 1.0
            return tightened(boxes[::-1], 1.25), None, None

    finder: Any = Finder()
    assert tightness(finder, [photo]) == 0.8
    assert finder.tight == 0.5
    assert tightness(finder, [replace(photo, boxes=boxes + 200)]) is None
    shutil.copy(MODELS / "detector.onnx", tmp_path / "detector.onnx")
    for tight in (0.77, 0.85):
        note(tmp_path / "detector.onnx", tight)
        assert Detector(tmp_path / "detector.onnx").tight == tight
    assert 0.7 < TIGHT <= 1


def test_the_training_set_hides_what_nobody_labelled(tmp_path: Path) -> None:
    from vision.dataset import Photo, save_image
    from vision.training.detector import _shown

    image = np.random.default_rng(0).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    save_image(tmp_path / "l_1.png", image)
    boxes = np.array([[40, 200, 80, 250], [82, 200, 122, 250]], np.float32)
    found, joker = (220.0, 40.0, 260.0, 90.0), (300.0, 200.0, 340.0, 250.0)
    photo = Photo(
        tmp_path / "l_1.png", boxes, np.array([0, 1]), hidden=((200, 20, 240, 70),), unnamed=(found,), strange=(joker,)
    )
    shown, tiles, kinds = _shown(photo)
    assert tiles.tolist() == [*boxes.tolist(), list(found), list(joker)]
    assert len(kinds) == 4
    assert np.array_equal(shown[200:250, 40:122], image[200:250, 40:122])
    assert np.array_equal(shown[40:90, 220:260], image[40:90, 220:260])
    assert shown[20:40, 200:240].std() < 0.6 * image[20:40, 200:240].std()
    turned, flipped, _ = _shown(replace(photo, mirrored=True))
    assert np.array_equal(turned[:, ::-1][40:90, 220:260], image[40:90, 220:260])
    assert flipped[2].tolist() == [140, 40, 180, 90]


def test_kept_corrections_are_learned_too(data: Path, tmp_path: Path) -> None:
    from vision.dataset import read_folder
    from vision.training import classifier, detector

    extra = tmp_path / "corrections"
    shutil.copytree(data / "train", extra)
    tiles = sum(len(photo.kinds) for photo in read_folder(extra))
    plain = classifier.Settings(drawn=0, others=0, captioned=0)
    alone = classifier.gather(data / "train", plain, None)
    both = classifier.gather(data / "train", replace(plain, extra=(str(extra),)), None)
    assert len(both.classes) >= len(alone.classes) + tiles
    settings = detector.Settings(drawn=0, extra=(str(extra),), captioned=0)  # from photos alone
    detector.prepare(data, tmp_path / "run", settings, lambda _: None)
    written = {path.stem for path in (tmp_path / "run" / "set" / "images").iterdir()}
    assert {f"x0_{photo.path.stem}" for photo in read_folder(extra)} <= written
    assert not (tmp_path / "run" / "drawn").exists()


def test_what_the_finder_invents_is_learned_as_nothing() -> None:
    from vision.training.classifier import _false_finds

    class Finder:
        def find(self, image: np.ndarray) -> tuple[np.ndarray, None, None]:
            finds = [[0, 0, 40, 50], [100, 100, 130, 140], [20, 10, 60, 50], [39, 5, 80, 50]]
            return np.array(finds, np.float32), None, None

    image = np.zeros((200, 200, 3), np.uint8)
    boxes = np.array([[0, 0, 40, 50], [42, 0, 82, 50]], np.float32)
    finder: Any = Finder()
    assert _false_finds(image, boxes, finder).tolist() == [[100, 100, 130, 140]]
    assert len(_false_finds(image, boxes[:0], finder)) == 4


def test_tiles_that_nobody_labelled_are_not_learned_as_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.classifier import OTHER
    from vision.dataset import Photo, save_image
    from vision.training import classifier

    unnamed, hidden, die = (100.0, 10.0, 140.0, 60.0), (150.0, 10.0, 190.0, 60.0), (20.0, 150.0, 50.0, 180.0)

    class Finder:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def find(self, image: np.ndarray) -> tuple[np.ndarray, None, None]:
            return np.array([[10, 10, 50, 60], unnamed, hidden, die], np.float32), None, None

    save_image(tmp_path / "k_1.png", np.zeros((200, 200, 3), np.uint8))
    boxes = np.array([[10, 10, 50, 60]], np.float32)
    photo = Photo(tmp_path / "k_1.png", boxes, np.array([3]), hidden=(hidden,), unnamed=(unnamed,))
    monkeypatch.setattr(classifier, "Detector", Finder)
    monkeypatch.setattr(classifier, "read_folder", lambda _: [photo])
    crops = classifier.gather(tmp_path, classifier.Settings(drawn=0, others=0, captioned=0), None)
    assert crops.classes.tolist() == [3, OTHER]


def test_what_the_finder_takes_print_for_is_learned_as_nothing() -> None:
    from vision.training.classifier import _taken_for_tiles

    class Finder:
        def find(self, image: np.ndarray) -> tuple[np.ndarray, None, None]:
            return np.array([[0, 0, 40, 50], [98, 98, 130, 140], [20, 150, 60, 190]], np.float32), None, None

    image, finder = np.zeros((200, 200, 3), np.uint8), Finder()
    boxes, print_ = np.array([[0, 0, 40, 50]], np.float32), np.array([[100, 100, 125, 138]], np.float32)
    taken: Any = _taken_for_tiles
    assert taken(image, print_, boxes, finder).tolist() == [[98, 98, 130, 140]]
    assert taken(image, print_[:0], boxes, finder).shape == (0, 4)


def test_a_bar_hides_the_foot_of_a_tile_and_nothing_else() -> None:
    from vision.crops import MARGIN, SIDE, stored_side
    from vision.training.augment import _behind_a_bar, augment

    rng = np.random.default_rng(5)
    whole = stored_side(SIDE)
    crop = rng.integers(0, 256, (whole, whole, 3), dtype=np.uint8)
    tall = SIDE / MARGIN
    for hidden in (0.1 * tall, 0.33 * tall):
        view = _behind_a_bar(crop, hidden, tall, rng)
        highest = round((whole + tall) / 2 - hidden - np.tan(0.25) * whole / 2) - 2
        assert np.array_equal(view[:highest], crop[:highest])
        lowest = round((whole + tall) / 2 - hidden + np.tan(0.25) * whole / 2) + 2
        assert (view[lowest:] != crop[lowest:]).mean() > 0.9
    assert augment(crop, SIDE, rng).shape == (SIDE, SIDE, 3)


def test_a_tile_that_lies_diagonally_is_smaller_in_its_crop(monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.crops import MARGIN, SIDE, stored_side
    from vision.training import augment

    monkeypatch.setattr(augment, "DIAGONAL", 1.0)
    whole = stored_side(SIDE)
    crop = np.zeros((whole, whole, 3), np.uint8)
    tall, wide = SIDE / MARGIN, augment.SLIM * SIDE / MARGIN
    top, left = round((whole - tall) / 2), round((whole - wide) / 2)
    crop[top : round((whole + tall) / 2), left : round((whole + wide) / 2)] = 255
    sizes: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(400):
        view = augment._move(crop, SIDE, np.random.default_rng(seed))
        tile = np.argwhere(view[..., 0] > 128).astype(np.float32)
        _, sides, angle = cv2.minAreaRect(tile)
        sizes[abs(angle % 90 - 45) < 15].append(float(np.sqrt(sides[0] * sides[1])))
    assert min(map(len, sizes.values())) > 50
    assert 0.8 < np.mean(sizes[True]) / np.mean(sizes[False]) < 0.95


def test_other_cameras_change_the_light_and_leave_the_boxes(data: Path) -> None:
    from types import SimpleNamespace

    from vision.dataset import find_images
    from vision.images import load_image
    from vision.training.detector import Turned, Worn, _change

    image = load_image(find_images(data / "train")[0])
    boxes = np.array([[1.0, 2, 3, 4]])
    kept = Worn(0.0)({"img": image, "boxes": boxes})
    assert kept["img"] is image
    changed = Worn(1.0)({"img": image, "boxes": boxes})
    assert changed["boxes"] is boxes
    assert changed["img"].shape == image.shape
    assert (changed["img"] != image).any()
    steps: list[Any] = ["mosaic", "format"]
    dataset = SimpleNamespace(transforms=SimpleNamespace(transforms=steps))
    trainer = SimpleNamespace(train_loader=SimpleNamespace(dataset=dataset))
    changes = Turned(0.5), Worn(0.5)
    for _ in range(2):  # every epoch asks anew, for ultralytics makes the steps anew when it ends the mosaics
        _change(trainer, changes)
    assert [type(step).__name__ for step in steps] == ["str", "Turned", "Worn", "str"]


@pytest.mark.parametrize("normalised", [False, True])
def test_a_picture_is_turned_by_quarters_with_its_boxes(normalised: bool) -> None:
    from ultralytics.utils.instance import Instances

    from vision.training.detector import Turned

    def labels() -> dict[str, Any]:
        image = np.zeros((60, 90, 3), np.uint8)
        image[10:20, 30:70] = 255
        image[40:58, 5:12] = 255
        boxes = np.array([(30, 10, 70, 20), (5, 40, 12, 58)], np.float32)
        scale = np.array([90, 60, 90, 60], np.float32) if normalised else 1
        tiles = Instances(boxes / scale, np.zeros((2, 0, 2), np.float32), bbox_format="xyxy", normalized=normalised)
        tiles.convert_bbox("xywh")
        return {"img": image, "instances": tiles}

    untouched = labels()
    assert Turned(0.0)(untouched)["img"].shape == (60, 90, 3)
    shapes = set()
    for _ in range(24):
        turned = Turned(1.0)(labels())
        shapes.add(turned["img"].shape[:2])
        turned["instances"].convert_bbox("xyxy")
        boxes = turned["instances"].bboxes.round().astype(int)
        for left, top, right, bottom in boxes:
            assert (turned["img"][top:bottom, left:right] == 255).all()
        assert (
            sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) * 3
            == (turned["img"] == 255).sum()
        )
    assert shapes == {(60, 90), (90, 60)}


def test_the_published_detector_becomes_trainable(data: Path, tmp_path: Path) -> None:
    from vision.dataset import read_folder
    from vision.training import ancestor

    if find_spec("mahjong_detector") is None:
        with pytest.raises(ValueError, match="pip install mahjong-detector"):
            ancestor.trainable(tmp_path / "start.pt", [], ("tile", "back"))
        return
    import onnxruntime
    import torch

    yolo: Any = import_module("ultralytics").YOLO
    published = import_module("importlib.resources").files("mahjong_detector").joinpath("model.onnx").read_bytes()
    photos = [photo.load()[0] for photo in read_folder(data / "train")]
    weights = ancestor.trainable(tmp_path / "start.pt", photos, ("tile", "back"))
    blob = np.random.default_rng(4).random((1, 3, 640, 640), np.float32)
    session = onnxruntime.InferenceSession(published)
    (theirs,) = session.run(None, {session.get_inputs()[0].name: blob})
    with torch.inference_mode():
        ours = yolo(str(weights)).model.float().eval()(torch.from_numpy(blob))[0].numpy()
    assert ours.shape == (1, 6, 8400)
    assert np.abs(theirs[0, :4] - ours[0, :4]).mean() < 0.01 * np.abs(theirs[0, :4]).mean()


def test_drawn_faces_show_every_kind_and_some_that_are_none() -> None:
    from vision.classifier import OTHER
    from vision.training.drawn import faces

    images, kinds = faces(46, 1.65, 1)
    assert images.shape == (len(kinds), 46, 46, 3)
    assert set(kinds.tolist()) == {*range(42), OTHER}
    assert (kinds == 41).sum() > (kinds == 8).sum()


def test_weights_are_told_apart(data: Path, tmp_path: Path) -> None:
    from vision.training import classifier

    settings = classifier.Settings(epochs=1, batch=16, drawn=0)
    last = classifier.train(data, tmp_path / "c", settings, say=lambda _: None, stop_after=1)
    assert classifier.is_classifier(last)


def test_weights_kept_in_part_lie_between_those_before_and_after(data: Path, tmp_path: Path) -> None:
    import torch

    from vision.training import classifier

    settings = classifier.Settings(epochs=1, batch=64, drawn=0, side=48, width=8, captioned=0)
    with pytest.raises(ValueError, match="no weights to start from"):
        classifier.train(data, tmp_path / "nothing", settings, kept=0.3, say=lambda _: None)
    before = classifier.train(data, tmp_path / "before", settings, say=lambda _: None)
    after = classifier.train(data, tmp_path / "after", settings, start=before, say=lambda _: None).read_bytes()
    # A run that is finished is not trained again: only what comes after it is made anew.
    (tmp_path / "after.pt").write_bytes(after)
    mixed = classifier.train(data, tmp_path / "after", settings, start=before, kept=0.25, say=lambda _: None)
    one, two, both = (torch.load(path, weights_only=True)["average"] for path in (before, tmp_path / "after.pt", mixed))
    for name, value in both.items():
        if value.dtype.is_floating_point:
            assert torch.allclose(value, 0.25 * one[name] + 0.75 * two[name], atol=1e-6), name
    assert classifier.report(tmp_path / "after", data, 0.5, before, 0.25)["kept"] == 0.25
    assert "kept" not in classifier.report(tmp_path / "after", data, 0.5, before)
    with pytest.raises(ValueError, match="another network"):  # and at once, not after the training
        classifier.train(
            data, tmp_path / "wide", replace(settings, width=16), start=before, kept=0.3, say=lambda _: None
        )
    assert not (tmp_path / "wide" / "last.pt").exists()
    with pytest.raises(ValueError, match="another network"):
        classifier.blend({**one, "0.0.weight": one["0.0.weight"][:4]}, two, 0.5)


def test_a_stack_of_crops_keeps_their_order_over_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joined from parts, two trainings side by side wanted more memory than a machine of 24 GB has."""
    from vision.training.classifier import Stack

    monkeypatch.setattr(Stack, "BLOCK", 4)
    rng = np.random.default_rng(1)
    parts = [rng.integers(0, 256, (count, 5, 5, 3), dtype=np.uint8) for count in (2, 0, 9, 1, 4)]
    stack = Stack(5)
    for part in parts:
        stack.extend(part)
    assert len(stack) == 16
    assert np.array_equal(np.stack([stack[index] for index in range(16)]), np.concatenate(parts))
