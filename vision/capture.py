"""Showing the camera a set: what to lay out, step by step, and finding the row in the picture.

The names come from the order in which the tiles were asked for; the classifier, which does not know the set yet, only says
from which end the row is read and where it strongly disagrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.text import Text
from engine.tiles import CODES, INDEX, NAMES
from vision.calibration import Examples
from vision.classifier import BACK, KINDS, log_softmax
from vision.crops import cut, store
from vision.detections import turned_boxes
from vision.images import brightened
from vision.rows import group_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.reading import Reader

DISAGREES = 0.9
"""Probability of another kind from which the asked one is questioned."""

CLEAR_ORDER = 2.0
"""Difference of the mean log-probability of both orders (in nats) below which the order in the picture holds."""


@dataclass(frozen=True)
class Step:
    """One row to lay out: its key, the tiles from left to right (``back``: face down), and what to say."""

    key: str
    tiles: tuple[str, ...]
    title: Text
    hint: Text

    def as_json(self) -> dict[str, Any]:
        """For the page."""
        return {"key": self.key, "tiles": list(self.tiles), "title": self.title.as_json(), "hint": self.hint.as_json()}


_IN_ORDER = Text(
    "从左到右，一张挨一张，别的牌拿开。",
    "從左到右，一張挨一張，別的牌拿開。",
    "From left to right, side by side; put all other tiles away.",
)

STEPS = (
    Step("characters", CODES[0:9], Text("一万到九万，摆成一排", "一萬到九萬，擺成一排", "1 to 9 characters (萬) in a row"), _IN_ORDER),
    Step("dots", CODES[9:18], Text("一饼到九饼（筒），摆成一排", "一餅到九餅（筒），擺成一排", "1 to 9 dots (餅, 筒) in a row"), _IN_ORDER),
    Step("bamboo", CODES[18:27], Text("一条到九条（索），摆成一排", "一條到九條（索），擺成一排", "1 to 9 bamboo (條, 索) in a row"), _IN_ORDER),
    Step(
        "honours", CODES[27:34],
        Text("东南西北白发中，摆成一排", "東南西北白發中，擺成一排", "East, south, west, north, white, green, red in a row"), _IN_ORDER,
    ),
    Step(
        "flowers", CODES[34:42],
        Text("春夏秋冬梅兰竹菊，摆成一排", "春夏秋冬梅蘭竹菊，擺成一排", "Spring, summer, autumn, winter, plum, orchid, bamboo, chrysanthemum in a row"),
        Text(
            "不用花牌就跳过。没有字的花：先四季（红一到四），再四君子（蓝 1 到 4）。",
            "不用花牌就略過。沒有字的花：先四季（紅一到四），再四君子（藍 1 到 4）。",
            "Skip it if you play without flowers. Flowers without characters: the seasons first (red 一 to 四), then the plants (blue 1 to 4).",
        ),
    ),
    Step(
        "back", ("back",), Text("一张牌扣着放", "一張牌蓋著放", "One tile face down"),
        Text("只放这一张，别的牌拿开。", "只放這一張，別的牌拿開。", "Only this one; put all other tiles away."),
    ),
)  # fmt: skip
"""The rows that are asked for; each may be left out."""

_NOTHING = Text(
    "没有看到牌。把牌放在镜头下，开亮灯，再近一点。",
    "沒有看到牌。把牌放在鏡頭下，開亮燈，再近一點。",
    "No tiles are seen. Put them under the camera, in good light, and closer.",
)
_WRONG_COUNT = Text(
    "要 {asked} 张，看到 {seen} 张。请摆成一排、互相挨着，整排都在画面里，别的牌拿开。",
    "要 {asked} 張，看到 {seen} 張。請擺成一排、互相挨著，整排都在畫面裡，別的牌拿開。",
    "{asked} tiles are asked for, {seen} are seen in a row. Lay them in one row, side by side, all in the picture, and put the others away.",
)
_ONE_ONLY = Text(
    "只放一张扣着的牌；现在看到 {seen} 张。",
    "只放一張蓋著的牌；現在看到 {seen} 張。",
    "Only one tile, face down, is wanted; {seen} are seen.",
)
_FACE_UP = Text(
    "这张牌像是正面朝上（{tile}），请扣过来。",
    "這張牌像是正面朝上（{tile}），請蓋過來。",
    "This tile seems to lie face up ({tile}); turn it over.",
)
_DIFFERS = Text(
    "第 {place} 张看起来像{seen}，要的是{asked}。请核对：摆错了就改好再拍，没摆错就照样用。",
    "第 {place} 張看起來像{seen}，要的是{asked}。請核對：擺錯了就改好再拍，沒擺錯就照樣用。",
    "Tile {place} looks like {seen}, {asked} was asked for. Check it: put it right and take it again, or use it if it is right.",
)
_MANY_DIFFER = Text(
    "有 {n} 张看起来不是要的牌，顺序可能不对。请核对：摆错了就改好再拍，没摆错就照样用。",
    "有 {n} 張看起來不是要的牌，順序可能不對。請核對：擺錯了就改好再拍，沒擺錯就照樣用。",
    "{n} tiles look like others than those asked for; perhaps the order is wrong. Check it: put them right and take it again, or use them if they are right.",
)


@dataclass(frozen=True, eq=False)
class Shot:
    """What one picture gives for one step.

    Attributes:
        step: what was asked.
        boxes: (N, 4) float32 the tiles in the asked order; empty with a ``problem`` of count.
        seen: what the classifier takes each for, as (code, probability).
        problem: why the row cannot be taken; ``None``: it can.
        warning: what to check before it is taken.
        doubtful: places (from 0) where the classifier strongly disagrees.
        examples: the crops with the asked kinds, and some of no tile; empty with a ``problem``.
    """

    step: Step
    boxes: NDArray[np.float32]
    seen: tuple[tuple[str, float], ...]
    problem: Text | None
    warning: Text | None
    doubtful: tuple[int, ...]
    examples: Examples

    def as_json(self) -> dict[str, Any]:
        """For the page: boxes in pixels of the picture."""
        return {
            "step": self.step.key,
            "tiles": [
                {
                    "tile": tile,
                    "box": [round(float(v), 1) for v in box],
                    "seen": code,
                    "probability": round(p, 4),
                    "doubtful": place in self.doubtful,
                }
                for place, (tile, box, (code, p)) in enumerate(
                    zip(self.step.tiles, self.boxes, self.seen, strict=False)
                )
            ],
            "problem": self.problem.as_json() if self.problem is not None else None,
            "warning": self.warning.as_json() if self.warning is not None else None,
        }


def look(reader: Reader, image: NDArray[np.uint8], step: Step, *, turned: bool | None = None) -> Shot:
    """Find the row of a step in a picture, lying any way round.

    Args:
        reader: finds the tiles; its classifier says from which end the row is read.
        image: (H, W, 3) BGR.
        step: what was asked to be laid out.
        turned: ``True`` reads the row from the other end (rightmost or lowest tile first), ``False`` as it lies;
            default: as fits the asked tiles better.
    """
    image = brightened(image)
    boxes, row = _find(reader, image, len(step.tiles))
    if len(row) != len(step.tiles):
        text = _NOTHING if not len(boxes) else _ONE_ONLY if step.tiles == ("back",) else _WRONG_COUNT
        return _refused(step, boxes[row], text.format(asked=len(step.tiles), seen=len(row)))
    chances = log_softmax(_best_turn(reader, image, boxes[row]))
    kinds = np.array([INDEX.get(tile, BACK) for tile in step.tiles], np.int64)
    if len(row) > 1:
        gain = float(np.take_along_axis(chances[::-1] - chances, kinds[:, None], 1).mean())
        if turned if turned is not None else gain > CLEAR_ORDER:
            row, chances = row[::-1], chances[::-1]
    known = np.exp(chances[:, : BACK + 1])
    best = known.argmax(1)
    seen = tuple(((*CODES, "back")[k], float(known[i, k])) for i, k in enumerate(best))
    if step.tiles == ("back",) and best[0] < KINDS and seen[0][1] >= DISAGREES:
        return _refused(step, boxes[row], _FACE_UP.format(tile=NAMES[best[0]]))
    doubtful = tuple(int(i) for i in np.flatnonzero((best != kinds) & (known.max(1) >= DISAGREES)))
    warning = None
    if len(doubtful) == 1:
        (i,) = doubtful
        names = (*NAMES, Text("扣着的牌", "蓋著的牌", "a tile face down"))
        warning = _DIFFERS.format(place=i + 1, seen=names[best[i]], asked=names[kinds[i]])
    elif doubtful:
        warning = _MANY_DIFFER.format(n=len(doubtful))
    return Shot(step, boxes[row], seen, None, warning, doubtful, Examples.cut(image, boxes[row], kinds))


def _refused(step: Step, boxes: NDArray[np.float32], problem: Text) -> Shot:
    none = Examples(store(np.empty((1, 1, 3), np.uint8), boxes[:0]), np.empty(0, np.int64))
    return Shot(step, boxes, (("none", 0.0),) * len(boxes), problem, None, (), none)


def _find(reader: Reader, image: NDArray[np.uint8], wanted: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """All finds, and which of them are the row; the picture is turned where the first look does not give all of it.

    The finder knows rows as a player sees their own; one seen from the other side it finds better turned.
    """
    boxes, confidence, _ = reader.detector.find(image)
    row = _row(boxes, confidence, wanted)
    if len(row) != wanted and len(boxes):
        for quarter in (2, 1, 3):
            other = np.ascontiguousarray(np.rot90(image, quarter))
            found, sure, _ = reader.detector.find(other)
            again = turned_boxes(found, (other.shape[0], other.shape[1]), -quarter)
            whole = _row(again, sure, wanted)
            if len(whole) == wanted:
                return again, whole
    return boxes, row


def _row(boxes: NDArray[np.float32], confidence: NDArray[np.float32], wanted: int) -> NDArray[np.int64]:
    """Indices of the row that is meant: of the asked length if there is one, of large tiles surely found before others."""
    if not len(boxes):
        return np.empty(0, np.int64)
    rows = [np.array(row, np.int64) for row in group_rows(boxes)]
    if wanted == 1 and len(boxes) > 1:  # a tile alone among others could be any of them
        return np.arange(len(boxes))
    worth = [
        float((np.sqrt(np.prod(boxes[row, 2:] - boxes[row, :2], axis=1)) * confidence[row]).mean()) for row in rows
    ]
    exact = [i for i, row in enumerate(rows) if len(row) == wanted]
    if exact:
        return rows[max(exact, key=lambda i: worth[i])]
    return max(rows, key=len)


def _best_turn(reader: Reader, image: NDArray[np.uint8], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, 44) logits with all tiles turned the same way, the one of four in which they are surest."""
    crops = cut(image, boxes, reader.classifier.side)
    turns = [reader.classifier.logits(np.ascontiguousarray(np.rot90(crops, k, (1, 2)))) for k in range(4)]
    return max(turns, key=lambda z: float(log_softmax(z)[:, :KINDS].max(1).mean()))
