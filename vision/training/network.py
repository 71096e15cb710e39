"""The classifier's network (torch)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from vision.classifier import OUTPUTS

if TYPE_CHECKING:
    import torch


def block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """Convolution 3 × 3, batch normalisation, SiLU."""
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU())


class Residual(nn.Module):
    """Two blocks beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.a, self.b = block(channels, channels), block(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, C, H, W) to the same shape."""
        result: torch.Tensor = x + self.b(self.a(x))
        return result


class WithFeatures(nn.Module):
    """The network with a second answer: the features that its last layer weighs (what a player's own set is learned from)."""

    def __init__(self, net: nn.Sequential) -> None:
        super().__init__()
        self.body, self.head = net[:-1], net[-1]

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(N, 3, H, W) to (N, outputs) logits and (N, 8 × width) features."""
        features: torch.Tensor = self.body(x)
        return self.head(features), features


WIDTH = 24
"""Channels after the first layer."""


def network(outputs: int = OUTPUTS, width: int = WIDTH) -> nn.Sequential:
    """N × 3 × side × side standardised BGR crops to N × ``outputs`` logits; 1.1 million parameters at the usual width."""
    return nn.Sequential(
        block(3, width, 2),
        block(width, 2 * width, 2),
        Residual(2 * width),
        block(2 * width, 4 * width, 2),
        Residual(4 * width),
        block(4 * width, 8 * width, 2),
        Residual(8 * width),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(8 * width, outputs),
    )
