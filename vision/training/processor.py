"""What the processor can do for a training (torch)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping


def hastens(device: torch.device) -> bool:
    """Whether a training on this device gains from bfloat16: processors that multiply in it take half the time.

    Without such instructions bfloat16 is emulated, and slower than float32.
    """
    capabilities: Mapping[str, Any] = torch.cpu.get_capabilities()
    return device.type == "cpu" and bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))
