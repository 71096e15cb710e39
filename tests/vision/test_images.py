from __future__ import annotations

import struct
import zlib
from pathlib import Path  # noqa: TC003 - fixtures name it

import cv2
import numpy as np
import pytest

from vision.images import ImageError, brightened, content, load_image


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


def table(light: float, *, bars: int = 0) -> np.ndarray:
    """A cloth with light tiles on it in a light of 0 to 1, between black bars."""
    image = np.full((240, 320, 3), (60, 95, 50), np.uint8)
    for left in range(20, 300, 40):
        image[100:140, left : left + 30] = (225, 235, 240)
        image[110:130, left + 10 : left + 20] = (40, 30, 160)
    image = (image * light).astype(np.uint8)
    image[:bars], image[240 - bars :] = 0, 0
    return image


def test_a_bright_picture_is_left_as_it_is() -> None:
    image = table(1.0)
    assert brightened(image) is image


@pytest.mark.parametrize("size", [(480, 640), (720, 1280), (1080, 1920)])
def test_one_tile_on_a_black_cloth_in_good_light_is_not_dark(size: tuple[int, int]) -> None:
    image = np.full((*size, 3), (45, 50, 40), np.uint8)
    tall = size[1] // 24
    image[200 : 200 + tall, 300 : 300 + tall * 3 // 4] = (225, 235, 240)
    assert brightened(image) is image


def test_sparks_do_not_hide_the_dark() -> None:
    dark = table(0.2)
    dark[::60, ::60] = 255  # glints, and dead pixels of a sensor
    assert brightened(dark)[104, 44].min() > 180


@pytest.mark.parametrize("light", [0.5, 0.3, 0.15, 0.08])
@pytest.mark.parametrize("bars", [0, 70])
def test_a_dark_picture_shows_tiles_as_bright_as_by_day(light: float, bars: int) -> None:
    bright = brightened(table(light, bars=bars))
    assert 200 <= np.percentile(bright.max(2), 98) <= 245
    tile, print_on_it, cloth = (bright[y, x].astype(int) for y, x in ((104, 44), (120, 35), (100, 56)))
    assert tile.sum() > print_on_it.sum() + 150
    assert tile.sum() > cloth.sum() + 150
    assert print_on_it.argmax() == 2  # red stays red
    if bars:
        assert bright[: bars - 3].max() == 0


def test_light_that_fades_brightens_evenly_and_never_flickers() -> None:
    means = [float(brightened(table(light)).mean()) for light in np.linspace(1.0, 0.1, 181)]
    assert np.abs(np.diff(means)).max() < 6
    assert max(means) < 1.5 * means[0]


def test_noise_of_the_dark_is_smoothed() -> None:
    noise = np.random.default_rng(1).normal(0, 6, (240, 320, 3))
    dark = np.clip(table(0.2).astype(float) + noise, 0, 255).astype(np.uint8)
    plain = np.clip(dark.astype(float) * 235 / np.percentile(dark.max(2), 98), 0, 255)
    cloth = np.s_[10:90, 10:300]
    assert brightened(dark)[cloth].std() < 0.8 * plain[cloth].std()


def test_black_pictures_stay_pictures() -> None:
    for level in (0, 1, 3):
        black = np.full((60, 80, 3), level, np.uint8)
        assert brightened(black).shape == black.shape
        assert content(black) == (0, 0, 80, 60)


def test_a_dark_picture_is_not_taken_for_its_own_black_bars() -> None:
    dark = table(0.12)  # the cloth is darker than the bars of a bright picture may be
    assert content(dark) == (0, 0, 320, 240)
    left, top, right, bottom = content(table(0.12, bars=70))
    assert (left, right) == (0, 320)
    assert abs(top - 70) <= 2
    assert abs(bottom - 170) <= 2
