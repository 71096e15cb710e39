from __future__ import annotations

import struct
import zlib
from pathlib import Path  # noqa: TC003 - fixtures name it

import cv2
import numpy as np
import pytest

from vision.images import ImageError, load_image


@pytest.fixture
def picture() -> np.ndarray:
    image = np.zeros((40, 60, 3), np.uint8)
    image[:20, :30] = (10, 200, 30)
    image[20:, 30:] = (220, 40, 90)
    return image


def encoded(image: np.ndarray, suffix: str = ".png") -> bytes:
    return cv2.imencode(suffix, image)[1].tobytes()


def code_of(source: Path | bytes) -> str:
    with pytest.raises(ImageError) as caught:
        load_image(source)
    answer = caught.value.as_json()
    assert all(answer[key] for key in ("zh", "zh_hant", "en"))
    return answer["code"]


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".webp", ".tiff", ".jpg"])
def test_formats(picture: np.ndarray, suffix: str) -> None:
    read = load_image(encoded(picture, suffix))
    assert read.shape == picture.shape
    assert read.dtype == np.uint8
    assert np.abs(read.astype(int) - picture).mean() < 12


def test_chinese_file_name(picture: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "厦门 手牌（一）.png"
    path.write_bytes(encoded(picture))
    assert np.array_equal(load_image(path), picture)
    assert np.array_equal(load_image(str(path)), picture)


def test_gray_becomes_colour(picture: np.ndarray) -> None:
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    read = load_image(encoded(gray))
    assert read.shape == (40, 60, 3)
    assert np.array_equal(read[..., 0], gray)


def test_sixteen_bit(picture: np.ndarray) -> None:
    assert np.array_equal(load_image(encoded(picture.astype(np.uint16) * 257)), picture)


def test_transparency_is_laid_on_white(picture: np.ndarray) -> None:
    alpha = np.dstack([picture, np.zeros((40, 60), np.uint8)])
    alpha[:20, :30, 3] = 255
    read = load_image(encoded(alpha))
    assert read.shape == (40, 60, 3)
    assert tuple(read[5, 5]) == (10, 200, 30)
    assert tuple(read[30, 50]) == (255, 255, 255)


def exif(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 3, 1, orientation) + b"\0\0\0\0"
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize(("orientation", "turn"), [(3, 2), (6, -1), (8, 1)])
def test_exif_rotation(picture: np.ndarray, orientation: int, turn: int) -> None:
    read = load_image(exif(encoded(picture, ".jpg"), orientation))
    expected = np.rot90(picture, turn)
    assert read.shape == expected.shape
    assert np.abs(read.astype(int) - expected).mean() < 12


def test_twelve_megapixels() -> None:
    image = np.full((3000, 4000, 3), 90, np.uint8)
    assert load_image(encoded(image, ".jpg")).shape == (3000, 4000, 3)


def test_what_is_no_picture(tmp_path: Path) -> None:
    assert code_of(tmp_path / "missing.jpg") == "not_found"
    assert code_of(tmp_path) == "is_folder"
    assert code_of(b"") == "empty"
    assert code_of(b"no picture at all, but some text") == "not_an_image"
    (tmp_path / "empty.jpg").write_bytes(b"")
    assert code_of(tmp_path / "empty.jpg") == "empty"
    assert code_of(b"\0\0\0\x18ftypheic" + b"\0" * 40) == "heic"


def test_damaged_files(picture: np.ndarray) -> None:
    assert code_of(encoded(picture, ".png")[:60]) == "not_an_image"
    assert code_of(encoded(picture, ".jpg")[:100]) == "not_an_image"


def test_a_huge_claim_takes_no_memory() -> None:
    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0" * 20
    assert code_of(bomb) == "too_large"


def test_too_small() -> None:
    assert code_of(encoded(np.zeros((4, 4, 3), np.uint8))) == "too_small"
