"""The live table: camera, reader, tracker, table and engine in one loop; the newest frame wins.

One thread takes the newest frame, reads it if anything in it changed, and pins up the new state. Nothing queues: while a
picture is being read, newer frames replace each other at the source. What people say (a correction, the rules, the
seat) is worked in at once by the thread of their request, on the tiles read last.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine import house as house_rules
from engine.text import Text
from webui import layout
from webui.answers import YoujinWatch, answer, stage
from webui.board import Board
from webui.games import GAMES
from webui.lookout import Lookout
from webui.motion import MotionGate

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from vision.camera import Frame, Source
    from vision.reading import Reading
    from vision.table import Table
    from webui.config import Config
    from webui.services import Eyes

log = logging.getLogger(__name__)

#: Seconds a wait for the next frame may take before the loop looks after other things.
PATIENCE = 0.25
#: Seconds between two attempts to open a source that failed.
RETRY = 2.0
#: Readings of a still picture after which its tiles have had every chance to settle.
SETTLING = 6
#: Readings of a still picture at most, where some tile might still settle or vanish.
PATIENT = 14
#: Pictures kept for the page, which asks for the very one its boxes belong to.
KEPT = 4
#: Settled tiles from which a hand is whole enough to tell whether it is another one.
WHOLE_HAND = 10
#: Pictures wider than this are made smaller for the page; the reader sees them in full.
PAGE_WIDTH = 1600
JPEG_QUALITY = 82

_STARTING = Text("正在打开镜头……", "正在開啟鏡頭……", "Opening the camera …")
_READING = Text("正在看牌。", "正在看牌。", "Watching the table.")
_NO_MODEL = Text("缺少识别模型：{why}", "缺少辨識模型：{why}", "The models that read the tiles are missing: {why}")
_FAILED = Text(
    "画面读取出错，正在重试。详情见程序的日志。",
    "畫面讀取出錯，正在重試。詳情見程式的日誌。",
    "Reading the picture failed; trying again. The program's log has the details.",
)


def _status(code: str, text: Text, *, trouble: bool = False) -> dict[str, Any]:
    return {"code": code, "trouble": trouble, **text.as_json()}


def _same(note: str) -> dict[str, str] | None:
    """A source's own word for its picture, a file's name for instance."""
    return Text(note, note, note).as_json() if note else None


@dataclass
class Context:
    """What the picture cannot show.

    Attributes:
        rules, seat, dealer: as in the hand record.
        house: house rules of the present game.
        gold: the gold where a person named it; `None` takes the one on the table.
        table: further facts for `table` of the record.
    """

    rules: str = "xiamen"
    seat: str = "A"
    dealer: str = "A"
    house: dict[str, Any] = field(default_factory=dict)
    gold: str | None = None
    table: dict[str, Any] = field(default_factory=dict)


class Loop:
    """The one loop behind the page.

    Args:
        config: which source to open, and the game to begin with.
        eyes: the reader.
        open_source: opens a source by name; tests give scripted ones.
        retry: seconds between attempts to open a source.
    """

    def __init__(
        self,
        config: Config,
        eyes: Eyes,
        *,
        open_source: Callable[[str], Source] | None = None,
        retry: float = RETRY,
    ) -> None:
        from vision.indicator import IndicatorWatch  # noqa: PLC0415  (loads OpenCV)
        from vision.tracking import Tracker  # noqa: PLC0415

        self.spec = config.source if config.source is not None else "demo"
        self._eyes = eyes
        self._open = open_source
        self._retry = retry
        self._context = Context(rules=config.rules, house=dict(config.house))
        self._tracker = Tracker()
        self._watch = YoujinWatch()
        self._gold = IndicatorWatch()
        self._reading: Reading | None = None
        self._tracked: Reading | None = None
        self._hand_before: frozenset[int] = frozenset()
        self._tiles_before: Counter[str] = Counter()
        self._table: Table | None = None
        self._images: OrderedDict[int, NDArray[np.uint8]] = OrderedDict()
        self._frame_version = 0
        #: Tells the pictures of this run of the program from those of another, which a browser may have kept.
        self.run = secrets.token_hex(4)
        self._jpegs: dict[int, bytes] = {}
        self._caption: dict[str, str] | None = None
        self._status = _status("starting", _STARTING)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.board = Board(self._state(), config.max_waiting)

    # --- running ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread; once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="live", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread and let waiting readers go."""
        self._stop.set()
        self.board.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)

    def _run(self) -> None:
        from vision.camera import SourceError  # noqa: PLC0415
        from vision.runtime import ModelError  # noqa: PLC0415

        while not self._stop.is_set():
            try:
                self._eyes.load()
                with self._open_source() as source, Lookout(source, self._tell):
                    self._watch_source(source)
            except SourceError as error:
                self._trouble("no_source", error.text)
            except ModelError as error:
                self._trouble("no_model", _NO_MODEL.format(why=error.text))
            except Exception:
                # Whatever a driver or a damaged frame does, the page stays and the loop begins anew.
                log.exception("the live loop failed and starts again")
                self._trouble("failed", _FAILED)
            self._stop.wait(self._retry)

    def _open_source(self) -> Source:
        if self._open is not None:
            return self._open(self.spec)
        from vision.camera import open_source  # noqa: PLC0415

        return open_source(self.spec)

    def _watch_source(self, source: Source) -> None:
        gate = MotionGate()
        index = 0
        repeats = 0
        readings = 0  # of the same still picture
        while not self._stop.is_set():
            frame = source.latest(index, PATIENCE)
            if frame is None:
                # A photo gives one frame only: its reading is voted again, which costs nothing.
                if repeats > 0 and source.still and source.status is None:
                    repeats -= 1
                    self._vote_again()
                continue
            index = frame.index
            if gate.changed(frame.image):
                readings = 0
            elif readings < SETTLING or (readings < PATIENT and self._tracker.waiting):
                readings += 1
            else:
                self._alive()
                continue
            repeats = SETTLING
            told = getattr(getattr(source, "truth", None), "caption", None)
            self._look(frame, told.as_json() if isinstance(told, Text) else _same(frame.note), still=readings > 0)

    # --- one frame ----------------------------------------------------------------------------------------

    def _look(self, frame: Frame, caption: dict[str, str] | None, *, still: bool) -> None:
        reading = self._eyes.read(frame.image)
        with self._lock:
            self._frame_version += 1
            self._images[self._frame_version] = frame.image
            while len(self._images) > KEPT:
                gone, _ = self._images.popitem(last=False)
                self._jpegs.pop(gone, None)
            self._caption = caption
            self._status = _status("reading", _READING)
            self._take_in(reading, still=still)

    def _vote_again(self) -> None:
        with self._lock:
            if self._reading is not None:
                self._take_in(self._reading, still=True)

    def _take_in(self, reading: Reading, *, still: bool) -> None:
        """Track a reading, lay it out, and pin up what follows from it."""
        self._reading = reading
        self._tracked = self._tracker.update(reading, still=still)
        self._lay_out()
        if self._table is not None:
            self._gold.see(self._table, self._tracker.ids)
        self._publish()

    def _lay_out(self) -> None:
        from vision.table import Table  # noqa: PLC0415

        if self._tracked is not None:
            flipped = GAMES[self._context.rules].gold == "flipped"
            known = self._context.gold or self._gold.kind
            self._table = Table.from_reading(
                self._tracked, gold=known if flipped else None, indicator=self._gold.index(self._tracker.ids)
            )

    def _alive(self) -> None:
        """The picture is there and still; trouble that was told before is over."""
        with self._lock:
            if self._status["trouble"]:
                self._status = _status("reading", _READING)
                self._publish()

    def _tell(self, trouble: Text | None) -> None:
        """Tell what is wrong with the source, or that it is over."""
        with self._lock:
            if trouble is not None:
                self._trouble("no_picture", trouble)
            elif self._status["code"] == "no_picture":
                self._alive()

    def _trouble(self, code: str, text: Text) -> None:
        with self._lock:
            self._status = _status(code, text, trouble=True)
            self._publish()

    def _publish(self) -> None:
        self.board.publish(self._state())

    # --- what people say ----------------------------------------------------------------------------------

    def pin(self, number: int, tile: str | None) -> bool:
        """Say what a tile on the table is; `None` for face down or no tile. Tells whether the tile is still there."""
        with self._lock:
            if not self._tracker.correct(number, tile or "back"):
                return False
            self._after_correction()
            return True

    def unpin(self, number: int) -> bool:
        """Take a correction back. Tells whether the tile is still there."""
        with self._lock:
            if not self._tracker.release(number):
                return False
            self._after_correction()
            return True

    def _after_correction(self) -> None:
        if self._reading is not None:
            self._take_in(self._reading, still=True)
        else:
            self._publish()

    def set_context(self, changes: dict[str, Any]) -> None:
        """Take over `rules`, `seat`, `dealer`, `house`, `gold`, `table` and `youjin`, those that are given.

        Raises:
            InputError: house rules that the game does not have; nothing is changed then.
        """
        with self._lock:
            rules = changes.get("rules", self._context.rules)
            own = changes.get("house", self._context.house if rules == self._context.rules else {})
            house_rules.load(house_rules.PROFILES[rules], own)
            if rules != self._context.rules:
                self._watch.reset()
                self._gold.reset()
            if "youjin" in changes:
                self._watch.set(changes["youjin"])
            for name in ("rules", "seat", "dealer", "gold", "table"):
                if name in changes:
                    setattr(self._context, name, changes[name])
            self._context.house = own
            self._lay_out()
            self._publish()

    # --- the state ----------------------------------------------------------------------------------------

    def jpeg(self, version: int | None = None) -> tuple[bytes, int] | None:
        """Return a picture as JPEG with its version.

        Args:
            version: of the picture; default: the newest.

        Returns:
            `None` where there is none (any more): the boxes of one picture must not lie on another.
        """
        import cv2  # noqa: PLC0415

        with self._lock:
            wanted = self._frame_version if version is None else version
            image, ready = self._images.get(wanted), self._jpegs.get(wanted)
        if ready is not None:
            return ready, wanted
        if image is None:
            return None
        height, width = image.shape[:2]
        if width > PAGE_WIDTH:
            image = cv2.resize(image, (PAGE_WIDTH, round(height * PAGE_WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not good:
            raise ValueError("the frame cannot be written as JPEG")
        ready = data.tobytes()
        with self._lock:
            if wanted in self._images:
                self._jpegs[wanted] = ready
        return ready, wanted

    def _state(self) -> dict[str, Any]:
        context = self._context
        state: dict[str, Any] = {
            "source": self.spec,
            "status": self._status,
            "caption": self._caption,
            "frame": None,
            "tiles": [],
            "problems": [],
            "hand": layout.empty_hand(),
            "settings": {"rules": context.rules, "seat": context.seat, "dealer": context.dealer},
            "record": None,
            "answer": None,
            "error": None,
            "milliseconds": None,
        }
        reading = self._tracked
        if reading is None or self._table is None:
            return state
        seen = layout.of_table(
            self._table,
            context.rules,
            ids=self._tracker.ids,
            pinned=self._pinned(),
            gold=context.gold,
            watch=self._gold,
        )
        hand = seen.hand
        if self._another_hand(hand):
            self._watch.reset()
            self._gold.reset()
            self._gold.see(self._table, self._tracker.ids)
            self._context.gold = None
            self._lay_out()
            return self._state()
        self._tell_drawn(hand)
        record = layout.record_of(
            hand, context.rules, seat=context.seat, dealer=context.dealer, house=context.house, table=context.table
        )
        record["youjin"] = hand["youjin"] = self._watch.level
        result, error = answer(record)
        if result is not None and self._settled(hand):
            level = self._watch.see(record, result)
            if level != record["youjin"]:
                record["youjin"] = hand["youjin"] = level
                result, error = answer(record)
        state.update(
            frame={
                "version": self._frame_version,
                "url": f"/live/frame.jpg?v={self._frame_version}&run={self.run}",
                "width": reading.width,
                "height": reading.height,
            },
            tiles=seen.boxes,
            problems=seen.problems,
            hand=hand,
            record=record,
            answer=result,
            error=error,
            milliseconds=round(reading.milliseconds),
        )
        return state

    def _pinned(self) -> set[int]:
        return {track.id for track in self._tracker.tracks if track.pinned is not None}

    @staticmethod
    def _settled(hand: dict[str, Any]) -> bool:
        """Tell whether nothing is in doubt that decides about 游金; flowers do not."""
        flowers = {tile["id"] for tile in hand["flowers"]}
        return hand["gold_certain"] and all(
            tile["certain"] for tile in layout.tiles_of(hand) if tile["id"] not in flowers
        )

    def _another_hand(self, hand: dict[str, Any]) -> bool:
        """Tell whether a new hand was dealt: a whole settled hand that has little in common with the one before."""
        tiles = Counter(tile["tile"] for tile in layout.tiles_of(hand) if tile["certain"])
        if tiles.total() < WHOLE_HAND:
            return False
        common = (tiles & self._tiles_before).total()
        before, self._tiles_before = self._tiles_before, tiles
        return before.total() > 0 and common < tiles.total() / 2

    def _tell_drawn(self, hand: dict[str, Any]) -> None:
        """Let the tile that was not there between the turns be the one just drawn, wherever it was put in."""
        tiles = [*hand["concealed"], *([hand["drawn"]] if hand["drawn"] is not None else [])]
        where = stage(layout.record_of(hand, self._context.rules))
        if where == "between":
            self._hand_before = frozenset(tile["id"] for tile in tiles)
        elif where == "drawn":
            new = [tile for tile in tiles if tile["id"] not in self._hand_before]
            if len(new) == 1 and hand["drawn"] is not new[0]:
                hand["concealed"] = [tile for tile in tiles if tile is not new[0]]
                hand["drawn"] = new[0]
