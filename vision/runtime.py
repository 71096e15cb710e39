"""ONNX Runtime sessions, set up for small machines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import onnxruntime as ort

from engine.text import Text

if TYPE_CHECKING:
    from pathlib import Path


class ModelError(RuntimeError):
    """A model file that is missing or cannot be run; ``text`` says what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def threads_to_use() -> int:
    """Threads for one model: ``YOUJIN_THREADS``, else the cores this process may use, at most 4."""
    wanted = os.environ.get("YOUJIN_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return max(1, min(4, cores))


def session(path: Path, threads: int | None = None) -> ort.InferenceSession:
    """Open an ONNX file on the processor.

    Raises:
        ModelError: the file is missing or damaged.
    """
    if not path.is_file():
        raise ModelError(
            Text(
                "找不到模型文件 {path}，请重新安装。",
                "找不到模型檔案 {path}，請重新安裝。",
                "the model {path} is missing; install youjin again.",
            ).format(path=path)
        )
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads or threads_to_use()
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises many types of its own without a common base
        raise ModelError(
            Text(
                "模型文件 {path} 打不开（{why}）。",
                "模型檔案 {path} 打不開（{why}）。",
                "the model {path} cannot be opened ({why}).",
            ).format(path=path, why=str(error).splitlines()[0])
        ) from error
