"""The published detector that ours descends from, made trainable again.

The PyPI package ``mahjong-detector`` (wheel MIT, model metadata AGPL-3.0) ships a YOLO11n with 34 classes as ONNX, its batch
normalisation folded into the convolutions. Here every convolution gets its normalisation back: the mean and the spread that
its outputs have on photos, and gains that leave the function what it was.
"""

from __future__ import annotations

from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.detector import STRIDE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

START = "mahjong-detector"
"""What ``youjin train detector --start`` calls it."""


def trainable(target: Path, photos: Iterable[NDArray[np.uint8]], names: tuple[str, ...]) -> Path:
    """Write the published detector as a ``.pt`` of ultralytics that finds ``names[0]`` where it found any of its tiles.

    Args:
        target: the file to write.
        photos: (H, W, 3) BGR pictures to measure the outputs of the convolutions on; two dozen are enough.
        names: the classes of the new head; the first takes over the mean of the 34.

    Raises:
        ValueError: the package is not installed.
    """
    torch: Any = import_module("torch")
    tasks: Any = import_module("ultralytics.nn.tasks")
    onnx: Any = import_module("onnx")
    try:
        model = onnx.load_from_string(resources.files("mahjong_detector").joinpath("model.onnx").read_bytes())
    except (ModuleNotFoundError, FileNotFoundError):
        raise ValueError("to start from mahjong-detector, run: pip install mahjong-detector==0.0.6") from None
    published = {i.name: torch.from_numpy(onnx.numpy_helper.to_array(i).copy()) for i in model.graph.initializer}
    net = tasks.DetectionModel("yolo11n.yaml", nc=len(names), verbose=False)
    net.names = dict(enumerate(names))
    folded = {name: part for name, part in net.named_modules() if hasattr(part, "conv") and hasattr(part, "bn")}
    state = net.state_dict()
    for name in state:
        if name in published and published[name].shape == state[name].shape:
            state[name] = published[name]
    for branch in range(3):  # 34 kinds become one: a tile is whatever looked like any of them
        last = f"model.23.cv3.{branch}.2"
        state[f"{last}.weight"] = published[f"{last}.weight"].mean(0, keepdim=True).repeat(len(names), 1, 1, 1)
        state[f"{last}.bias"] = published[f"{last}.bias"].amax(0, keepdim=True).repeat(len(names))
    net.load_state_dict(state)
    for name, part in folded.items():
        part.bn.running_mean.zero_()
        part.bn.running_var.fill_(1 - part.bn.eps)
        part.bn.weight.data.fill_(1)
        part.bn.bias.data.copy_(published[f"{name}.conv.bias"])
    _give_back(net.eval(), folded, photos)
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": net.half(), "epoch": -1, "train_args": {}}, target)
    return target


def _give_back(net: Any, folded: dict[str, Any], photos: Iterable[NDArray[np.uint8]]) -> None:
    """Measure every convolution's outputs and split its bias into a mean taken away and a shift given back."""
    torch: Any = import_module("torch")
    sums: dict[str, Any] = {name: [0.0, 0.0, 0] for name in folded}

    def hook(name: str) -> Any:
        def see(_: Any, __: Any, out: Any) -> None:
            total = sums[name]
            flat = out.double().transpose(0, 1).flatten(1)
            total[0], total[1], total[2] = total[0] + flat.sum(1), total[1] + (flat**2).sum(1), total[2] + flat.shape[1]

        return see

    hooks = [part.conv.register_forward_hook(hook(name)) for name, part in folded.items()]

    with torch.inference_mode():
        for photo in photos:
            scale = 640 / max(photo.shape[:2])
            height, width = (max(STRIDE, round(side * scale / STRIDE) * STRIDE) for side in photo.shape[:2])
            net(torch.from_numpy(np.asarray(cv2.dnn.blobFromImage(photo, 1 / 255, (width, height), swapRB=True))))
    for one in hooks:
        one.remove()
    with torch.no_grad():
        for name, part in folded.items():
            first, second, count = sums[name]
            mean = (first / count).float()
            spread = (second / count - (first / count) ** 2).clamp(min=1e-6).float()
            part.bn.running_mean.copy_(mean)
            part.bn.running_var.copy_(spread)
            part.bn.weight.copy_((spread + part.bn.eps).sqrt())
            part.bn.bias.add_(mean)
