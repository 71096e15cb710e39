"""Training of the crop classifier: resumable, on a processor or a graphics card."""

from __future__ import annotations

import copy
import json
import pickle
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own convention
from torch import nn

from vision import MODELS
from vision.classifier import BACK, KINDS, OTHER, OUTPUTS
from vision.crops import MARGIN, SIDE, cut, standardise, store, stored_side
from vision.dataset import beside, read_folder
from vision.detections import areas, intersection
from vision.detector import Detector
from vision.training.augment import augment
from vision.training.captions import paint
from vision.training.drawn import dice, ensure, faces, lying_about
from vision.training.network import WIDTH, WithFeatures, network
from vision.training.processor import hastens
from vision.training.runlog import begun_with, drawn_with, revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

FORMER_SIDE = 64
"""Pixels per side of the input of weights that do not say: those of before 2026-11-30."""

FALSE_FIND = 0.1
"""The finder's confidence from which something that is no tile is worth learning as such."""


@dataclass(frozen=True)
class Settings:
    """What a run is made of; kept in its checkpoint, so that an interrupted run goes on with the same."""

    epochs: int = 14
    batch: int = 128
    rate: float = 3e-3
    smoothing: float = 0.05
    decay: float = 0.03
    averaging: float = 0.997
    seed: int = 1
    balance: float = 0.65
    """How strongly rare kinds are shown more often: 0 not at all, 1 all kinds alike."""
    others: int = 3
    """Crops without a tile, per photo."""
    captioned: float = 0.6
    """Part of the photos that also lend a line of painted text whose characters are no tiles."""
    drawn: int = 800
    """Drawn tables to mix in."""
    without: str = ""
    """Source (a file-name prefix) whose photos are held out: then also measured as ``held_out``."""
    side: int = SIDE
    """Pixels per side of the network's input."""
    width: int = WIDTH
    """Channels after the network's first layer."""
    left_out: tuple[str, ...] = ()
    """Ingredients of the drawn tables that are left out, to measure what they bring."""
    extra: tuple[str, ...] = ()
    """Further folders of photos in YOLO form with every tile labelled, kept corrections for instance."""


class Stack:
    """Pictures of one size, added to in blocks: gigabytes, which must not lie in memory twice, not even to be joined."""

    BLOCK = 4096

    def __init__(self, side: int) -> None:
        self._side = side
        self._blocks: list[NDArray[np.uint8]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> NDArray[np.uint8]:
        """Picture number ``index``, (S, S, 3)."""
        picture: NDArray[np.uint8] = self._blocks[index // self.BLOCK][index % self.BLOCK]
        return picture

    def extend(self, pictures: NDArray[np.uint8]) -> None:
        """Add (N, S, S, 3)."""
        while len(pictures):
            place = self._count % self.BLOCK
            if place == 0:
                self._blocks.append(np.empty((self.BLOCK, self._side, self._side, 3), np.uint8))
            part = pictures[: self.BLOCK - place]
            self._blocks[-1][place : place + len(part)] = part
            self._count += len(part)
            pictures = pictures[len(part) :]


@dataclass(frozen=True)
class Crops:
    """Stored crops (S, S, 3), see ``crops.store``, their classes (N,) and how often to show them (N,), summing to 1."""

    images: Stack
    classes: NDArray[np.int64]
    weight: NDArray[np.float64]


def gather(folder: Path, settings: Settings, drawn: Path | None) -> Crops:
    """Cut all labelled tiles (and some backgrounds) out of the photos of ``folder`` and out of drawn tables."""
    rng = np.random.default_rng(settings.seed)
    images = Stack(stored_side(settings.side))
    classes: list[NDArray[np.int64]] = []
    share: list[NDArray[np.float64]] = []

    def add(crops: NDArray[np.uint8], kinds: NDArray[np.int64], weight: float | NDArray[np.float64]) -> None:
        images.extend(crops)
        classes.append(kinds)
        share.append(np.broadcast_to(np.float64(weight), len(kinds)))

    def add_nothing(image: NDArray[np.uint8], boxes: NDArray[np.float32], weight: float) -> None:
        add(store(image, boxes, settings.side), np.full(len(boxes), OTHER), weight)

    def near(boxes: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        return np.array(list(beside(boxes, rng, count)), np.float32).reshape(-1, 4)

    finder = Detector(MODELS / "detector.onnx", confidence=FALSE_FIND)
    photos = [photo for photo in read_folder(folder) if photo.source not in settings.without]
    extra = [photo for place in settings.extra for photo in read_folder(Path(place))]
    for number, photo in enumerate(photos + extra):
        image, boxes = photo.load()
        add(store(image, boxes, settings.side), photo.kinds, 1.4 if photo.source == "k" else 1.0)
        width = image.shape[1]
        wrong = [photo.turned(photo.nothing, width), photo.turned(photo.strange, width)]
        # What repairs say of unlabelled tiles: no label, but no "no tile" either.
        tiles = np.concatenate([boxes, photo.turned([*photo.unnamed, *photo.hidden], width)])
        if photo.source == "k" or number >= len(photos):  # every other tile is labelled
            wrong.append(_false_finds(image, tiles, finder))
        add_nothing(image, np.concatenate(wrong), 3.0)
        if photo.source != "a":
            add_nothing(image, near(boxes, settings.others), 0.7)
        if photo.source != "a" and rng.random() < settings.captioned:
            captioned, letters = paint(image, boxes, rng, int(rng.integers(1, 4)))
            add_nothing(captioned, _some(letters, rng, 8), 0.7)
            # Print as the finder would cut it out, with more of the bar around it than the letter.
            add_nothing(captioned, _taken_for_tiles(captioned, letters, tiles, finder), 1.0)
    for photo in read_folder(drawn, repair=False) if drawn is not None else []:
        image, boxes = photo.load()
        add(store(image, boxes, settings.side), photo.kinds, np.where(photo.kinds == BACK, 0.25, 0.5))
        add_nothing(image, near(boxes, 2), 0.3)
        add_nothing(image, _some(_false_finds(image, boxes, finder), rng, 6), 0.7)
    if drawn is not None:
        whole = stored_side(settings.side)
        margin = MARGIN * whole / settings.side
        add(*faces(whole, margin, settings.seed), 0.4)
        add(dice(500, whole, margin, settings.seed), np.full(500, OTHER), 0.7)
        add(lying_about(2000, whole, margin, settings.seed), np.full(2000, OTHER), 0.7)
    found = np.concatenate(classes)
    weight = np.concatenate(share)
    counts = np.bincount(found, weights=weight, minlength=OUTPUTS)
    weight = (
        weight / np.maximum(counts[found], 30) ** settings.balance
    )  # flowers are rare in photos, and one of each in a set
    return Crops(images, found, weight / weight.sum())


def _false_finds(image: NDArray[np.uint8], boxes: NDArray[np.float32], finder: Detector) -> NDArray[np.float32]:
    """What the finder takes for tiles where none is labelled: dice, keys of a keyboard, tiles cut off by the picture's edge."""
    found = finder.find(image)[0]
    if not len(boxes) or not len(found):
        return found
    covered = (intersection(found, boxes) / areas(found)[:, None]).max(1)
    return np.asarray(found[covered < 0.3], np.float32)


def _taken_for_tiles(
    image: NDArray[np.uint8], painted: NDArray[np.float32], boxes: NDArray[np.float32], finder: Detector
) -> NDArray[np.float32]:
    """What of the painted print and dice the finder takes for tiles."""
    finds = _false_finds(image, boxes, finder) if len(painted) else np.empty((0, 4), np.float32)
    if not len(finds):
        return finds
    covered = intersection(finds, painted).sum(1) / areas(finds)
    return np.asarray(finds[covered > 0.3], np.float32)


def _some(boxes: NDArray[np.float32], rng: np.random.Generator, most: int) -> NDArray[np.float32]:
    """At most so many of the boxes, by chance."""
    return boxes if len(boxes) <= most else boxes[rng.permutation(len(boxes))[:most]]


class Average:
    """Exponential moving average of a network's weights: what is evaluated and exported."""

    def __init__(self, net: nn.Module, keep: float) -> None:
        self.net = copy.deepcopy(net).eval()
        self.keep = keep
        self.steps = 0

    def update(self, net: nn.Module) -> None:
        """Move towards the weights of ``net``."""
        self.steps += 1
        keep = min(self.keep, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mine, theirs in zip(self.net.state_dict().values(), net.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.mul_(keep).add_(theirs, alpha=1 - keep)
                else:
                    mine.copy_(theirs)


def _weights(file: dict[str, Any]) -> dict[str, Any]:
    """The weights in what a ``.pt`` or a run's checkpoint holds."""
    weights: dict[str, Any] = file.get("average", file)
    return weights


def start_from(net: nn.Module, state: dict[str, Any]) -> None:
    """Begin with weights of 42 or 44 outputs; missing outputs keep their random weights."""
    own = net.state_dict()
    for name, value in state.items():
        if own[name].shape == value.shape:
            own[name] = value
        else:
            own[name][: len(value)] = value
    net.load_state_dict(own)


def logits(net: nn.Module, crops: NDArray[np.uint8], device: torch.device) -> NDArray[np.float32]:
    """(N, OUTPUTS) logits of (N, side, side, 3) crops."""
    net.eval()
    with torch.no_grad():
        parts = [
            net(torch.from_numpy(standardise(crops[i : i + 256])).to(device)).cpu() for i in range(0, len(crops), 256)
        ]
    return np.asarray(torch.cat(parts).numpy() if parts else np.empty((0, OUTPUTS)), np.float32)


def labelled_crops(folder: Path, side: int, sources: str = "") -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All labelled face-up tiles of a folder (of some sources), repaired: crops (N, side, side, 3), and kinds (N,)."""
    images, kinds = [], []
    for photo in read_folder(folder):
        if sources and photo.source not in sources:
            continue
        image, boxes = photo.load()
        images.append(cut(image, boxes, side))
        kinds.append(photo.kinds)
    return np.concatenate(images), np.concatenate(kinds)


def accuracy(net: nn.Module, crops: NDArray[np.uint8], kinds: NDArray[np.int64], device: torch.device) -> float:
    """Share of crops named right, among the 42 kinds, from one look."""
    return float((logits(net, crops, device)[:, :KINDS].argmax(1) == kinds).mean())


def train(
    data: Path,
    out: Path,
    settings: Settings,
    *,
    start: Path | None = None,
    kept: float = 0.0,
    tests: tuple[str, ...] = ("val", "val_web"),
    say: Callable[[str], None] = print,
    stop_after: int | None = None,
) -> Path:
    """Train on ``data/train``; go on where ``out/last.pt`` stopped.

    Args:
        data: folder with ``train`` and the test folders, in YOLO format.
        out: folder of this run: checkpoint, log, and at the end ``classifier.pt``.
        settings: the run; a checkpoint's own settings win.
        start: weights to start from.
        kept: part of these in the finished weights, see ``blend``.
        tests: subfolders of ``data`` measured after each epoch where they exist.
        say: told each line of progress.
        stop_after: stop after that many optimiser steps of this call (tests of resuming).

    Returns:
        The finished weights, or the checkpoint when stopped early.

    Raises:
        ValueError: weights to start from are to be kept in part, and there are none, or those of another network.
    """
    if kept and start is None:
        raise ValueError("there are no weights to start from that could be kept in part")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    hasty = hastens(device)
    out.mkdir(parents=True, exist_ok=True)
    last = out / "last.pt"
    checkpoint = torch.load(last, map_location="cpu", weights_only=True) if last.exists() else None
    before = None
    if start is not None and (checkpoint is None or kept):  # a run that goes on has no more need of them
        before = _weights(torch.load(start, map_location="cpu", weights_only=True))
    if checkpoint is not None:
        settings = Settings(**{"side": FORMER_SIDE, **checkpoint["settings"]})
        if checkpoint["epoch"] >= settings.epochs:  # finished: only what comes after the training is wanted again
            return _keep(checkpoint["average"], settings, out, before, kept)
    cv2.setNumThreads(1)
    torch.manual_seed(settings.seed)
    net = network(width=settings.width)
    if before is not None and kept:
        blend(before, net.state_dict(), kept)  # weights that cannot be kept are refused before hours of training
    drawn = ensure(out / "drawn", settings.drawn, settings.seed, say, settings.left_out) if settings.drawn else None
    crops = gather(data / "train", settings, drawn)
    batches = max(1, len(crops.classes) // settings.batch)
    if before is not None and checkpoint is None:
        start_from(net, before)
    net = net.to(device).to(memory_format=torch.channels_last)
    average = Average(net, settings.averaging)
    optimiser = torch.optim.AdamW(net.parameters(), settings.rate / 10, weight_decay=settings.decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, settings.rate, settings.epochs * batches, pct_start=0.15, div_factor=10, final_div_factor=100
    )
    epoch, step = 0, 0
    if checkpoint is not None:
        net.load_state_dict(checkpoint["net"])
        average.net.load_state_dict(checkpoint["average"])
        average.steps = checkpoint["average_steps"]
        optimiser.load_state_dict(checkpoint["optimiser"])
        plan.load_state_dict(checkpoint["plan"])
        epoch, step = checkpoint["epoch"], checkpoint["step"]
        say(f"going on at epoch {epoch}, step {step}")
    figures = {name: labelled_crops(data / name, settings.side) for name in tests if (data / name).is_dir()}
    if settings.without:
        figures["held_out"] = labelled_crops(data / "train", settings.side, sources=settings.without)
    figures = {name: test for name, test in figures.items() if len(test[1])}  # a folder may show backs only
    say(f"{len(crops.classes)} crops, {batches} steps an epoch, {settings.epochs} epochs, {asdict(settings)}")

    def save() -> None:
        state = {
            "net": net.state_dict(), "average": average.net.state_dict(), "average_steps": average.steps,
            "optimiser": optimiser.state_dict(), "plan": plan.state_dict(), "epoch": epoch, "step": step,
            "settings": asdict(settings),
        }  # fmt: skip
        torch.save(state, out / "last.tmp")
        (out / "last.tmp").replace(last)

    done = 0
    while epoch < settings.epochs:
        began, saved, total = time.monotonic(), time.monotonic(), 0.0
        first = step
        order = np.random.default_rng((settings.seed, epoch)).choice(
            len(crops.classes), batches * settings.batch, p=crops.weight
        )
        net.train()
        while step < batches:
            rng = np.random.default_rng((settings.seed, epoch, step))
            torch.manual_seed(int(rng.integers(2**31)))  # dropout: a run that was interrupted gives the same weights
            chosen = order[step * settings.batch : (step + 1) * settings.batch]
            views = np.stack([augment(crops.images[i], settings.side, rng) for i in chosen])
            x = torch.from_numpy(standardise(views)).to(device=device, memory_format=torch.channels_last)
            y = torch.from_numpy(crops.classes[chosen]).to(device)
            with torch.autocast(device.type, torch.bfloat16, enabled=hasty):
                answer = net(x)
            loss = F.cross_entropy(answer.float(), y, label_smoothing=settings.smoothing)
            optimiser.zero_grad()
            backward: Any = loss.backward  # torch leaves it untyped
            backward()
            optimiser.step()
            plan.step()
            average.update(net)
            total += float(loss.detach())
            step += 1
            done += 1
            if time.monotonic() - saved > 60:
                save()
                saved = time.monotonic()
            if stop_after is not None and done >= stop_after:
                save()
                return last
        measured = {name: round(accuracy(average.net, *test, device), 4) for name, test in figures.items()}
        line = {
            "epoch": epoch,
            "loss": round(total / max(1, step - first), 4),
            **measured,
            "seconds": round(time.monotonic() - began),
        }
        say(json.dumps(line))
        epoch, step = epoch + 1, 0
        save()
        with (out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps({**line, "revision": revision()}) + "\n")
    return _keep(average.net.state_dict(), settings, out, before, kept)


def _keep(state: dict[str, Any], settings: Settings, out: Path, before: dict[str, Any] | None, kept: float) -> Path:
    """Write the finished weights of a run."""
    weights = out / "classifier.pt"
    if before is not None and kept:
        state = blend(before, state, kept)
    torch.save({"average": state, "side": settings.side}, weights)
    return weights


def blend(before: dict[str, Any], after: dict[str, Any], part: float) -> dict[str, Any]:
    """Weights between those before further training and those after it (Wortsman et al. 2022, https://arxiv.org/abs/2109.01903).

    Args:
        before: weights that training began with.
        after: weights at its end, of the same network.
        part: of ``before`` in the result, 0 to 1.

    Raises:
        ValueError: the two are not of the same network.
    """
    if {name: value.shape for name, value in before.items()} != {name: value.shape for name, value in after.items()}:
        raise ValueError("the weights to start from are those of another network and cannot be kept in part")
    return {
        name: value.cpu().lerp(before[name], part) if value.dtype.is_floating_point else value
        for name, value in after.items()
    }


def temperature(data: Path, weights: Path, folders: tuple[str, ...] = ("val", "val_web"), held_out: str = "") -> float:
    """The divisor of the logits that makes the probabilities of held-back tiles most likely (Guo et al. 2017).

    Args:
        data: folder of the data.
        weights: of the trained network.
        folders: test folders, of those that are there.
        held_out: a source of ``train`` that was not trained on; then its tiles count instead. They tell how sure one may be
            of sets never seen, which photos from the rooms that were trained on do not.
    """
    net, side = load(weights)
    if held_out:
        parts = [labelled_crops(data / "train", side, sources=held_out)]
    else:
        parts = [labelled_crops(data / f, side) for f in folders if (data / f).is_dir()]
    if not parts:
        return 1.0
    device = next(net.parameters()).device
    answers = torch.from_numpy(np.concatenate([logits(net, c, device) for c, _ in parts]))
    kinds = torch.from_numpy(np.concatenate([k for _, k in parts]))
    choices = [0.3 + 0.02 * i for i in range(100)]
    losses = [float(F.cross_entropy(answers / t, kinds)) for t in choices]
    return round(choices[int(np.argmin(losses))], 2)


def is_classifier(weights: Path) -> bool:
    """Whether a ``.pt`` holds weights of this network (and not a detector of ultralytics).

    Raises:
        Exception: whatever torch raises for a file that is no weights at all.
    """
    try:
        state = torch.load(weights, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:  # ultralytics keeps whole objects in its files
        return False
    return isinstance(state, dict) and not ({"model", "train_args"} <= state.keys())


def load(weights: Path) -> tuple[nn.Sequential, int]:
    """The network of a ``.pt`` or a run's checkpoint, ready to answer, and the pixels per side of its input."""
    state = torch.load(weights, map_location="cpu", weights_only=True)
    net = network(width=len(_weights(state)["0.0.weight"]))
    start_from(net, _weights(state))
    return net.eval(), int(state.get("side", state.get("settings", {}).get("side", FORMER_SIDE)))


def report(out: Path, data: Path, divisor: float, start: Path | None = None, kept: float = 0.0) -> dict[str, Any]:
    """The run's log for ``models/``: settings, data, starting weights, figures of each epoch (of the weights before any blend), temperature."""
    settings = torch.load(out / "last.pt", map_location="cpu", weights_only=True)["settings"]
    epochs = [json.loads(line) for line in (out / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    return {
        "model": "classifier", "data": data.name, "settings": settings, "temperature": divisor, "epochs": epochs,
        "drawn_with": drawn_with(), **({"kept": kept} if kept else {}), **begun_with(start, "classifier"),
    }  # fmt: skip


def export(weights: Path, target: Path, divisor: float = 1.0) -> None:
    """Write weights as ONNX: input ``crops`` N × 3 × side × side, outputs ``logits`` N × 44 and ``features`` N × D.

    The metadata ``temperature`` is ``divisor``.
    """
    import onnx  # noqa: PLC0415 - only the extra `train` has it

    named, side = load(weights)
    net = WithFeatures(named).eval()
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (torch.zeros(1, 3, side, side),), str(target), input_names=["crops"],
        output_names=["logits", "features"], dynamic_axes={name: {0: "n"} for name in ("crops", "logits", "features")},
        dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(target))
    about = {"temperature": str(divisor), "classes": "42 kinds in MPSZ order, back, other", "back": str(BACK)}
    onnx.helper.set_model_props(model, about)
    onnx.save(model, str(target))
