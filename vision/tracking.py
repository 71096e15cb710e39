"""Votes over frames: which tile is which, what it is, and whether that is settled or still in doubt.

Two rules stand above all others. What is shown as settled was seen alike in several frames in a row, and the first
frame that says otherwise, or does not show the tile at all, puts it in doubt at once. And a tile is not another tile: one
that was away and comes back as another kind is followed anew, without anything its predecessor had earned.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import CODES, INDEX
from vision.detections import FACE_DOWN, Detections, iou
from vision.reading import Reading, arrange

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETTLE_AT = 0.95
"""Mean probability, over the frames that agreed in a row, from which a kind counts as settled …"""

AGREED = 0.8
"""… if its votes, which remember longer, give it this much …"""

UNSETTLE_AT = 0.6
"""… and votes below which a settled one is in doubt again: between the two nothing flickers."""

MEMORY = 0.8
"""Weight of the past against the newest frame in a tile's votes."""

PATIENCE = 2
"""Frames for which a tile stays on the page, in doubt, although it was not found: a hand passes, a frame is blurred."""

FORGET = 6
"""Frames after which a tile that is not found any more is forgotten."""

REPLACED = 3
"""Frames in a row that must show another kind before the page takes a tile for a new one (in doubt it is at once)."""

PUSHED = 2.2
"""Tile sides by which a tile may move from one frame to the next when its row closes up (by two places for a pong)."""

COVERED = 4
"""Face-up tiles that vanish in one frame when a hand comes over the table …"""

COVERED_SHARE = 0.12
"""… or, on a full table, at least this share of them."""

FREEZE = 20
"""Frames for which what a hand covers stays as it was; then it counts as taken away …"""

STILL = 3
"""… and so many frames once nothing in the picture moves any more."""

SURE = 0.9
"""Probability from which a single frame is believed to contradict a person's word or to show a tile again."""


@dataclass(frozen=True)
class Pin:
    """A correction without its track: where the tile lies, what it is, and what it looks like (codes, or ``back``)."""

    box: tuple[float, float, float, float]
    tile: str
    looks: str


@dataclass(eq=False)
class Track:
    """One tile followed over frames.

    Attributes:
        id: stays the same as long as the tile is followed; what a correction names.
        box: (4,) its newest place.
        confidence: the finder's, newest.
        votes: (43,) mean probabilities of the 42 kinds and, last, of lying face down.
        seen: frames in which it was found.
        agreed: newest frames in a row that showed its kind.
        run: mean probability that those frames gave it.
        contradicted: newest frames in a row that showed something else.
        rival: what the newest of them showed, the frames in a row that did, and their mean probability.
        missed: newest frames in a row in which it was not found, those under a hand left out.
        covered: not found in the newest frame, and a hand is over the table.
        settled: whether its kind is beyond doubt.
        known: whether it ever was.
        pinned: the kind a person said it is (-1: lying face down); ``None`` if nobody did.
        home: (2,) where it lay when it was pinned.
        shown: (43,) what the frames looked like when it was pinned.
    """

    id: int
    box: NDArray[np.float32]
    confidence: float
    votes: NDArray[np.float64]
    seen: int = 1
    agreed: int = 1
    run: float = 0.0
    contradicted: int = 0
    rival: tuple[int, int, float] = (FACE_DOWN, 0, 0.0)
    missed: int = 0
    covered: bool = False
    settled: bool = False
    known: bool = False
    pinned: int | None = None
    home: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    shown: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(CODES) + 1))

    @property
    def kind(self) -> int:
        """The kind it is taken for, -1 face down."""
        return self.pinned if self.pinned is not None else _kind(self.votes)

    @property
    def centre(self) -> NDArray[np.float64]:
        """(2,) middle of its box."""
        return np.asarray((self.box[:2] + self.box[2:]) / 2, np.float64)

    @property
    def side(self) -> float:
        """Longer side of its box."""
        return float(max(self.box[2] - self.box[0], self.box[3] - self.box[1]))

    @property
    def there(self) -> bool:
        """Whether it was found in the newest frame."""
        return self.missed == 0 and not self.covered

    @property
    def beyond_doubt(self) -> bool:
        """Whether the page may show it as settled now."""
        return self.there and self.contradicted == 0 and (self.settled or self.pinned is not None)


class Tracker:
    """Follows the tiles of a table from reading to reading.

    Args:
        frames_to_settle: readings that must agree before a kind is settled. 1 for a single photo, where a tile is
            settled when its reading is certain.
    """

    def __init__(self, frames_to_settle: int = 3) -> None:
        self.frames_to_settle = max(1, frames_to_settle)
        self.tracks: list[Track] = []
        self.ids: list[int] = []
        """Track ids of the detections of the newest answer of ``update``, in the same order."""
        self._next = 1
        self._frozen = 0
        self._still = 0

    @property
    def frozen(self) -> bool:
        """Whether a hand is over the table: what it covers is kept as it was, and in doubt."""
        return self._frozen > 0

    @property
    def waiting(self) -> bool:
        """Whether further readings of the same picture may still change the answer."""
        return self.frozen or len(self.doubtful) > 0

    @property
    def doubtful(self) -> NDArray[np.float32]:
        """(N, 4) boxes of the tiles of which a further reading of the same picture may change something."""
        return np.array(
            [
                t.box
                for t in self.tracks
                if t.covered
                or 0 < t.missed <= PATIENCE
                or t.contradicted
                or (not t.settled and t.agreed < self.frames_to_settle)
            ],
            np.float32,
        ).reshape(-1, 4)

    def cover(self, reading: Reading, regions: list[tuple[int, int, int, int]]) -> Reading:
        """Something moves in parts of the picture: the tiles there are kept as they were, and in doubt.

        Args:
            reading: the newest one; what lies elsewhere stays as it is.
            regions: left, top, right, bottom in pixels.
        """
        for track in self.tracks:
            left, top, right, bottom = track.box
            if track.missed == 0 and any(
                left < region[2] and right > region[0] and top < region[3] and bottom > region[1] for region in regions
            ):
                track.covered = True
        return self._answer(reading)

    def update(self, reading: Reading, *, still: bool = False) -> Reading:
        """Take in a reading; the answer has the same form, with ``certain`` meaning settled.

        Boxes are the newest ones, kinds and probabilities the votes so far. Known tiles that were missed for a frame or
        two, or that lie under a hand, are still listed, in doubt.

        Args:
            reading: what the newest frame shows.
            still: whether the frame shows the same as the one before; a hand over the table never keeps still for long.
        """
        found = reading.detections
        self._still = self._still + 1 if still else 0
        self._shift(found)
        votes = _ballots(found)
        pairs, moved = self._associate(found)
        followed = {track.id for track, _ in [*pairs, *moved]}
        taken = {index for _, index in [*pairs, *moved]}
        fresh = sum(index not in taken and found.kind[index] != FACE_DOWN for index in range(len(found)))
        self._freeze([t for t in self.tracks if t.id not in followed], fresh)
        for track, index in moved:
            self._move(track, found, index, votes[index])
        new: list[Track] = []
        for track, index in pairs:
            if not self._is_another(track, votes[index]):
                self._vote(track, found, index, votes[index])
            elif self.frozen:
                # Half under a hand a tile looks like another; it is in doubt, and nothing more is made of it.
                track.covered = True
            else:
                # What those frames have shown alike counts for the new tile.
                _challenge(track, votes[index])
                self.tracks.remove(track)
                new.append(self._new(found, index, votes[index], track.rival if track.there else None))
        for track in self.tracks:
            if track.id not in followed:
                track.covered = self.frozen and (track.missed == 0)
                track.missed += not track.covered
        self.tracks = [t for t in self.tracks if t.missed <= FORGET]
        for track in self.tracks:
            if track.missed > PATIENCE:
                # What a person said of a tile ends with the tile; the next one in its place may look just like it.
                track.pinned, track.settled, track.agreed = None, False, 0
        new += [self._new(found, index, votes[index]) for index in range(len(found)) if index not in taken]
        self.tracks += new
        return self._answer(reading)

    def correct(self, track_id: int, code: str) -> bool:
        """A person says what a tile is (MPSZ code, or ``back``); this holds until the tile moves or is replaced.

        Returns:
            Whether the tile is still there.

        Raises:
            ValueError: no such code.
        """
        if code != "back" and code not in INDEX:
            raise ValueError(f"no tile is called {code!r}")
        for track in self.tracks:
            if track.id == track_id:
                track.pinned = FACE_DOWN if code == "back" else INDEX[code]
                track.home, track.shown = track.centre, track.votes.copy()
                track.contradicted = 0
                return True
        return False

    def release(self, track_id: int) -> bool:
        """Take a correction back. Returns whether the tile is still there."""
        for track in self.tracks:
            if track.id == track_id:
                track.pinned, track.settled, track.agreed = None, False, 0
                return True
        return False

    @property
    def pins(self) -> list[Pin]:
        """The corrections that hold now."""
        return [
            Pin(_floats(t.box), _code(t.pinned), _code(_kind(t.shown))) for t in self.tracks if t.pinned is not None
        ]

    def recall(self, pins: list[Pin]) -> list[Pin]:
        """Apply corrections of an earlier run to the tiles that lie where theirs did and look as they did.

        Returns:
            Those whose tile was not found.
        """
        left = []
        for pin in pins:
            box = np.array([pin.box], np.float32)
            over = [float(iou(track.box[None], box)[0, 0]) if track.pinned is None else 0.0 for track in self.tracks]
            best = int(np.argmax(over)) if over else -1
            if best >= 0 and over[best] > 0.5 and _code(self.tracks[best].kind) == pin.looks:
                self.correct(self.tracks[best].id, pin.tile)
            else:
                left.append(pin)
        return left

    def newest(self, reading: Reading) -> Reading:
        """The answer of the newest ``update`` anew, after a correction for instance; ``reading`` is what it was given."""
        return self._answer(reading)

    def reset(self) -> None:
        """Forget everything: another table, another photo."""
        self.tracks, self.ids, self._frozen, self._still = [], [], 0, 0

    def _new(
        self, found: Detections, index: int, ballot: NDArray[np.float64], before: tuple[int, int, float] | None = None
    ) -> Track:
        track = Track(
            self._next, found.boxes[index], float(found.confidence[index]), ballot.copy(), run=float(ballot.max())
        )
        track.settled = self.frames_to_settle == 1 and bool(found.certain[index])
        if before is not None:
            _, track.agreed, track.run = before
            track.seen = track.agreed
            track.settled = track.agreed >= self.frames_to_settle and track.run >= SETTLE_AT
        track.known = track.settled
        self._next += 1
        return track

    def _shift(self, found: Detections) -> None:
        """Move the tracks along when the camera was nudged or the whole row was pushed.

        Each pair of a track and a find of the same kind proposes a shift; the one that most pairs agree on is taken
        when it explains at least half the tiles, and hardly any of them was found where it lay before.
        """
        faces = [t for t in self.tracks if t.missed <= PATIENCE and t.kind != FACE_DOWN]
        if not faces or not len(found):
            return
        centres = np.array([t.centre for t in faces])
        side = float(np.median([t.side for t in faces]))
        same = np.array([t.kind for t in faces])[:, None] == found.kind[None, :]
        moves = found.centres[None, :, :] - centres[:, None, :]
        proposed = moves[same & (np.hypot(moves[..., 0], moves[..., 1]) < 8 * side)]
        if not len(proposed):
            return
        agree = (np.abs(proposed[:, None, :] - proposed[None, :, :]) < 0.25 * side).all(2).sum(1)
        best = proposed[int(agree.argmax())]
        explained = same & (np.abs(moves - best) < 0.25 * side).all(2)
        still = int((same & (np.abs(moves) < 0.3 * side).all(2)).any(1).sum())
        count = int(explained.any(1).sum())
        if count < max(4, 0.5 * len(faces)) or still > 0.25 * count:
            return
        move = moves[explained].mean(0)
        for track in self.tracks:
            track.box = np.asarray(track.box + np.tile(move, 2), np.float32)
            track.home = track.home + move

    def _associate(self, found: Detections) -> tuple[list[tuple[Track, int]], list[tuple[Track, int]]]:
        """Pairs of track and find: those in their places, and those whose tile was pushed along by a place or two.

        First what lies where it lay and looks as it looked. Then a tile that looks as one did that is missing nearby
        (when one is taken out of a row, the rest closes up). Last what lies where it lay and looks otherwise.
        """
        if not self.tracks or not len(found):
            return [], []
        boxes = np.array([t.box for t in self.tracks], np.float32)
        overlap = iou(boxes, found.boxes)
        centres = np.array([t.centre for t in self.tracks])
        distance = np.linalg.norm(centres[:, None] - found.centres[None], axis=2)
        side = np.array([t.side for t in self.tracks])[:, None]
        near = (overlap > 0.3) | (distance < 0.4 * side)
        same = np.array([t.kind for t in self.tracks])[:, None] == found.kind[None, :]
        # What a person named need not look like it: there the look at that moment counts.
        for i, track in enumerate(self.tracks):
            if track.pinned is not None:
                same[i] = found.kind == _kind(track.shown)
        # Tiles of the rows, and nothing face down: walls are all alike.
        away = same & (distance < PUSHED * side) & (found.kind[None, :] != FACE_DOWN)
        # Under a hand a row may close up; while it is still there, what is found beside it is no tile pushed along.
        away &= np.array([t.missed == 0 and not (t.covered and self.frozen) for t in self.tracks])[:, None]
        closeness = overlap - 0.3 * distance / side + 1
        free = np.ones_like(near)
        at_home = _best_pairs(np.where(near & same & free, closeness, -1), free)
        moved = _best_pairs(np.where(away & free, PUSHED + 1 - distance / side, -1), free)
        otherwise = _best_pairs(np.where(near & free, closeness, -1), free)
        return (
            [(self.tracks[i], j) for i, j in [*at_home, *otherwise]],
            [(self.tracks[i], j) for i, j in moved],
        )

    def _freeze(self, missing: list[Track], fresh: int) -> None:
        """Notice a hand over the table: many known tiles vanish in the same frame. Over when nearly all are back.

        Args:
            missing: the tiles that were not found.
            fresh: how many were found that were not there before; a row that is sorted hides none.
        """
        known = sum(t.known and t.missed == 0 and t.kind != FACE_DOWN for t in self.tracks)
        gone = sum(t.known and t.missed == 0 and t.kind != FACE_DOWN for t in missing) - fresh
        hand = gone >= (2 if self.frozen else max(COVERED, COVERED_SHARE * known))
        self._frozen = self._frozen + 1 if hand and self._frozen < FREEZE and self._still < STILL else 0

    def _is_another(self, track: Track, ballot: NDArray[np.float64]) -> bool:
        """Whether what lies in a track's place cannot be its tile: that was away, or was another for several frames."""
        if track.pinned is not None:
            return _unlike(ballot, track) and (not track.there or track.contradicted + 1 >= REPLACED)
        if _kind(ballot) == _kind(track.votes):
            return False
        return not track.there or (track.known and track.contradicted + 1 >= REPLACED)

    def _place(self, track: Track, found: Detections, index: int) -> None:
        box = found.boxes[index]
        moved = float(np.abs((box[:2] + box[2:]) / 2 - track.centre).max()) > 0.15 * track.side
        # A tile lying still trembles by a pixel or two between frames; smoothing keeps its frame still on the page.
        track.box = box if moved else np.asarray(0.5 * track.box + 0.5 * box, np.float32)
        track.confidence = float(found.confidence[index])

    def _move(self, track: Track, found: Detections, index: int, ballot: NDArray[np.float64]) -> None:
        """The tile was pushed to another place: it keeps its id, and has to be agreed on again there."""
        self._place(track, found, index)
        track.votes, track.run = ballot.copy(), float(ballot.max())
        track.seen, track.agreed, track.contradicted, track.missed = 1, 1, 0, 0
        track.settled, track.covered, track.pinned = False, False, None

    def _vote(self, track: Track, found: Detections, index: int, ballot: NDArray[np.float64]) -> None:
        self._place(track, found, index)
        if track.pinned is not None and float(np.linalg.norm(track.centre - track.home)) > 0.6 * track.side:
            self._move(track, found, index, ballot)
            return
        was_away = not track.there
        track.seen, track.missed, track.covered = track.seen + 1, 0, False
        before = _kind(track.votes)
        agrees = _kind(ballot) == before
        keep = min(MEMORY, 1 - 1 / track.seen)
        track.votes = keep * track.votes + (1 - keep) * ballot
        if track.pinned is not None:
            if _unlike(ballot, track):
                track.contradicted += 1
                _challenge(track, ballot)
            else:
                track.contradicted, track.rival = 0, (FACE_DOWN, 0, 0.0)
            return
        top = float(track.votes.max())
        if not agrees:
            track.contradicted, track.agreed, track.settled = track.contradicted + 1, 0, False
            _challenge(track, ballot)
            if _kind(track.votes) != before:
                track.contradicted, track.agreed, track.run = 0, 1, float(ballot.max())
            return
        track.contradicted, track.rival = 0, (FACE_DOWN, 0, 0.0)
        track.agreed = 1 if was_away and ballot.max() < SURE else track.agreed + 1
        track.run += (float(ballot.max()) - track.run) / min(track.agreed, 5)
        if track.settled:
            track.settled = top >= UNSETTLE_AT and track.agreed > 1
        elif self.frames_to_settle == 1:
            track.settled = bool(found.certain[index])
        else:
            track.settled = track.agreed >= self.frames_to_settle and track.run >= SETTLE_AT and top >= AGREED
        track.known = track.known or track.settled

    def _answer(self, reading: Reading) -> Reading:
        listed = self._listed()
        self.ids = [t.id for t in listed]
        if not listed:
            return replace(reading, detections=Detections.empty(), rows=[], problems=[])
        probability = np.array([t.votes[: len(CODES)] for t in listed], np.float32)
        for row, track in zip(probability, listed, strict=True):
            if track.pinned is not None and track.pinned >= 0:
                row[:] = 0
                row[track.pinned] = 1
        detections = Detections(
            np.array([t.box for t in listed], np.float32),
            np.array([t.confidence for t in listed], np.float32),
            np.array([t.kind for t in listed], np.int16),
            probability,
            np.array([t.beyond_doubt for t in listed], np.bool_),
            np.zeros(len(listed), np.float32),
        )
        detections, rows, problems = arrange(detections)
        # What cannot be is in doubt, but not what a person said.
        told = np.array([t.pinned is not None and t.beyond_doubt for t in listed], np.bool_)
        return replace(
            reading, detections=replace(detections, certain=detections.certain | told), rows=rows, problems=problems
        )

    def _listed(self) -> list[Track]:
        """The tiles found, and the known ones that were just missed unless something else lies in their place."""
        there = [t for t in self.tracks if t.there]
        away = [t for t in self.tracks if not t.there and t.missed <= PATIENCE and (t.known or t.pinned is not None)]
        if self.frozen:
            # A new find beside a hand may be the hand; what lies there shows when it is gone.
            there = [t for t in there if t.known or t.seen > 1 or t.pinned is not None]
        if there and away:
            over = iou(np.array([t.box for t in away], np.float32), np.array([t.box for t in there], np.float32))
            away = [t for t, row in zip(away, over, strict=True) if row.max() < 0.3]
        kept = {t.id for t in [*there, *away]}
        return [t for t in self.tracks if t.id in kept]


def _best_pairs(score: NDArray[np.float64], free: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(row, column) of the best positive scores, each row and column once; what is taken is struck out of ``free``."""
    pairs: list[tuple[int, int]] = []
    rows, columns = np.nonzero(score > 0)
    for k in np.argsort(-score[rows, columns], kind="stable"):
        i, j = int(rows[k]), int(columns[k])
        if free[i, j]:
            pairs.append((i, j))
            free[i, :] = free[:, j] = False
    return pairs


def _challenge(track: Track, ballot: NDArray[np.float64]) -> None:
    """Count a frame for the kind that contradicts a track."""
    kind, frames, mean = track.rival
    if kind != _kind(ballot):
        frames, mean = 0, 0.0
    track.rival = (_kind(ballot), frames + 1, mean + (float(ballot.max()) - mean) / (frames + 1))


def _unlike(ballot: NDArray[np.float64], track: Track) -> bool:
    """Whether a frame clearly shows something else than what a person named.

    The tile was named because its picture misleads: the frame is held against what it looked like at that moment.
    """
    size = float(np.linalg.norm(ballot) * np.linalg.norm(track.shown))
    likeness = float(ballot @ track.shown) / max(size, 1e-9)
    return likeness < 0.3 and float(ballot.max()) >= SURE and _kind(ballot) != track.pinned


def _ballots(found: Detections) -> NDArray[np.float64]:
    """(N, 43) what each find votes for: its probabilities, or lying face down."""
    ballots = np.zeros((len(found), len(CODES) + 1))
    ballots[:, :-1] = found.probability
    down = found.kind == FACE_DOWN
    ballots[down, :-1] *= 0.1
    ballots[down, -1] = 1 - ballots[down, :-1].sum(1)
    return ballots


def _code(kind: int) -> str:
    return CODES[kind] if kind != FACE_DOWN else "back"


def _floats(box: NDArray[np.float32]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(value) for value in box)
    return left, top, right, bottom


def _kind(votes: NDArray[np.float64]) -> int:
    best = int(votes.argmax())
    return best if best < len(CODES) else FACE_DOWN
