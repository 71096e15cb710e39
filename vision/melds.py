"""Sets laid open: which tiles form one, and from whom the turned tile came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.tiles import HONOUR, PLAYABLE, WHITE, format_tiles
from vision.detections import FACE_DOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

CHOW, PONG, KONG, ADDED_KONG, CONCEALED_KONG = "chow", "pong", "kong", "added_kong", "concealed_kong"

LEFT, ACROSS, RIGHT = "left", "across", "right"

SEATS: Final = "ABCD"

_STEPS: Final = {RIGHT: 1, ACROSS: 2, LEFT: 3}


def seat_of(source: str, seat: str) -> str:
    """The seat of the neighbour at one's ``left``, ``across`` or ``right``; the next in turn sits at the right.

    >>> seat_of("right", "C"), seat_of("left", "A"), seat_of("across", "B")
    ('D', 'D', 'D')
    """
    return SEATS[(SEATS.index(seat) + _STEPS[source]) % 4]


@dataclass(frozen=True)
class Meld:
    """A set laid open.

    Attributes:
        kind: ``chow``, ``pong``, ``kong``, ``added_kong`` or ``concealed_kong``.
        indices: of its detections, in reading order.
        tiles: MPSZ; a concealed kong's hidden tiles are what its open ones are, ``""`` where all four are hidden.
        source: the neighbour from whom the turned tile came, ``left``, ``across`` or ``right``; ``None``: no tile lies
            turned, or one cannot tell.
    """

    kind: str
    indices: tuple[int, ...]
    tiles: str
    source: str | None = None


def meld_kind(kinds: list[int], gold: int | None = None) -> str | None:
    """What set the kinds form: ``chow``, ``pong``, ``kong``, ``concealed_kong`` (some tiles face down), or none.

    Args:
        kinds: of the tiles, -1 face down.
        gold: the kind that is gold; a white then counts as it (R 3).

    >>> meld_kind([0, 1, 2]), meld_kind([33, 33, 33]), meld_kind([5, -1, -1, 5]), meld_kind([0, 1, 3])
    ('chow', 'pong', 'concealed_kong', None)
    >>> meld_kind([3, 5, 31]), meld_kind([3, 5, 31], gold=4)  # 4m 6m and a white, gold 5m
    (None, 'chow')
    """
    plain = _set_of(kinds)
    if plain is not None or gold is None or WHITE not in kinds:
        return plain
    return _set_of([gold if kind == WHITE else kind for kind in kinds])


def _set_of(kinds: list[int]) -> str | None:
    faces = sorted(k for k in kinds if k != FACE_DOWN)
    if not faces or faces[-1] >= PLAYABLE:
        return None
    if len(kinds) == 4 and len(set(faces)) == 1:
        return KONG if len(faces) == 4 else CONCEALED_KONG
    if len(kinds) == 3 and len(faces) == 3:
        if faces[0] == faces[2]:
            return PONG
        suited = faces[2] < HONOUR and faces[0] // 9 == faces[2] // 9
        return CHOW if suited and faces[1] == faces[0] + 1 and faces[2] == faces[0] + 2 else None
    return None


def make_meld(
    kind: str, indices: Sequence[int], kinds: Sequence[int], turned: Sequence[int] = (), row: int | None = None
) -> Meld:
    """The meld of some tiles.

    Args:
        kind: as ``meld_kind`` says.
        indices: of the detections, in reading order; those in the row first.
        kinds: of the tiles, -1 face down.
        turned: places in the row of the tiles that lie across.
        row: how many of the tiles lie in the row; default: all.
    """
    faces = [k for k in kinds if k != FACE_DOWN]
    tiles = format_tiles(faces[:1] * 4 if kind == CONCEALED_KONG else faces)
    source = None
    if len(turned) == 1 and kind != CONCEALED_KONG:
        # A chow comes only from the player before, who sits at the left, whichever tile lies across.
        last = (len(indices) if row is None else row) - 1
        source = LEFT if kind == CHOW or turned[0] == 0 else RIGHT if turned[0] == last else ACROSS
    return Meld(kind, tuple(indices), tiles, source)


def cut(indices: Sequence[int], kinds: Sequence[int], gold: int | None = None) -> list[list[int]] | None:
    """Tiles side by side cut into sets, ``None`` where they are not all part of one.

    Args:
        indices: in reading order.
        kinds: of every detection.
        gold: see ``meld_kind``.

    >>> cut([3, 4, 5, 6, 7, 8], [0, 0, 0, 1, 2, 3, 7, 7, 7])
    [[3, 4, 5], [6, 7, 8]]
    """
    if not indices:
        return []
    for size in (4, 3):
        part = list(indices[:size])
        if len(part) == size and meld_kind([int(kinds[i]) for i in part], gold) is not None:
            rest = cut(indices[size:], kinds, gold)
            if rest is not None:
                return [part, *rest]
    return None
