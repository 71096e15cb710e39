from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from engine.tiles import INDEX, WHITE
from tests.vision.conftest import as_reading, placed
from vision.classifier import BACK, OTHER
from vision.dataset import read_folder
from vision.detections import FACE_DOWN, Detections, iou
from vision.detector import Detector, regions, supported, suppress
from vision.evaluation import evaluate, match, summary
from vision.images import load_image
from vision.reading import MODELS, Reader, check, cut_off, in_scale, plain_faces
from vision.runtime import ModelError
from vision.synthesis.dataset import tables

if TYPE_CHECKING:
    from pathlib import Path

    from vision.synthesis.render import Rendered


@pytest.fixture(scope="module")
def drawn() -> list[Rendered]:
    return list(tables(4, 77, kind="laid", size=(960, 720)))


def located_and_named(reader: Reader, image: np.ndarray, truth: list[tuple[str, tuple[float, ...]]]) -> tuple[int, int]:
    seen = reader.read(image).detections
    overlap = iou(np.array([box for _, box in truth], np.float32), seen.boxes)
    located = [(i, int(overlap[i].argmax())) for i in range(len(truth)) if overlap[i].max(initial=0) >= 0.5]
    return len(located), sum(int(seen.kind[j]) == INDEX[truth[i][0]] for i, j in located)


def face_up(picture: Rendered) -> list[tuple[str, tuple[float, ...]]]:
    return [(b.code, b.xyxy) for b in picture.boxes if b.code != "back" and b.visible > 0.7]


def test_drawn_tables_are_read(reader: Reader, drawn: list[Rendered]) -> None:
    total = located = named = 0
    for picture in drawn:
        truth = face_up(picture)
        a, b = located_and_named(reader, picture.image, truth)
        total, located, named = total + len(truth), located + a, named + b
    assert total > 30
    assert located >= 0.9 * total
    assert named >= 0.85 * located


def test_tiles_lying_any_way_round_are_read_alike(reader: Reader, drawn: list[Rendered]) -> None:
    picture = drawn[0]
    height, width = picture.image.shape[:2]
    named = []
    for turn in range(4):
        image = np.ascontiguousarray(np.rot90(picture.image, turn))
        truth = []
        for code, (x0, y0, x1, y1) in face_up(picture):
            box = (x0, y0, x1, y1)
            if turn == 1:
                box = (y0, width - x1, y1, width - x0)
            elif turn == 2:
                box = (width - x1, height - y1, width - x0, height - y0)
            elif turn == 3:
                box = (height - y1, x0, height - y0, x1)
            truth.append((code, box))
        named.append(located_and_named(reader, image, truth)[1] / len(truth))
    assert min(named) >= 0.8


def test_a_thin_hand_in_a_large_photo_is_read_at_its_own_resolution(reader: Reader) -> None:
    (picture,) = tables(1, 78, kind="laid", size=(1280, 720))
    scene = picture.image
    large = np.zeros((3000, 4000, 3), np.uint8)
    large[:] = np.median(scene.reshape(-1, 3), 0).astype(np.uint8)
    top, left = 1300, 1500
    large[top : top + 720, left : left + 1280] = scene
    truth = [(code, (x0 + left, y0 + top, x1 + left, y1 + top)) for code, (x0, y0, x1, y1) in face_up(picture)]
    located, named = located_and_named(reader, large, truth)
    assert located >= 0.9 * len(truth)
    assert named >= 0.8 * located


def test_the_reading_has_the_fixed_form(reader: Reader, drawn: list[Rendered]) -> None:
    answer = json.loads(json.dumps(reader.read(drawn[0].image).as_json("桌/1.jpg")))
    assert set(answer) == {"image", "width", "height", "milliseconds", "tiles", "rows", "problems"}
    assert (answer["image"], answer["width"], answer["height"]) == ("桌/1.jpg", 960, 720)
    assert isinstance(answer["milliseconds"], int)
    for tile in answer["tiles"]:
        assert set(tile) == {"tile", "confidence", "certain", "box", "alternatives", "row"}
        assert tile["tile"] in INDEX
        assert 0 <= tile["confidence"] <= 1
        left, top, right, bottom = tile["box"]
        assert left < right
        assert top < bottom
        assert all(code in INDEX and 0 <= p <= 1 for code, p in tile["alternatives"])
    flat = [t["tile"] for t in answer["tiles"]]
    assert flat == [code for row in answer["rows"] for code in row]
    assert [t["row"] for t in answer["tiles"]] == [i for i, row in enumerate(answer["rows"]) for _ in row]


def test_face_down_tiles_are_not_listed() -> None:
    reading = as_reading(placed([("1m", 100, 100), ("back", 141, 100), ("2m", 182, 100)]))
    answer = reading.as_json("x")
    assert [t["tile"] for t in answer["tiles"]] == ["1m", "2m"]
    assert answer["rows"] == [["1m", "2m"]]


def test_pictures_without_tiles(reader: Reader) -> None:
    for image in (
        np.zeros((480, 640, 3), np.uint8),
        np.full((9, 2000, 3), 255, np.uint8),
        np.full((40, 8, 3), 127, np.uint8),
    ):
        reading = reader.read(image)
        assert reading.rows == []
        assert reading.as_json("x")["tiles"] == []


def test_what_cannot_be(row) -> None:
    seen, problems = check(placed(row("5m 5m 5m 5m 5m 1f 1f 9p", 100, 100)))
    assert [(p.code, p.tiles, p.indices) for p in problems] == [
        ("too_many", ("5m",), (0, 1, 2, 3, 4)),
        ("duplicate_flower", ("1f",), (5, 6)),
    ]
    assert seen.certain.tolist() == [False] * 7 + [True]
    assert "5" in problems[0].as_json()["en"]
    assert set(problems[0].as_json()) == {"code", "tiles", "zh", "zh_hant", "en"}
    assert check(placed(row("5m 5m 5m 5m", 100, 100)))[1] == []


def test_overlapping_finds_are_one_tile() -> None:
    boxes = np.array([[0, 0, 40, 50], [2, 1, 41, 52], [45, 0, 85, 50]], np.float32)
    kept, scores, _ = suppress(boxes, np.array([0.5, 0.9, 0.8], np.float32), np.zeros(3, np.int64))
    assert scores.tolist() == pytest.approx([0.9, 0.8])
    assert kept[0].tolist() == [2, 1, 41, 52]


def test_a_find_over_two_neighbours_and_one_within_another_go() -> None:
    tiles = [[45.0 * k, 100, 45.0 * k + 42, 160] for k in range(5)]
    double, part = [0.0, 98, 88, 162], [140.0, 104, 172, 150]
    boxes = np.array([*tiles, double, part], np.float32)
    scores = np.array([0.7, 0.6, 0.8, 0.8, 0.8, 0.9, 0.5], np.float32)
    kept, _, _ = suppress(boxes, scores, np.zeros(7, np.int64))
    assert sorted(kept.tolist()) == tiles
    # A large tile in front of nothing else stays, however large it is.
    alone, _, _ = suppress(boxes[2:6], scores[2:6], np.zeros(4, np.int64))
    assert double in alone.tolist()


def test_tens_of_thousands_of_weak_finds_do_not_fill_the_memory() -> None:
    rng = np.random.default_rng(3)
    corners = rng.uniform(0, 1200, (30_000, 2))
    boxes = np.concatenate([corners, corners + rng.uniform(5, 40, (30_000, 2))], 1).astype(np.float32)
    scores = rng.uniform(0.05, 0.2, 30_000).astype(np.float32)
    tracemalloc.start()
    kept, _, _ = suppress(boxes, scores, np.zeros(30_000, np.int64))
    assert 0 < len(kept) <= 2000
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()


def test_only_small_rows_get_a_closer_look() -> None:
    small = np.array([[100 + 31 * k, 100, 130 + 31 * k, 140] for k in range(10)], np.float32)
    (region,) = regions(small, 4000, 3000, 0.32)
    assert region[0] < 100
    assert region[2] > 410
    assert region[3] - region[1] < 250
    assert regions(small * 4, 4000, 3000, 0.64) == []


class Blind(Detector):
    """A detector whose closer looks find nothing."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self, image: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        del image, scale
        self.looks += 1
        return np.empty((0, 4), np.float32), np.empty(0, np.float32), np.empty(0, np.int64)

    def closer(self, found: np.ndarray, seen_at: float = 0.3) -> np.ndarray:
        """The boxes that are left of what a look at ``seen_at`` found."""
        picture = np.zeros((480, 640, 3), np.uint8)
        count = len(found)
        return self._closer(picture, (found, np.ones(count, np.float32), np.zeros(count, np.int64)), seen_at)[0]


def test_tiles_that_a_closer_look_takes_away_are_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile inside another row's region: that row's closer look finds neither, and nothing is left of its own."""
    row = [[100 + 20 * k, 100, 120 + 20 * k, 126] for k in range(4)]
    found = np.array([*row, [205, 137, 225, 163]], np.float32)
    monkeypatch.setattr("vision.detector.regions", lambda *_: [(48, 61, 232, 165), (165, 100, 267, 202)])
    blind = Blind()
    assert len(blind.closer(found)) == 0
    assert blind.looks == 1


def test_what_lies_at_the_rim_of_a_closer_look_stands() -> None:
    """There the closer look cuts tiles; nothing that it finds there counts, so nothing that was found before may go."""
    row = [[100 + 20 * k, 100, 120 + 20 * k, 126] for k in range(4)]
    beside = [[205, 130, 245, 190]]  # larger, so that its own row needs no closer look
    found = np.array([*row, *beside], np.float32)
    assert len(regions(found, 640, 480, 0.6)) == 1
    assert Blind().closer(found, 0.6).tolist() == beside


def test_missing_and_damaged_models(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        Reader(tmp_path)
    (tmp_path / "detector.onnx").write_bytes(b"no model")
    with pytest.raises(ModelError, match="cannot be opened"):
        Reader(tmp_path)
    with pytest.raises(ModelError, match="missing"):
        Detector(tmp_path / "none.pt")


def test_shipped_models_are_small() -> None:
    assert sum(p.stat().st_size for p in MODELS.iterdir()) < 25e6


def test_real_photos_are_read_as_well_as_they_were(reader: Reader, shared: Path) -> None:
    # Floors a little under today's figures; the starting weights located 0.85, named 0.97 and had a third exact.
    photos = read_folder(shared / "data" / "tiles42" / "val_web", repair=False)[::3]
    figures = summary(list(evaluate(reader, photos)))
    assert figures["located"] >= 0.985
    assert figures["named_when_located"] >= 0.985
    assert figures["exact_photo_rate"] >= 0.7


def test_a_real_photo_turned_by_quarters(reader: Reader, shared: Path) -> None:
    image = load_image(shared / "data" / "tiles42" / "val_web" / "images" / "k_00029.jpg")
    upright = sorted(code for row in reader.read(image).as_json("x")["rows"] for code in row)
    assert len(upright) >= 12
    for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE):
        turned = sorted(code for row in reader.read(cv2.rotate(image, turn)).as_json("x")["rows"] for code in row)
        missing = sum(turned.count(c) < upright.count(c) for c in set(upright))
        assert missing <= 2


def test_a_weak_find_counts_only_in_a_gap() -> None:
    row = np.array([[100 + 31 * k, 100, 130 + 31 * k, 140] for k in range(5)], np.float32)
    scores = np.array([0.9, 0.9, 0.15, 0.9, 0.9], np.float32)
    assert supported(row, scores, 0.3).all()
    assert supported(row[:3], scores[:3], 0.3).tolist() == [True, True, False]
    away = row.copy()
    away[2] += 60
    assert supported(away, scores, 0.3).tolist() == [True, True, False, True, True]


def test_tiles_that_the_edge_cuts_off_are_told() -> None:
    row = np.array([[x, 200, x + 40, 255] for x in range(0, 400, 41)], np.float32)
    half = np.array([[410, 200, 430, 255], [100, 0, 140, 30]], np.float32)
    boxes = np.concatenate([row, half])
    assert cut_off(boxes, (0, 0, 430, 400)).tolist() == [False] * 10 + [True, True]
    # The finder guesses the rest of a tile beyond the edge: what lies there is not seen.
    guessed = boxes + np.array([[0, 0, 0, 0]] * 10 + [[0, 0, 8, 0], [0, -9, 0, 0]], np.float32)
    assert cut_off(guessed, (0, 0, 430, 400)).tolist() == [False] * 10 + [True, True]
    assert not cut_off(boxes, (0, -50, 600, 400)).any()
    # A whole tile may touch the edge, and one tile alone has nothing to be compared with.
    assert not cut_off(row, (0, 200, 800, 400)).any()
    assert not cut_off(half[:1], (0, 0, 430, 400)).any()


def test_what_is_far_smaller_than_the_tiles_around_it_is_none() -> None:
    row = [(100 + 42 * i, 500, 40, 54) for i in range(13)]
    farther = [(150 + 30 * i, 200, 28, 38) for i in range(6)]  # the table runs away from the camera
    dice = [(300, 400, 20, 20), (330, 405, 20, 20)]
    seen = as_detections([*row, *farther, *dice])
    assert in_scale(seen).tolist() == [True] * 19 + [False] * 2
    # Few tiles tell nothing, and two sets of sizes are two sets.
    assert in_scale(as_detections([*row[:3], *dice])).all()
    mixed = [(x, 500, 20, 27) for x in range(700, 1000, 21)]
    assert in_scale(as_detections([*row, *mixed])).all()


def as_detections(boxes: list[tuple[int, int, int, int]]) -> Detections:
    """Finds of 1m by left, bottom, width and height."""
    corners = np.array([(x, y - h, x + w, y) for x, y, w, h in boxes], np.float32)
    found = Detections.found(corners, np.full(len(boxes), 0.9, np.float32))
    found.kind[:] = 0
    return found


def test_boxes_are_as_large_as_the_tiles(reader: Reader, shared: Path) -> None:
    ratios = []
    for photo in read_folder(shared / "data" / "tiles42" / "val_web")[::8]:
        image, boxes = photo.load()
        found = reader.detector.find(image)[0]
        for i, j in match(boxes, found):
            ratios.append((found[j, 2:] - found[j, :2]) / (boxes[i, 2:] - boxes[i, :2]))
    assert len(ratios) > 80
    assert np.abs(np.median(ratios, axis=0) - 1).max() < 0.06


def test_a_find_nobody_would_list_counts_right_between_two_that_are_listed(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = np.array([[100 + 30 * k, 100, 128 + 30 * k, 140] for k in range(5)] + [[400, 100, 428, 140]], np.float32)
    confidence = np.array([0.85, 0.85, 0.4, 0.85, 0.85, 0.4], np.float32)
    probability = np.full((6, 44), 0.01 / 43, np.float32)
    probability[:, 3] = 0.99
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability)
    listed = reader.name(np.zeros((480, 640, 3), np.uint8), boxes, confidence)
    assert listed.boxes.tolist() == boxes[:5].tolist()
    assert not listed.certain[2]


def test_the_finder_tells_a_plain_white_from_a_back_but_not_against_all_doubt(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = np.array([[100 + 30 * k, 100, 128 + 30 * k, 140] for k in range(3)], np.float32)
    probability = np.full((3, 44), 0.001 / 42, np.float32)
    probability[:, WHITE] = (0.2, 0.2, 0.0005)
    probability[:, BACK] = (0.799, 0.799, 0.9985)
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability.copy())
    seen = reader.name(
        np.zeros((480, 640, 3), np.uint8), boxes, np.full(3, 0.85, np.float32), np.array([0, 1, 0], np.int64)
    )
    assert seen.kind.tolist() == [WHITE, FACE_DOWN, FACE_DOWN]
    assert not seen.certain[0]
    assert seen.probability[0, WHITE] > 0.9


BONE, GREEN, WHITE_IN_SHADE, INK = (226, 240, 246), (70, 125, 30), (190, 202, 207), (30, 30, 160)


def laid(colours: list[tuple[int, int, int]], marked: list[bool]) -> tuple[np.ndarray, np.ndarray]:
    """A row of tiles of 28 × 40 pixels on a dark cloth, some with a mark on them, and their boxes."""
    picture = np.full((200, 400, 3), (60, 40, 20), np.uint8)
    boxes = [(40 + 29 * k, 80, 68 + 29 * k, 120) for k in range(len(colours))]
    for box, colour, mark in zip(boxes, colours, marked, strict=True):
        cv2.rectangle(picture, box[:2], (box[2] - 1, box[3] - 1), colour, -1)
        if mark:
            cv2.circle(picture, ((box[0] + box[2]) // 2, 100), 7, INK, 4)
    return picture, np.array(boxes, np.float32)


@pytest.mark.parametrize(
    ("colour", "marked", "neighbours", "face"),
    [
        (BONE, False, 3, True),
        (WHITE_IN_SHADE, False, 3, True),
        (GREEN, False, 3, False),
        (BONE, True, 3, False),
        (BONE, False, 1, False),
    ],
    ids=["as its neighbours", "a little darker", "a back's colour", "not plain", "one neighbour tells nothing"],
)
def test_what_is_plain_and_of_the_faces_colour_lies_face_up(
    colour: tuple[int, int, int], marked: bool, neighbours: int, face: bool
) -> None:
    picture, boxes = laid([BONE] * neighbours + [colour], [True] * neighbours + [marked])
    classes = np.array([0] * neighbours + [1])
    told = plain_faces(picture, boxes, np.full(len(boxes), 0.9, np.float32), classes, classes == 1)
    assert told.tolist() == [False] * neighbours + [face]
    unsure = plain_faces(picture, boxes, np.full(len(boxes), 0.4, np.float32), classes, classes == 1)
    assert not unsure.any()


def test_a_blank_white_taken_for_a_back_is_listed(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, boxes = laid([BONE] * 3 + [BONE, GREEN], [True] * 3 + [False, False])
    probability = np.full((5, 44), 1e-6, np.float32)
    probability[:3, 9], probability[3:, WHITE], probability[3:, BACK] = 0.9999, 0.3, 0.7
    answer = boxes, np.full(5, 0.99, np.float32), np.array([0, 0, 0, 1, 1])
    monkeypatch.setattr(reader.detector, "find", lambda image, scale: tuple(part.copy() for part in answer))
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability.copy())
    assert reader.see(picture).kind.tolist() == [9, 9, 9, WHITE, FACE_DOWN]


def test_a_blank_white_that_looks_like_nothing_is_listed_where_its_colour_speaks_for_it(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, boxes = laid([BONE] * 4 + [GREEN], [True] * 3 + [False, False])
    probability = np.full((5, 44), 1e-6, np.float32)
    probability[:3, 9], probability[3:, WHITE], probability[3:, OTHER] = 0.9999, 0.2, 0.8
    answer = boxes, np.full(5, 0.7, np.float32), np.zeros(5, np.int64)
    monkeypatch.setattr(reader.detector, "find", lambda image, scale: tuple(part.copy() for part in answer))
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability[-len(boxes) :].copy())
    seen = reader.see(picture)
    assert seen.kind.tolist() == [9, 9, 9, WHITE]
    assert not seen.certain[3]
    # Asked again without the tiles beside it, it stays.
    again = seen[np.array([3])]
    assert reader.name(picture, again.boxes, again.confidence).kind.tolist() == [WHITE]


def found(
    places: list[tuple[float, float]], chances: list[dict[int, float]], confidence: float | list[float]
) -> tuple[Any, ...]:
    """Finds of 28 × 40 pixels, the finder's confidence in each, and the classifier's (N, 44)."""
    boxes = np.array([(x, y, x + 28, y + 40) for x, y in places], np.float32)
    probability = np.full((len(places), 44), 1e-6, np.float32)
    for row, chance in zip(probability, chances, strict=True):
        for kind, part in chance.items():
            row[kind] = part
        row[20] += 1 - row.sum()  # the rest of the doubt is whether it is another face
    return boxes, np.broadcast_to(np.float32(confidence), len(places)), probability


def seen_by(
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    boxes: np.ndarray,
    confidence: np.ndarray,
    probability: np.ndarray,
) -> Detections:
    """What the reader lists of a picture in which the two models find this."""
    answer = boxes.copy(), confidence, np.zeros(len(boxes), np.int64)
    monkeypatch.setattr(reader.detector, "find", lambda image, scale: answer)
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability.copy())
    return reader.see(np.zeros((480, 640, 3), np.uint8))


KEY, HALF_A_FACE, FACE = {OTHER: 0.95, 8: 0.05}, {8: 0.8, OTHER: 0.2}, {8: 0.9999}


@pytest.mark.parametrize(
    ("neighbours", "listed"),
    [
        ([KEY] * 4, False),  # a key among keys
        ([FACE] * 4, True),  # the worn tile of a hand
        ([KEY, KEY, FACE, FACE], True),  # as many tiles as keys
        ([KEY, KEY, KEY, FACE], False),
        ([KEY, KEY], True),  # two tell nothing
    ],
)
def test_a_doubtful_find_among_keys_is_no_tile(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, neighbours: list[dict[int, float]], listed: bool
) -> None:
    places = [(200.0, 200.0), (170.0, 200.0), (230.0, 200.0), (200.0, 158.0), (200.0, 242.0)][: 1 + len(neighbours)]
    boxes, confidence, probability = found(places, [HALF_A_FACE, *neighbours], 0.85)
    seen = seen_by(reader, monkeypatch, boxes, confidence, probability)
    assert (boxes[0].tolist() in seen.boxes.tolist()) is listed
    assert len(seen) == neighbours.count(FACE) + listed


def test_keys_that_look_like_faces_go_one_after_the_other_and_what_is_certain_stays(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nine keys of a keyboard look a little like faces; the middle one of them goes only when those round it have gone.
    spots = [(column, row) for row in range(5) for column in range(7)]
    places = [(100.0 + 30 * column, 100.0 + 42 * row) for column, row in spots]
    chances = [HALF_A_FACE if column in {2, 3, 4} and row in {1, 2, 3} else KEY for column, row in spots]
    chances[0] = FACE
    boxes, confidence, probability = found(places, chances, 0.85)
    seen = seen_by(reader, monkeypatch, boxes, confidence, probability)
    assert seen.boxes.tolist() == boxes[:1].tolist()
    assert seen.certain.all()


@pytest.mark.parametrize(
    ("alone", "confidence", "chance", "listed"),
    [
        (True, 0.7, {WHITE: 0.8}, False),  # a cup, a key, a tile's side
        (True, 0.85, {WHITE: 0.8}, True),  # found beyond doubt: the flipped gold may be a plain white
        (True, 0.7, {WHITE: 0.9999}, True),
        (False, 0.7, {WHITE: 0.8}, True),
        (True, 0.7, {8: 0.8}, True),  # a face with something on it
    ],
)
def test_something_white_that_lies_alone_is_no_tile_unless_it_surely_is(
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    alone: bool,
    confidence: float,
    chance: dict[int, float],
    listed: bool,
) -> None:
    places = [(200.0, 200.0), (420.0 if alone else 231.0, 200.0)]
    boxes, sure, probability = found(places, [chance, FACE], [confidence, 0.9])
    seen = seen_by(reader, monkeypatch, boxes, sure, probability)
    assert (boxes[0].tolist() in seen.boxes.tolist()) is listed


def test_a_white_tile_that_is_asked_again_without_its_neighbours_stays(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes, confidence, probability = found([(200.0, 200.0)], [{WHITE: 0.8}], 0.7)
    monkeypatch.setattr(reader.classifier, "probabilities", lambda image, boxes: probability.copy())
    assert len(reader.name(np.zeros((480, 640, 3), np.uint8), boxes, confidence)) == 1
