"""The pinhole camera and the solid shape of a tile.

World: millimetres; the table is the plane z = 0, x to the right, y away from the player, z up. A tile's own frame has its
centre in the middle of the face, x to the right and y up on the face, z out of the face; its body reaches down to −depth.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera.

    Attributes:
        position: where it is, mm.
        target: the point it looks at, mm.
        focal: focal length in units of the picture's longer side (1.0 ≈ 53° of view).
        roll: turn about the line of sight, degrees.
    """

    position: tuple[float, float, float] = (0.0, -250.0, 450.0)
    target: tuple[float, float, float] = (0.0, 60.0, 0.0)
    focal: float = 1.0
    roll: float = 0.0

    def matrix(self, width: int, height: int) -> Floats:
        """The 3 × 4 projection to pixels; the upper left pixel covers 0–1 both ways.

        Raises:
            ValueError: position and target are the same point.
        """
        position, target = np.asarray(self.position), np.asarray(self.target)
        forward = target - position
        distance = float(np.linalg.norm(forward))
        if distance < 1e-6:
            raise ValueError("the camera stands on the point it looks at")
        forward = forward / distance
        up = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        angle = np.radians(self.roll)
        right, down = np.cos(angle) * right + np.sin(angle) * down, np.cos(angle) * down - np.sin(angle) * right
        rotation = np.stack([right, down, forward])
        length = self.focal * max(width, height)
        inner = np.array([[length, 0.0, width / 2], [0.0, length, height / 2], [0.0, 0.0, 1.0]])
        result: Floats = inner @ np.hstack([rotation, (-rotation @ position)[:, None]])
        return result


def project(matrix: Floats, points: Floats) -> Floats:
    """World points (N, 3) to pixels (N, 2); a point behind the camera becomes NaN."""
    homogeneous = points @ matrix[:, :3].T + matrix[:, 3]
    depth = np.where(homogeneous[:, 2:] > 1.0, homogeneous[:, 2:], np.nan)
    result: Floats = homogeneous[:, :2] / depth
    return result


def rotation(yaw: float, pitch: float, roll: float = 0.0) -> Floats:
    """Tile frame to world: ``roll`` about the tile's own face normal first, then pitch about x, then yaw about the vertical; degrees."""
    y, p, r = np.radians([yaw, pitch, roll])
    about_z = np.array([[np.cos(y), -np.sin(y), 0], [np.sin(y), np.cos(y), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
    about_face = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
    result: Floats = about_z @ about_x @ about_face
    return result


@dataclass(frozen=True)
class Body:
    """The solid of one set's tiles.

    Attributes:
        width, height, depth: outer size, mm.
        corner: radius of the four edges seen from the front, mm.
        bevel: how far the edges of face and back are rounded off, mm.
        layer: part of the depth that has the face's colour; the rest has the back's.
    """

    width: float = 26.0
    height: float = 35.0
    depth: float = 21.0
    corner: float = 3.0
    bevel: float = 1.3
    layer: float = 0.62


@lru_cache(maxsize=256)
def rings(body: Body) -> tuple[Floats, ...]:
    """Rings of 16 points (tile frame) from face to back: face, below its bevel, split, above the back's bevel, back."""

    def ring(inset: float, z: float) -> Floats:
        radius = max(body.corner - inset, 0.2)
        half_x, half_y = body.width / 2 - inset - radius, body.height / 2 - inset - radius
        angles = np.radians([0, 30, 60, 90])
        points = []
        for sign_x, sign_y, turn in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
            points += [
                (sign_x * half_x + radius * np.cos(angle), sign_y * half_y + radius * np.sin(angle), z)
                for angle in angles + np.radians(turn)
            ]
        return np.array(points)

    bevel, depth = body.bevel, body.depth
    split = -body.layer * depth
    return ring(bevel, 0.0), ring(0.0, -bevel), ring(0.0, split), ring(0.0, -depth + bevel), ring(bevel, -depth)


def corners(body: Body, z: float) -> Floats:
    """The four corners (tile frame) of the outer rectangle at a depth: top left, top right, bottom right, bottom left of the face."""
    x, y = body.width / 2, body.height / 2
    return np.array([(-x, y, z), (x, y, z), (x, -y, z), (-x, -y, z)])
