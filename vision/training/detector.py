"""Training of the detector by ultralytics: photos with their unlabelled tiles hidden, and drawn tables."""

from __future__ import annotations

import copy
import json
import os
import random
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.classifier import BACK
from vision.dataset import Photo, find_images, label_line, label_path, read_folder, save_image
from vision.detections import areas, turned_boxes
from vision.detector import Detector
from vision.evaluation import match
from vision.images import content, load_image
from vision.synthesis.dataset import random_optics
from vision.synthesis.optics import expose
from vision.training import ancestor
from vision.training.captions import paint
from vision.training.drawn import ensure
from vision.training.runlog import begun_with, drawn_with, revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

WAKING = -4.5
"""Least starting bias of the class "back": a probability of 1 in 90."""

NAMES = ("tile", "back")
"""The detector's classes: a face-up tile, a tile lying face down."""


@dataclass(frozen=True)
class Settings:
    """What a run is made of."""

    epochs: int = 8
    size: int = 640
    batch: int = 8
    rate: float = 1.5e-3
    frozen: int = 0
    """First layers of the network that are left as they are."""
    mosaic: float = 0.35
    """Part of the pictures that are put together from four."""
    seed: int = 1
    drawn: int = 400
    drawn_seed: int = 5
    captioned: float = 0.2
    """Part of the pictures into which text is painted that is no tile."""
    worn: float = 0.5
    """Part of the pictures, anew in every epoch, that get the light and the faults of another camera."""
    degrees: float = 2.0
    """Most that a picture is turned by. Little: ultralytics puts the upright box round each turned box, not round the turned tile."""
    quarter_turns: float = 0.35
    """Part of the pictures, anew in every epoch, turned by one, two or three quarters: over a table there is no "above"."""
    without: str = ""
    """Sources (file-name prefixes) whose photos are held out."""
    left_out: tuple[str, ...] = ()
    """Ingredients of the drawn tables that are left out, to measure what they bring."""
    extra: tuple[str, ...] = ()
    """Further folders of photos in YOLO form with every tile labelled, kept corrections for instance."""


def prepare(data: Path, out: Path, settings: Settings, say: Callable[[str], None] = print) -> Path:
    """Write the training set: ``out/set`` in YOLO form with two classes. Returns its ``data.yaml``.

    Photos of source ``l`` label the hand and leave many face-up discards unlabelled, which would teach the opposite
    of what is wanted: every third photo (their publisher put each in three times, slightly changed) was looked through,
    and its discards are labelled or blurred past recognition (``datasets/discards.txt``); the others are left out.
    So are pictures with loose boxes (source ``a``, turned by the publisher).
    """
    folder = out / "set"
    done = folder / "data.yaml"
    if done.exists():
        return done
    images, labels = folder / "images", folder / "labels"
    for place in (images, labels):
        place.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(settings.seed)
    counts: dict[str, int] = {}
    for photo in read_folder(data / "train"):
        if photo.source in settings.without or (photo.source == "l" and number(photo) % 3):
            continue
        if photo.source == "a" and (photo.loose or _overlapping(photo.boxes) > 0.12):
            continue
        image, boxes, kinds = _shown(photo)
        if rng.random() < settings.captioned:
            image, _ = paint(image, boxes, rng, int(rng.integers(1, 4)))
        _write(images / f"{photo.path.stem}.jpg", image, boxes, kinds)
        counts[photo.source] = counts.get(photo.source, 0) + 1
    for index, name in enumerate(settings.extra):
        for photo in read_folder(Path(name)):
            _write(images / f"x{index}_{photo.path.stem}.jpg", *_shown(photo))
            counts["extra"] = counts.get("extra", 0) + 1
    drawn: list[Photo] = []
    if settings.drawn:
        tables = ensure(out / "drawn", settings.drawn, settings.drawn_seed, say, settings.left_out)
        drawn = read_folder(tables, repair=False)[: settings.drawn]
    for photo in drawn:
        image, boxes = photo.load()
        if rng.random() < settings.captioned:
            image, _ = paint(image, boxes, rng, int(rng.integers(1, 4)))
        # Face-down tiles are on few pictures: those with several are put in twice.
        for prefix in ("", "b_") if (photo.kinds == BACK).sum() >= 3 else ("",):
            _write(images / f"{prefix}{photo.path.name}", image, boxes, photo.kinds)
    counts["drawn"] = settings.drawn
    say(f"training set: {counts}")
    val = data / "val_web" if (data / "val_web").is_dir() else data / "train"
    check = folder / "check"
    (check / "images").mkdir(parents=True, exist_ok=True)
    (check / "labels").mkdir(parents=True, exist_ok=True)
    for path in find_images(val)[:24]:  # ultralytics wants something to validate on; we choose by our own measure
        rows = [line.split() for line in label_path(path).read_text(encoding="utf-8").splitlines()]
        save_image(check / "images" / f"{path.stem}.jpg", load_image(path))
        (check / "labels" / f"{path.stem}.txt").write_text("".join("0 " + " ".join(r[1:5]) + "\n" for r in rows if r))
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(NAMES))
    done.write_text(f"path: {folder.resolve()}\ntrain: images\nval: check/images\nnames:\n{names}", encoding="utf-8")
    return done


def number(photo: Photo) -> int:
    """The number in a photo's file name; 0 where there is none."""
    digits = "".join(filter(str.isdigit, photo.path.stem))
    return int(digits) if digits else 0


def _write(path: Path, image: NDArray[np.uint8], boxes: NDArray[np.float32], kinds: NDArray[np.int64]) -> None:
    height, width = image.shape[:2]
    save_image(path, image)
    lines = []
    for (left, top, right, bottom), kind in zip(boxes, kinds, strict=True):
        x0, x1 = np.clip((left, right), 0, width) / width
        y0, y1 = np.clip((top, bottom), 0, height) / height
        if (x1 - x0) * width > 3 and (y1 - y0) * height > 3:
            lines.append(label_line(int(kind == BACK), (x0, y0, x1, y1)))
    label = path.parent.parent / "labels" / f"{path.stem}.txt"
    label.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def _overlapping(boxes: NDArray[np.float32]) -> float:
    """Mean of each box's largest intersection over union with another one: high for loose boxes."""
    from vision.detections import iou  # noqa: PLC0415 - keeps the module's imports to what every call needs

    if len(boxes) < 2:
        return 0.0
    overlap = iou(boxes, boxes)
    np.fill_diagonal(overlap, 0)
    return float(overlap.max(1).mean())


def _shown(photo: Photo) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]:
    """The picture without what nobody labelled, and all its tiles: the labelled ones and those that repairs add."""
    image, boxes = photo.load()
    width = image.shape[1]
    more = [photo.turned(extra, width) for extra in (photo.unnamed, photo.strange)]
    boxes = np.concatenate([boxes, *more])
    kinds = np.concatenate([photo.kinds, np.zeros(sum(map(len, more)), np.int64)])
    hidden = photo.turned(photo.hidden, width)
    if len(hidden):
        # Blurred past recognition, but for the tiles that are labelled.
        blurred = image.copy()
        for left, top, right, bottom in hidden:
            x0, y0, x1, y1 = max(0, int(left)), max(0, int(top)), int(right) + 1, int(bottom) + 1
            part = blurred[y0:y1, x0:x1]
            if part.size:
                few = cv2.resize(part, (2, 2), interpolation=cv2.INTER_AREA)
                part[:] = cv2.resize(few, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        for x0, y0, x1, y1 in boxes.clip(0).astype(int):
            blurred[y0 : y1 + 1, x0 : x1 + 1] = image[y0 : y1 + 1, x0 : x1 + 1]
        image = blurred
    # The reader cuts black bars off as well; without them a step is cheaper and tiles are as large as they get.
    left, top, right, bottom = content(image)
    return np.ascontiguousarray(image[top:bottom, left:right]), boxes - np.array([left, top] * 2, np.float32), kinds


def train(
    data: Path, out: Path, settings: Settings, start: Path | str, say: Callable[[str], None] = print, kept: float = 0.0
) -> Path:
    """Train, or go on where an earlier call stopped; one checkpoint per epoch in ``out/run``.

    Args:
        data: folder with ``train`` (and test folders) in YOLO format with the 42 kinds.
        out: folder of this run.
        settings: the run.
        start: weights to start from (``.pt`` of ultralytics, one or two classes).
        say: told each line of progress.
        kept: part of the starting weights in the finished ones, see ``classifier.blend``.

    Returns:
        The last epoch's weights, or what they and the starting ones make together.

    Raises:
        ValueError: weights to start from are to be kept in part, and there are none of this detector.
    """
    if kept:
        _refuse_to_keep(start)
    out = out.resolve()  # ultralytics puts a relative folder below one of its own
    os.environ.setdefault("OMP_NUM_THREADS", str(os.cpu_count() or 1))  # ultralytics would set 1
    torch: Any = import_module("torch")
    description = prepare(data, out, settings, say)
    if start == ancestor.START:
        start = out / "start.pt"
        if not start.exists():
            ancestor.trainable(start, (photo.load()[0] for photo in read_folder(data / "train")[::60]), NAMES)
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    (out / "settings.json").write_text(json.dumps({**asdict(settings), "revision": revision()}), encoding="utf-8")
    card = torch.cuda.is_available()
    common = {
        "data": str(description), "batch": settings.batch, "nbs": settings.batch, "seed": settings.seed,
        "project": str(out), "exist_ok": True, "save_period": 1, "workers": 0 if (os.cpu_count() or 1) < 4 else 4,
        "optimizer": "AdamW", "lrf": 0.05, "cos_lr": True, "warmup_epochs": 0, "weight_decay": 0.0005,
        "plots": False, "val": False, "cache": False, "fliplr": 0.5, "flipud": 0.0,
        "degrees": settings.degrees, "translate": 0.1, "scale": 0.45, "shear": 2.0, "perspective": 0.0003,
        "hsv_h": 0.03, "hsv_s": 0.5, "hsv_v": 0.5, "device": 0 if card else "cpu", "amp": card,
    }  # fmt: skip
    # Shuffled, and a third of them four to a picture, so that face-down tiles come in every batch (`rect`, which pads
    # less, takes the pictures in the order of their shape: few show backs, and those were forgotten by the end).
    last = _stage(
        out / "run", start, say, (Turned(settings.quarter_turns), Worn(settings.worn)), epochs=settings.epochs, imgsz=settings.size, lr0=settings.rate,
        freeze=settings.frozen, mosaic=settings.mosaic, close_mosaic=max(1, settings.epochs // 4), cls=1.0, **common,
    )  # fmt: skip
    return blended(Path(start), last, kept) if kept else last


def _refuse_to_keep(start: Path | str) -> None:
    """Weights that cannot be kept are refused before hours of training."""
    ultralytics: Any = import_module("ultralytics")
    if not (Path(start).suffix == ".pt" and Path(start).is_file()):
        raise ValueError("there are no weights to start from that could be kept in part")
    if len(ultralytics.YOLO(str(start)).names) != len(NAMES):
        raise ValueError("the weights to start from are those of another network and cannot be kept in part")


def blended(before: Path, after: Path, part: float) -> Path:
    """Write weights between those before further training and those after it, see ``classifier.blend``.

    Args:
        before: ``.pt`` of ultralytics that training began with.
        after: ``.pt`` at its end.
        part: of ``before`` in the result, 0 to 1.

    Returns:
        ``blended.pt`` beside ``after``.
    """
    from vision.training.classifier import blend  # noqa: PLC0415 - needs torch

    ultralytics: Any = import_module("ultralytics")
    old, new = (ultralytics.YOLO(str(path)) for path in (before, after))
    net = new.model.float()
    net.load_state_dict(blend(old.model.float().state_dict(), net.state_dict(), part))
    target = after.with_name("blended.pt")
    new.save(str(target))
    return target


def _stage(
    folder: Path, start: Path | str, say: Callable[[str], None], changes: tuple[Turned | Worn, ...], **arguments: Any
) -> Path:
    """One training of ultralytics in ``folder``, begun, gone on with, or found finished."""
    ultralytics: Any = import_module("ultralytics")
    torch: Any = import_module("torch")
    last = folder / "weights" / "last.pt"
    if last.exists():
        if torch.load(last, map_location="cpu", weights_only=False).get("epoch", -1) < 0:
            return last
        say(f"going on with {last}")
        model = ultralytics.YOLO(str(last))
        _hook(model, changes)
        model.train(resume=True)
        return last
    model = ultralytics.YOLO(str(start))
    _hook(model, changes)
    model.add_callback("on_pretrain_routine_end", _wake_backs)
    model.train(name=folder.name, **arguments)
    return last


def _hook(model: Any, changes: tuple[Turned | Worn, ...]) -> None:
    """What a run needs beside ultralytics' own arguments, begun or gone on with."""
    model.add_callback("on_pretrain_routine_end", _hasten)
    model.add_callback("on_train_epoch_start", partial(_change, changes=changes))


def _hasten(trainer: Any) -> None:
    """Run the network in bfloat16 on processors that reckon in it: 1.8 times as fast. Weights and losses stay float32."""
    torch: Any = import_module("torch")
    if not import_module("vision.training.processor").hastens(trainer.device):
        return
    net = trainer.model.to(memory_format=torch.channels_last)
    plain = net._predict_once  # noqa: SLF001 - ultralytics refuses `amp` on a processor

    def widen(answer: Any) -> Any:
        if isinstance(answer, dict):
            return {key: widen(value) for key, value in answer.items()}
        if isinstance(answer, (list, tuple)):
            return type(answer)(widen(value) for value in answer)
        return answer.float()

    def narrow(x: Any, *args: Any, **kwargs: Any) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return widen(plain(x.contiguous(memory_format=torch.channels_last), *args, **kwargs))

    net._predict_once = narrow  # noqa: SLF001 - the average, which is what is saved, keeps its own


class Turned:
    """One of ultralytics' changes to a training picture: quarter turns, with the boxes."""

    def __init__(self, part: float) -> None:
        self.part = part

    def __call__(self, labels: dict[str, Any]) -> dict[str, Any]:
        """Turn ``labels["img"]`` and the boxes of ``labels["instances"]`` or leave both."""
        rng = np.random.default_rng(random.getrandbits(64))
        if rng.random() >= self.part:
            return labels
        height, width = labels["img"].shape[:2]
        quarters = int(rng.integers(1, 4))
        tiles = labels["instances"]
        tiles.convert_bbox("xyxy")
        tiles.denormalize(width, height)
        labels["img"] = np.ascontiguousarray(np.rot90(labels["img"], quarters))
        tiles.update(turned_boxes(tiles.bboxes, (height, width), quarters))
        return labels


class Worn:
    """One of ultralytics' changes to a training picture: light, lens and sensor of other cameras."""

    def __init__(self, part: float) -> None:
        self.part = part

    def __call__(self, labels: dict[str, Any]) -> dict[str, Any]:
        """Change ``labels["img"]`` (BGR uint8); boxes stay."""
        rng = np.random.default_rng(random.getrandbits(64))
        if rng.random() < self.part:
            labels["img"] = worn(labels["img"], rng)
        return labels


def worn(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A picture as another camera in another room had taken it."""
    return expose(image.astype(np.float32), random_optics(rng), rng)


def _change(trainer: Any, changes: tuple[Turned | Worn, ...]) -> None:
    """Put our changes among ultralytics' own, before the picture becomes a tensor; it makes them anew when it ends the mosaics."""
    steps = trainer.train_loader.dataset.transforms.transforms
    if changes[0] not in steps:
        steps[-1:-1] = changes


def _wake_backs(trainer: Any) -> None:
    """Raise the second class's bias where weights with one class began: at 1 in 10,000 it takes epochs to wake up."""
    nets = [trainer.model, *([trainer.ema.ema] if trainer.ema is not None else [])]
    for net in nets:
        for branch in net.model[-1].cv3:
            branch[-1].bias.data[1].clamp_(min=WAKING)


def report(out: Path, data: Path, start: Path | str, tight: float | None = None, kept: float = 0.0) -> dict[str, Any]:
    """The run's log for ``models/``: settings, data, starting weights, tightness, ultralytics' own table of losses."""
    settings = json.loads((out / "settings.json").read_text(encoding="utf-8"))
    table = (out / "run" / "results.csv").read_text(encoding="utf-8").splitlines()
    return {
        "model": "detector", "data": data.name, "settings": settings, "tight": tight, "epochs": table,
        "drawn_with": drawn_with(), **({"kept": kept} if kept else {}), **begun_with(start, "detector"),
    }  # fmt: skip


def tightness(finder: Detector, photos: Iterable[Photo]) -> float | None:
    """Size of tiles as a part of the network's boxes: the median over labelled tiles.

    Args:
        finder: the detector; its ``tight`` does not matter.
        photos: labelled photos that it did not learn from.

    Returns:
        Square root of the labels' area by that of the finds, rounded to hundredths; ``None`` where no tile was found.
    """
    parts: list[float] = []
    as_said = copy.copy(finder)
    as_said.tight = 1.0
    for photo in photos:
        image, boxes = photo.load()
        found = as_said.find(image)[0]
        true, said = areas(boxes), areas(found)
        parts += [float(true[i] / said[j]) for i, j in match(boxes, found)]
    return round(float(np.sqrt(np.median(parts))), 2) if parts else None


def note(target: Path, tight: float) -> None:
    """Write into an exported detector how tight its boxes have to be made, see ``vision.detector.TIGHT``."""
    onnx: Any = import_module("onnx")
    model = onnx.load(str(target))
    kept = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, {**kept, "tight": str(tight)})
    onnx.save(model, str(target))


def export(weights: Path, target: Path, photos: Path | None = None) -> float | None:
    """Write detector weights as ONNX with an input of any size (multiples of 32), as ``vision.detector`` reads them.

    Args:
        weights: ``.pt`` of ultralytics.
        target: the file to write.
        photos: folder of labelled photos that were not trained on: they say how tight the boxes have to be made.

    Returns:
        What they say, see ``tightness``.
    """
    ultralytics: Any = import_module("ultralytics")
    made = Path(
        ultralytics.YOLO(str(weights)).export(format="onnx", dynamic=True, simplify=True, nms=False, device="cpu")
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(made.read_bytes())
    if made.resolve() != target.resolve():
        made.unlink()
    tight = tightness(Detector(target), read_folder(photos)) if photos is not None and photos.is_dir() else None
    if tight is not None:
        note(target, tight)
    return tight
