"""Votes over frames: which tile is which, what it is, and whether that is settled or still in doubt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import CODES, INDEX
from vision.detections import FACE_DOWN, Detections, iou
from vision.reading import Reading, arrange

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETTLE_AT = 0.9
"""Mean probability from which a kind counts as settled …"""

UNSETTLE_AT = 0.6
"""… and below which a settled one is in doubt again: between the two nothing flickers."""

MEMORY = 0.8
"""Weight of the past against the newest frame in a tile's votes."""

PATIENCE = 2
"""Frames for which a settled tile stays although nothing was found: a hand passes, one frame is blurred."""

FORGET = 6
"""Frames after which a tile that is not found any more is forgotten."""

REPLACED = 3
"""Frames in a row that must show another kind before a settled or corrected tile is taken for a new one."""


@dataclass
class Track:
    """One tile followed over frames.

    Attributes:
        id: stays the same as long as the tile is followed; what a correction names.
        box: (4,) its newest place.
        confidence: the finder's, newest.
        votes: (43,) mean probabilities of the 42 kinds and, last, of lying face down.
        seen: frames in which it was found.
        missed: frames in a row in which it was not.
        settled: whether its kind is beyond doubt.
        pinned: the kind a person said it is (-1: lying face down); ``None`` if nobody did.
        contradicted: frames in a row that showed something else than before.
        home: (2,) where it lay when it was pinned.
        shown: (43,) what the frames looked like when it was pinned.
    """

    id: int
    box: NDArray[np.float32]
    confidence: float
    votes: NDArray[np.float64]
    seen: int = 1
    missed: int = 0
    settled: bool = False
    pinned: int | None = None
    contradicted: int = 0
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

    def update(self, reading: Reading) -> Reading:
        """Take in a reading; the answer has the same form, with ``certain`` meaning settled.

        Boxes are the newest ones, kinds and probabilities the votes so far. Settled tiles that were missed for a frame
        or two are still listed.
        """
        found = reading.detections
        self._shift(found)
        pairs = self._associate(found)
        votes = _ballots(found)
        for track, index in pairs:
            self._vote(track, found, index, votes[index])
        taken = {index for _, index in pairs}
        followed = {id(track) for track, _ in pairs}
        for track in self.tracks:
            if id(track) not in followed:
                track.missed += 1
        self.tracks = [t for t in self.tracks if t.missed <= FORGET]
        for index in range(len(found)):
            if index not in taken:
                self.tracks.append(self._new(found, index, votes[index]))
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
                track.settled, track.contradicted = True, 0
                return True
        return False

    def release(self, track_id: int) -> bool:
        """Take a correction back. Returns whether the tile is still there."""
        for track in self.tracks:
            if track.id == track_id:
                track.pinned, track.settled = None, False
                return True
        return False

    def reset(self) -> None:
        """Forget everything: another table, another photo."""
        self.tracks, self.ids = [], []

    def _new(self, found: Detections, index: int, ballot: NDArray[np.float64]) -> Track:
        track = Track(self._next, found.boxes[index], float(found.confidence[index]), ballot.copy())
        track.settled = self.frames_to_settle == 1 and bool(found.certain[index])
        self._next += 1
        return track

    def _shift(self, found: Detections) -> None:
        """Move the tracks along when the camera was nudged or the whole row was pushed.

        Each pair of a track and a find of the same kind proposes a shift; the one that most pairs agree on is taken
        when it explains clearly more finds than standing still does.
        """
        if not self.tracks or not len(found):
            return
        centres = np.array([t.centre for t in self.tracks])
        kinds = np.array([t.kind for t in self.tracks])
        side = float(np.median([t.side for t in self.tracks]))
        same = kinds[:, None] == found.kind[None, :]
        moves = (found.centres[None, :, :] - centres[:, None, :])[same]
        if not len(moves):
            return
        near = np.hypot(*moves.T) < 8 * side
        moves = moves[near]
        if not len(moves):
            return
        agree = (np.abs(moves[:, None, :] - moves[None, :, :]) < 0.25 * side).all(2).sum(1)
        best = int(agree.argmax())
        still = int((np.abs(moves) < 0.3 * side).all(1).sum())
        if agree[best] < max(4, 1.5 * still + 1, 0.5 * len(self.tracks)):
            return
        close = (np.abs(moves - moves[best]) < 0.25 * side).all(1)
        move = moves[close].mean(0)
        for track in self.tracks:
            track.box = np.asarray(track.box + np.tile(move, 2), np.float32)
            track.home = track.home + move

    def _associate(self, found: Detections) -> list[tuple[Track, int]]:
        """Pairs of track and find, the best first: overlapping, or close; the same kind helps."""
        if not self.tracks or not len(found):
            return []
        boxes = np.array([t.box for t in self.tracks], np.float32)
        overlap = iou(boxes, found.boxes)
        centres = np.array([t.centre for t in self.tracks])
        distance = np.linalg.norm(centres[:, None] - found.centres[None], axis=2)
        side = np.array([t.side for t in self.tracks])[:, None]
        near = (overlap > 0.3) | (distance < 0.4 * side)
        same = np.array([t.kind for t in self.tracks])[:, None] == found.kind[None, :]
        score = np.where(near, overlap + 0.3 * same - 0.3 * distance / side + 1, -1)
        pairs: list[tuple[Track, int]] = []
        for flat in np.argsort(-score, axis=None):
            i, j = divmod(int(flat), len(found))
            if score[i, j] < 0:
                break
            pairs.append((self.tracks[i], j))
        return _unique(pairs)

    def _vote(self, track: Track, found: Detections, index: int, ballot: NDArray[np.float64]) -> None:
        box = found.boxes[index]
        moved = float(np.abs((box[:2] + box[2:]) / 2 - track.centre).max()) > 0.15 * track.side
        # A tile lying still trembles by a pixel or two between frames; smoothing keeps its frame still on the page.
        track.box = box if moved else np.asarray(0.5 * track.box + 0.5 * box, np.float32)
        track.confidence = float(found.confidence[index])
        track.seen, track.missed = track.seen + 1, 0
        if track.pinned is not None:
            self._hold(track, ballot)
            return
        track.contradicted = track.contradicted + 1 if _kind(ballot) != _kind(track.votes) and ballot.max() > 0.5 else 0
        if track.contradicted >= REPLACED:
            track.votes, track.settled, track.contradicted, track.seen = ballot.copy(), False, 0, 1
            return
        keep = min(MEMORY, 1 - 1 / track.seen)
        before = _kind(track.votes)
        track.votes = keep * track.votes + (1 - keep) * ballot
        top = float(track.votes.max())
        if track.settled:
            track.settled = top >= UNSETTLE_AT and _kind(track.votes) == before
        else:
            agreed = track.seen >= self.frames_to_settle and track.contradicted == 0
            track.settled = agreed and (bool(found.certain[index]) if self.frames_to_settle == 1 else top >= SETTLE_AT)

    def _hold(self, track: Track, ballot: NDArray[np.float64]) -> None:
        """Keep a correction unless the tile moved away or the picture there became another one."""
        track.votes = MEMORY * track.votes + (1 - MEMORY) * ballot
        likeness = float(ballot @ track.shown) / max(float(np.linalg.norm(ballot) * np.linalg.norm(track.shown)), 1e-9)
        track.contradicted = track.contradicted + 1 if likeness < 0.3 else 0
        gone = float(np.linalg.norm(track.centre - track.home)) > 0.6 * track.side
        if gone or track.contradicted >= REPLACED:
            track.pinned, track.settled, track.contradicted = None, False, 0
            track.votes, track.seen = ballot.copy(), 1

    def _answer(self, reading: Reading) -> Reading:
        listed = [t for t in self.tracks if t.missed == 0 or (t.settled and t.missed <= PATIENCE)]
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
            np.array([t.settled for t in listed], np.bool_),
            np.zeros(len(listed), np.float32),
        )
        detections, rows, problems = arrange(detections)
        pinned = np.array([t.pinned is not None for t in listed], np.bool_)
        return replace(
            reading, detections=replace(detections, certain=detections.certain | pinned), rows=rows, problems=problems
        )


def _unique(pairs: list[tuple[Track, int]]) -> list[tuple[Track, int]]:
    tracks: set[int] = set()
    finds: set[int] = set()
    result = []
    for track, index in pairs:
        if track.id not in tracks and index not in finds:
            tracks.add(track.id)
            finds.add(index)
            result.append((track, index))
    return result


def _ballots(found: Detections) -> NDArray[np.float64]:
    """(N, 43) what each find votes for: its probabilities, or lying face down."""
    ballots = np.zeros((len(found), len(CODES) + 1))
    ballots[:, :-1] = found.probability
    down = found.kind == FACE_DOWN
    ballots[down, :-1] *= 0.1
    ballots[down, -1] = 1 - ballots[down, :-1].sum(1)
    return ballots


def _kind(votes: NDArray[np.float64]) -> int:
    best = int(votes.argmax())
    return best if best < len(CODES) else FACE_DOWN
