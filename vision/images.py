"""Pictures from files and bytes: any of the usual formats, any file name, the right way round, always BGR."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from engine.text import Text

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

# What is wrong with a picture is told in a sentence; OpenCV would write lines of its own into the terminal.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

LARGEST = 120_000_000
"""Pictures with more pixels than this are refused: no phone takes them, and they fill the memory of a small machine."""

SUFFIXES = (".jpg", ".jpeg", ".jpe", ".png", ".bmp", ".webp", ".tif", ".tiff", ".jp2", ".ppm", ".pgm", ".avif", ".gif")
"""File endings that are looked for in a folder."""


class ImageError(ValueError):
    """A picture that cannot be read: ``code`` and a sentence for people in ``text``."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(text.en)
        self.code = code
        self.text = text

    def as_json(self) -> dict[str, str]:
        """``{"code", "zh", "zh_hant", "en"}``."""
        return {"code": self.code, **self.text.as_json()}


_MESSAGES = {
    "not_found": Text("找不到这个文件。", "找不到這個檔案。", "There is no such file."),
    "is_folder": Text(
        "这是一个文件夹，请给出其中的图片。",
        "這是一個資料夾，請給出其中的圖片。",
        "This is a folder; name a picture in it.",
    ),
    "not_allowed": Text(
        "没有权限读取这个文件。", "沒有權限讀取這個檔案。", "This file may not be read; check its permissions."
    ),
    "empty": Text(
        "文件是空的，请重新拍照或重新传送。",
        "檔案是空的，請重新拍照或重新傳送。",
        "The file is empty; take the photo or copy it again.",
    ),
    "not_an_image": Text(
        "这不是能读的图片（或已损坏），请用 JPEG、PNG 或 WebP 照片。",
        "這不是能讀的圖片（或已損壞），請用 JPEG、PNG 或 WebP 相片。",
        "This is not a picture that can be read, or it is damaged; use a JPEG, PNG or WebP photo.",
    ),
    "heic": Text(
        "这是 HEIC 照片，请在手机里选“兼容性最佳”(JPEG) 再拍，或先转成 JPEG。",
        "這是 HEIC 相片，請在手機裡選「最相容」(JPEG) 再拍，或先轉成 JPEG。",
        "This is a HEIC photo; set the phone's camera to “Most Compatible” (JPEG) or convert it to JPEG first.",
    ),
    "too_large": Text(
        "图片太大（超过 {n}00 万像素），请先缩小。",
        "圖片太大（超過 {n}00 萬像素），請先縮小。",
        "The picture is too large (over {n} megapixels); make it smaller first.",
    ),
    "too_small": Text("图片太小，看不清牌。", "圖片太小，看不清牌。", "The picture is too small to show tiles."),
}


def _error(code: str) -> ImageError:
    return ImageError(code, _MESSAGES[code])


def _too_large(largest: int) -> ImageError:
    return ImageError("too_large", _MESSAGES["too_large"].format(n=largest // 1_000_000))


def load_image(source: str | os.PathLike[str] | bytes, largest: int = LARGEST) -> NDArray[np.uint8]:
    """Read a picture from a file or from its bytes.

    EXIF rotation is applied, transparency laid on white, 16-bit reduced to 8, gray made colour.

    Args:
        source: a path (any file name, Chinese too) or the encoded bytes.
        largest: pixels; larger pictures are refused.

    Returns:
        (H, W, 3) uint8 BGR.

    Raises:
        ImageError: missing, a folder, empty, damaged, not a picture, too large.
    """
    data = source if isinstance(source, bytes) else _bytes(Path(source))
    if not data:
        raise _error("empty")
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc"):
        raise _error("heic")
    size = _claimed_size(data)
    if size is not None and size[0] * size[1] > largest:
        raise _too_large(largest)
    buffer = np.frombuffer(data, np.uint8)
    picture = None
    if not data.startswith(b"\xff\xd8"):  # a JPEG has no transparency, and decoding 50 megapixels twice is slow
        raw = _decode(buffer, cv2.IMREAD_UNCHANGED)
        if raw is not None and raw.ndim == 3 and raw.shape[2] == 4:
            picture = _on_white(_eight_bit(raw))
    if picture is None:
        decoded = _decode(buffer, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)  # turned as EXIF says
        if decoded is None:
            raise _error("not_an_image")
        picture = _eight_bit(decoded)
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if min(picture.shape[:2]) < 8:
        raise _error("too_small")
    if picture.shape[0] * picture.shape[1] > largest:
        raise _too_large(largest)
    return np.ascontiguousarray(picture[..., :3], np.uint8)


def is_picture_name(path: Path) -> bool:
    """Whether a file's ending is that of a picture."""
    return path.suffix.lower() in SUFFIXES


BORDER = 14
"""A row or column whose brightest pixel is no brighter than this belongs to a black border."""

BORDER_OF_LIGHT = 0.08
"""The same as a part of the picture's light, for pictures that are dark all over."""

LIGHT = 99.9
"""The percentile of the brightest channel, of a picture made small, that is its light: a single white tile on a black cloth shows it."""

CELLS = 320
"""Pictures are this many cells wide when their light is measured; noise and sparks are less than a cell."""

BRIGHT = 200
"""The light of pictures that are left as they are."""

DARK = 140
"""The light below which a picture is brightened fully; in between the more, the darker it is."""

BRIGHTEST = 235
"""How bright the brightest of a brightened picture is."""

MIDDLE = 0.42
"""What the middle of a brightened picture's tones is raised to, as a part of its light, by a gamma of at least ``LEAST_GAMMA``."""

LEAST_GAMMA = 0.55

SMOOTHED = 0.2
"""Standard deviation, in pixels, of the blur for each time that the light is doubled, trebled …: noise grows with it. At most 1."""


def content(image: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a picture without the black bars that letterboxing put round it.

    The whole picture where there are none, or where it is dark all over.
    """
    height, width = image.shape[:2]
    step = max(1, max(height, width) // 320)
    thin = image[::step, ::step]
    bright = _brightest(thin)
    light = bright > min(BORDER, BORDER_OF_LIGHT * float(np.percentile(bright, 98)))
    # A few bright specks in a bar are JPEG noise; a row of the picture has many bright pixels.
    rows = np.flatnonzero(light.mean(1) > 0.02)
    columns = np.flatnonzero(light.mean(0) > 0.02)
    if not len(rows) or not len(columns):
        return 0, 0, width, height
    left, top = int(columns[0]) * step, int(rows[0]) * step
    right, bottom = min(width, (int(columns[-1]) + 1) * step), min(height, (int(rows[-1]) + 1) * step)
    if (right - left) * (bottom - top) < 0.1 * width * height:
        return 0, 0, width, height
    return left, top, right, bottom


def _brightest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W) the brightest channel: far quicker than ``max(2)``."""
    return np.maximum(np.maximum(image[..., 0], image[..., 1]), image[..., 2])


def _thin(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture, ``CELLS`` wide at most."""
    height, width = image.shape[:2]
    if width <= CELLS:
        return image
    size = (CELLS, max(1, round(height * CELLS / width)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def brightened(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A dark picture as if there had been light, its noise smoothed; a bright one as it is.

    A webcam in a dim room gives tiles that are grey on black, which neither the finder nor the classifier learned to read
    (figures: ``tests/bench/bench_worn.py``). How much is done grows evenly with the dark, so that a live picture does not flicker.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        (H, W, 3), the same array where nothing is done.
    """
    tones = _brightest(_thin(image))
    light = max(float(np.percentile(tones, LIGHT)), 12.0)
    strength = float(np.clip((BRIGHT - light) / (BRIGHT - DARK), 0, 1))
    if strength == 0:
        return image
    gain = (BRIGHTEST / light) ** strength
    shown = tones[tones > light / 16]  # not the black bars of letterboxing
    middle = float(np.clip(np.median(shown) / light if len(shown) else MIDDLE, 0.02, MIDDLE))
    gamma = max(LEAST_GAMMA, float(np.log(MIDDLE) / np.log(middle))) ** strength
    tone = np.clip(np.arange(256) * gain / 255, 0, 1)
    deviation = min(1.0, SMOOTHED * (gain - 1))
    if deviation < 0.15:
        return np.asarray(cv2.LUT(image, (255 * tone**gamma).astype(np.uint8)), np.uint8)
    smooth = cv2.GaussianBlur(cv2.LUT(image, (255 * tone).astype(np.uint8)), (0, 0), deviation)
    return np.asarray(cv2.LUT(smooth, (255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)), np.uint8)


def _decode(buffer: NDArray[np.uint8], flags: int) -> NDArray[Any] | None:
    try:
        return cv2.imdecode(buffer, flags)
    except cv2.error:
        return None


def _eight_bit(picture: NDArray[Any]) -> NDArray[np.uint8]:
    if picture.dtype == np.uint8:
        return picture
    if picture.dtype == np.uint16:
        return np.asarray(picture >> 8, np.uint8)
    top = float(picture.max(initial=0)) or 1.0
    return np.asarray(np.clip(picture / top, 0, 1) * 255, np.uint8)  # floating point: HDR and TIFF


def _on_white(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    alpha = picture[..., 3:].astype(np.uint16)
    return np.asarray((picture[..., :3] * alpha + 255 * (255 - alpha)) // 255, np.uint8)


def _claimed_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a PNG or JPEG claims, before memory is taken for them."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if not data.startswith(b"\xff\xd8"):
        return None
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + length
    return None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _error("not_found") from None
    except (IsADirectoryError, NotADirectoryError):
        raise _error("is_folder" if path.is_dir() else "not_found") from None
    except PermissionError:  # Windows answers so for folders as well
        raise _error("is_folder" if path.is_dir() else "not_allowed") from None
    except (OSError, ValueError):  # a name with a null byte, a broken disk
        raise _error("not_found") from None
