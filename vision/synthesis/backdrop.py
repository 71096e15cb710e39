"""The empty table before the camera: its surface, its rim, the floor under it and the wall behind it."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthesis.geometry import Floats
from vision.synthesis.optics import Image, soften
from vision.synthesis.scene import TableTop
from vision.synthesis.textures import SIDE, TEXTURES, clouds

_FLOOR = -720.0  # mm, below the table top
_FLOOR_HALF = (2200.0, 2200.0)
_BLURRED = 256  # texture pixels along one side of what is out of focus
_RIM = 38.0  # mm


def backdrop(table: TableTop, matrix: Floats, width: int, height: int, rng: np.random.Generator) -> Image:
    """The picture (height, width, 3) of a table without anything on it.

    Args:
        table: what it looks like.
        matrix: 3 × 4 projection of the camera.
        width: of the picture, pixels.
        height: of the picture, pixels.
        rng: textures are drawn from it.

    Raises:
        ValueError: an unknown texture.
    """
    if table.texture not in TEXTURES:
        raise ValueError(f"no table texture {table.texture!r}; there are {', '.join(TEXTURES)}")
    surface = np.clip(TEXTURES[table.texture](rng, table.colour), 0, 255).astype(np.uint8)
    if table.rim is not None:
        _draw_rim(surface, table, rng)
    top = _plane(surface, table.half, 0.0, matrix, width, height)
    cover = _plane(np.full((_BLURRED, _BLURRED), 255, np.uint8), table.half, 0.0, matrix, width, height)
    cover[~_in_front(matrix, 0.0, width, height)] = 0
    beyond = _room(table, matrix, width, height, rng)
    if cover.min() == 255:
        return top
    weight = (cover.astype(np.float32) / 255)[..., None]
    result: Image = (beyond * (1 - weight) + top * weight).astype(np.uint8)
    return result


def _room(table: TableTop, matrix: Floats, width: int, height: int, rng: np.random.Generator) -> Image:
    """Floor and wall, out of focus: drawn small and enlarged."""
    floor = np.asarray(table.beyond, np.float32) * (1 + 0.25 * clouds(rng, 5, 4, _BLURRED))[..., None]
    small = (max(1, width // 4), max(1, height // 4))
    shrunk = np.diag([small[0] / width, small[1] / height, 1.0]) @ matrix
    picture = _plane(np.clip(floor, 0, 255).astype(np.uint8), _FLOOR_HALF, _FLOOR, shrunk, *small)
    wall = np.clip(np.asarray(table.beyond) * rng.uniform(0.7, 1.5), 0, 255).astype(np.uint8)
    picture[~_in_front(shrunk, _FLOOR, *small)] = wall
    return np.asarray(cv2.resize(soften(picture, 1), (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _draw_rim(surface: Image, table: TableTop, rng: np.random.Generator) -> None:
    """A wooden rim round the surface, in place."""
    if table.rim is None:
        return
    edge_x, edge_y = (max(3, round(_RIM / (2 * half) * SIDE)) for half in table.half)
    grain = 1 + 0.08 * cv2.resize(rng.standard_normal((8, 200)).astype(np.float32), (SIDE, SIDE))
    for part in (np.s_[:edge_y], np.s_[-edge_y:], np.s_[:, :edge_x], np.s_[:, -edge_x:]):
        wood = np.asarray(table.rim, np.float32) * grain[part][..., None]
        surface[part] = np.clip(wood, 0, 255).astype(np.uint8)
    shadow = [part * 0.45 for part in table.rim]
    cv2.rectangle(surface, (edge_x, edge_y), (SIDE - edge_x, SIDE - edge_y), shadow, 4)


def _to_world(matrix: Floats, z: float) -> Floats:
    """Pixels (homogeneous) to the plane at a height."""
    result: Floats = np.linalg.inv(np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * z + matrix[:, 3]]))
    return result


def _plane(texture: Image, half: tuple[float, float], z: float, matrix: Floats, width: int, height: int) -> Image:
    """A texture that covers ±half (mm) round the origin of a horizontal plane, as the camera sees it; zeros outside."""
    side = texture.shape[0]
    to_texture = np.array([[side / (2 * half[0]), 0, side / 2], [0, -side / (2 * half[1]), side / 2], [0, 0, 1.0]])
    half_pixel = np.array([[1.0, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    whole = to_texture @ _to_world(matrix, z) @ half_pixel
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(texture, whole, (width, height), flags=flags, borderMode=cv2.BORDER_CONSTANT), np.uint8
    )


def _in_front(matrix: Floats, z: float, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Which pixels see a horizontal plane in front of the camera."""
    row = _to_world(matrix, z)[2]
    inverse_depth = row[0] * np.arange(width)[None, :] + row[1] * np.arange(height)[:, None] + row[2]
    return np.asarray(inverse_depth > 1e-5, np.bool_)
