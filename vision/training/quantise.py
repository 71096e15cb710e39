"""The classifier in whole numbers (int8): half the time on a processor, for a tenth of a percent of the tiles."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vision.classifier import Classifier
from vision.crops import cut, standardise
from vision.dataset import read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

PHOTOS = 24
"""Photos whose crops tell the range of every layer's values."""


def quantise(source: Path, target: Path, photos: Path) -> None:
    """Write the classifier ``source`` (ONNX, float) as int8 to ``target``.

    Args:
        source: a float classifier.
        target: the int8 one; metadata are kept.
        photos: labelled photos in YOLO format whose crops are run through it. Not test photos.
    """
    quantization: Any = import_module("onnxruntime.quantization")
    shapes: Any = import_module("onnxruntime.quantization.shape_inference")
    onnx: Any = import_module("onnx")
    prepared = target.with_suffix(".prepared.onnx")
    shapes.quant_pre_process(str(source), str(prepared))
    # The last layer costs nothing and stays as it is: a player's own set is learned from the features before it.
    head = [
        n.name for n in onnx.load(str(prepared)).graph.node if n.op_type in {"GlobalAveragePool", "Flatten", "Gemm"}
    ]
    quantization.quantize_static(
        str(prepared), str(target), _reader(quantization, photos, Classifier(source).side), quant_format=quantization.QuantFormat.QDQ,
        activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8, per_channel=True,
        nodes_to_exclude=head,
        reduce_range=True,  # processors without VNNI add two products in 16 bits, which 8-bit weights overflow
    )  # fmt: skip
    prepared.unlink()
    model = onnx.load(str(target))
    kept = {entry.key: entry.value for entry in onnx.load(str(source)).metadata_props}
    onnx.helper.set_model_props(model, {**kept, "precision": "int8"})
    onnx.save(model, str(target))


def _reader(quantization: Any, photos: Path, side: int) -> Any:
    """What ``quantize_static`` draws its crops from."""

    class Reader(quantization.CalibrationDataReader):
        def __init__(self) -> None:
            self._batches = _batches(photos, side)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            return next(self._batches, None)

    return Reader()


def _batches(photos: Path, side: int) -> Iterator[dict[str, NDArray[np.float32]]]:
    labelled = [photo for photo in read_folder(photos) if len(photo.boxes)]
    for photo in labelled[:: max(1, len(labelled) // PHOTOS)]:
        image, boxes = photo.load()
        yield {"crops": standardise(cut(image, boxes, side))}
