"""The live table: camera, reader, tracker, table and engine in one loop; the newest frame wins.

One thread takes the newest frame, reads what changed in it, and pins up the new state. Nothing queues: while a picture is
being read, newer frames replace each other at the source. What people say (a correction, the rules, the seat) is
worked in at once by the thread of their request, on the tiles read last, and kept for the next start.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from engine import house as house_rules
from engine.errors import InputError
from engine.settlement import SEATS
from engine.text import Text
from webui import layout
from webui.answers import YoujinWatch, answer, stage
from webui.board import Board
from webui.config import RULE_SETS
from webui.errors import NO_MODEL
from webui.games import GAMES
from webui.lookout import Lookout
from webui.memory import Memory
from webui.pace import LATE, Pace

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from vision.camera import Frame, Source
    from vision.reading import Reading
    from vision.table import Table
    from vision.watching import Glance
    from vision.zones import Zones
    from webui.config import Config
    from webui.services import Eyes
    from webui.store import Store

log = logging.getLogger(__name__)

#: The side of the picture at which the player sits, as in `vision.table.SIDES`.
Side: TypeAlias = Literal["bottom", "right", "top", "left"]


#: Seconds a wait for the next frame may take before the loop looks after other things.
PATIENCE = 0.25
#: Seconds between two attempts to open a source that failed.
RETRY = 2.0
#: Votes of a photo, which is one frame only, after which its tiles have had every chance to settle.
SETTLING = 6
#: Seconds between two pictures of a movement for the page.
FLEETING = 0.4
#: Seconds between two times that what follows from the pictures is written to the disk.
KEEPING = 5.0
#: Seconds in which another source must show its first picture to take the place of the one before.
FIRST_PICTURE = 10.0
#: Pictures kept for the page, which asks for the very one its boxes belong to.
KEPT = 4
#: Settled tiles from which a hand is whole enough to tell whether it is another one.
WHOLE_HAND = 10
#: Pictures wider than this are made smaller for the page; the reader sees them in full.
PAGE_WIDTH = 1600
JPEG_QUALITY = 82

_STARTING = Text("正在打开镜头……", "正在開啟鏡頭……", "Opening the camera …")
_READING = Text("正在看牌。", "正在看牌。", "Watching the table.")
_PHONE = Text("手机", "手機", "a phone")
_DEMO = Text("演示", "示範", "the demo")
_NO_FIRST_PICTURE = Text(
    "{name} 一直没有画面，仍用原来的镜头。",
    "{name} 一直沒有畫面，仍用原來的鏡頭。",
    "{name} gives no picture; the camera before stays.",
)
_FAILED = Text(
    "画面读取出错，正在重试。详情见程序的日志。",
    "畫面讀取出錯，正在重試。詳情見程式的日誌。",
    "Reading the picture failed; trying again. The program's log has the details.",
)


def _status(code: str, text: Text, *, trouble: bool = False) -> dict[str, Any]:
    return {"code": code, "trouble": trouble, **text.as_json()}


def _gives_a_picture(source: Source) -> bool:
    """Wait for the first picture of a source, or its word that there is none."""
    end = time.monotonic() + FIRST_PICTURE
    while time.monotonic() < end:
        if source.latest(0, 0.1) is not None:
            return True
        if source.status is not None:
            return False
    return False


def _same(note: str) -> dict[str, str] | None:
    """A source's own word for its picture, a file's name for instance."""
    return Text(note, note, note).as_json() if note else None


@dataclass
class Context:
    """What the picture cannot show.

    Attributes:
        rules, seat, dealer: as in the hand record.
        dealer_open: the next dealer is drawn by lot, and nobody has said yet who it is.
        house: house rules of the present game.
        gold: the gold where a person named it; `None` takes the one on the table.
        table: further facts for `table` of the record.
    """

    rules: str = "xiamen"
    seat: str = "A"
    dealer: str = "A"
    dealer_open: bool = False
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
        store: keeps what was said for the next start; without it the loop begins as `config` says.
        clock: seconds, counting up.
    """

    def __init__(
        self,
        config: Config,
        eyes: Eyes,
        *,
        open_source: Callable[[str], Source] | None = None,
        retry: float = RETRY,
        store: Store | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from vision.indicator import IndicatorWatch  # noqa: PLC0415  (loads OpenCV)
        from vision.tracking import Tracker  # noqa: PLC0415
        from vision.watching import Watcher  # noqa: PLC0415
        from vision.zones import Zones  # noqa: PLC0415

        self._spec = config.source if config.source is not None else "demo"
        self._eyes = eyes
        self._open = open_source
        self._phones = config.lan or config.source == "phone"
        self._retry = retry
        self._clock = clock
        self._context = Context(rules=config.rules, house=dict(config.house))
        self._watcher = Watcher()
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
        self._shown_at = 0.0
        self._kept_at = 0.0
        self._status = _status("starting", _STARTING)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        #: Something else is to be done than to wait: the end, or another source.
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._anew = threading.Event()
        self._switching = threading.Lock()
        self._next: tuple[str, Source] | None = None
        self._zones = Zones()
        self._side: Side | None = None
        self._side_seen: str | None = None
        self._memory = Memory(store, config.place)
        self._recall(config)
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
        self._wake.set()
        self.board.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)
        with self._lock:
            if self._next is not None:
                self._next[1].close()
                self._next = None
        if self._thread is not None:
            self._keep()

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
                self._trouble("no_model", NO_MODEL.format(why=error.text))
            except Exception:
                # Whatever a driver or a damaged frame does, the page stays and the loop begins anew.
                log.exception("the live loop failed and starts again")
                self._trouble("failed", _FAILED)
            self._wake.wait(self._retry)

    def _open_source(self) -> Source:
        """Open the source, or take over the one that was opened in its place."""
        with self._lock:
            if self._next is None:
                spec = self._spec
            else:
                (self._spec, source), self._next = self._next, None
                self._wake.clear()
                self._forget()
                return source
        return self._opened(spec)

    def _opened(self, spec: str) -> Source:
        if self._open is not None:
            return self._open(spec)
        from vision.camera import open_source  # noqa: PLC0415

        return open_source(spec)

    def _forget(self) -> None:
        """Forget the tiles: another camera sees the table from elsewhere, or another table."""
        self._watcher.reset()
        self._tracker.reset()
        self._gold.reset()
        self._reading = self._tracked = self._table = None
        self._caption = None
        self._status = _status("starting", _STARTING)
        self._publish()

    def _watch_source(self, source: Source) -> None:
        pace = Pace(self._clock)
        index = 0
        votes = 0
        put_off: tuple[Frame, Glance] | None = None
        while not self._wake.is_set():
            frame = source.latest(index, PATIENCE if put_off is None else LATE)
            if self._anew.is_set():
                self._anew.clear()
                self._watcher.reset()
                index = 0
                continue
            if frame is not None:
                index = frame.index
                glance = self._watcher.glance(frame.image)
                late = source.still  # each photo is whole in itself
            elif put_off is not None:
                frame, glance = put_off
                late = True
            else:
                # A photo gives one frame only: its reading is voted again, which costs nothing.
                if votes > 0 and source.still and source.status is None:
                    votes -= 1
                    self._vote_again()
                continue
            put_off = None
            with self._lock:
                step = pace.decide(glance, doubt=self._tracker.waiting, late=late)
            if step == "rest":
                self._alive()
                continue
            if step == "cover":
                put_off = frame, glance
                self._cover(frame, glance)
                continue
            if step == "read":
                votes = SETTLING
                told = getattr(getattr(source, "truth", None), "caption", None)
                self._look(frame, glance, told.as_json() if isinstance(told, Text) else _same(frame.note))
            else:
                self._look_again(frame, everywhere=step == "refresh")
            pace.done(step)

    # --- one frame ----------------------------------------------------------------------------------------

    def _look(self, frame: Frame, glance: Glance, caption: dict[str, str] | None) -> None:
        with self._eyes.reader() as reader:
            reading = self._watcher.read(reader, frame.image, glance)
        with self._lock:
            self._show(frame)
            self._caption = caption
            self._status = _status("reading", _READING)
            self._take_in(reading, still=False)
        self._keep(said=False)

    def _look_again(self, frame: Frame, *, everywhere: bool) -> None:
        """Read a still picture once more: what is in doubt, or the next part of it."""
        with self._lock:
            doubtful = self._tracker.doubtful
        with self._eyes.reader() as reader:
            if everywhere:
                reading = self._watcher.refresh(reader, frame.image)
            else:
                reading = self._watcher.again(reader, frame.image, doubtful)
        with self._lock:
            self._status = _status("reading", _READING)
            self._take_in(reading, still=True)
        self._keep(said=False)

    def _cover(self, frame: Frame, glance: Glance) -> None:
        """Something moves, a hand most likely: what it covers is in doubt, and nothing is read."""
        with self._lock:
            if self._reading is None or self._clock() - self._shown_at < FLEETING:
                return
            self._show(frame)
            self._status = _status("reading", _READING)
            self._tracked = self._tracker.cover(self._reading, glance.changed)
            self._lay_out()
            self._publish()

    def _show(self, frame: Frame) -> None:
        """Let the page have this picture from now on."""
        self._shown_at = self._clock()
        self._frame_version += 1
        self._images[self._frame_version] = frame.image
        while len(self._images) > KEPT:
            gone, _ = self._images.popitem(last=False)
            self._jpegs.pop(gone, None)

    def _vote_again(self) -> None:
        with self._lock:
            if self._reading is not None:
                self._take_in(self._reading, still=True)

    def _take_in(self, reading: Reading, *, still: bool) -> None:
        """Track a reading, lay it out, and pin up what follows from it."""
        self._reading = reading
        self._tracked = self._tracker.update(reading, still=still)
        if self._memory.pins:
            self._memory.pins = self._tracker.recall(self._memory.pins)
            self._tracked = self._tracker.newest(reading)
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
                self._tracked,
                gold=known if flipped else None,
                indicator=self._gold.index(self._tracker.ids),
                zones=self._zones,
                seat=self._side,
                before=self._side_seen,
                size=layout.hand_size(self._context.rules),
            )
            if self._table.side_sure:
                self._side_seen = self._table.side

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
        self._keep()
        return True

    def unpin(self, number: int) -> bool:
        """Take a correction back. Tells whether the tile is still there."""
        with self._lock:
            if not self._tracker.release(number):
                return False
            self._after_correction()
        self.look_anew()  # what it looks like was not asked while a person's word stood
        self._keep()
        return True

    def _after_correction(self) -> None:
        """Lay out anew; a word of a person is no further frame, and no votes are counted."""
        if self._reading is not None:
            self._tracked = self._tracker.newest(self._reading)
            self._lay_out()
            if self._table is not None:
                self._gold.see(self._table, self._tracker.ids)
        self._publish()

    def set_context(self, changes: dict[str, Any]) -> None:
        """Take over `rules`, `seat`, `dealer`, `dealer_open`, `house`, `gold`, `table` and `youjin`, those that are given.

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
            for name in ("rules", "seat", "dealer", "dealer_open", "gold", "table"):
                if name in changes:
                    setattr(self._context, name, changes[name])
            self._context.house = own
            self._lay_out()
            self._publish()
        self._keep()

    def go_on(self, deal: dict[str, Any] | None, paid: dict[str, int]) -> None:
        """Take over what the score sheet says after a booking or taking back, so that every page goes by it.

        Args:
            deal: who deals now (`None`: the lot decides) and the streaks; `None` where the hand goes on.
            paid: what each seat got, for the chips where they are counted.
        """
        with self._lock:
            table = dict(self._context.table)
            if chips := table.get("chips"):
                table["chips"] = {seat: chips[seat] + paid.get(seat, 0) for seat in chips}
            changes: dict[str, Any] = {"table": table}
            if deal is not None:
                table |= {name: deal[name] for name in ("dealer_streak", "draw_streak")}
                changes |= {"dealer": deal["dealer"] or self._context.dealer, "dealer_open": deal["dealer"] is None}
            self.set_context(changes)

    def set_zones(self, zones: Zones) -> None:
        """Take over what a person drew on the picture; kept for the next start."""
        with self._lock:
            self._zones = zones
            self._lay_out()
            self._publish()
        self._keep()

    def set_seat(self, side: Side | None) -> None:
        """Say at which side of the picture the player sits; `None`: the picture tells. Kept for the next start.

        Raises:
            ValueError: not one of `vision.table.SIDES`.
        """
        from vision.table import SIDES  # noqa: PLC0415

        if side not in {None, *SIDES}:
            raise ValueError(f"no side {side!r}")
        with self._lock:
            self._side = side
            self._lay_out()
            self._publish()
        self._keep()

    @property
    def zones(self) -> Zones:
        """What a person drew on the picture."""
        return self._zones

    @property
    def side(self) -> Side | None:
        """The side of the picture at which the player sits, where a person said it."""
        return self._side

    def look_anew(self) -> None:
        """Read the whole picture with the next frame: the eyes have learned something."""
        self._anew.set()

    # --- the source ---------------------------------------------------------------------------------------

    @property
    def spec(self) -> str:
        """The source that is looked at, as it may be shown: without the password that an address may carry."""
        from vision.camera import without_password  # noqa: PLC0415

        return without_password(self._spec)

    def sources(self) -> list[dict[str, Any]]:
        """Return what the program could look at: `[{"spec", "name": {"zh", "zh_hant", "en"}, "current"}]`.

        The cameras of this machine with their names, a phone where phones can come, the demo, and what was used last.
        """
        from vision.camera import cameras, without_password  # noqa: PLC0415

        with self._lock:
            now = self._next[0] if self._next is not None else self._spec
        found = {str(camera.number): _same(camera.name) for camera in cameras()}
        if self._phones:
            found["phone"] = _PHONE.as_json()
        found["demo"] = _DEMO.as_json()
        now = without_password(now)
        if now not in found:
            found[now] = _same(now)
        return [{"spec": spec, "name": name, "current": spec == now} for spec, name in found.items()]

    def switch(self, spec: str) -> None:
        """Look at another source from now on; kept for the next start.

        Args:
            spec: as `vision.camera.open_source` takes it, or `phone`.

        Raises:
            SourceError: it does not open or gives no picture; the one before stays.
        """
        from vision.camera import SourceError, canonical, without_password  # noqa: PLC0415

        with self._switching:
            spec = canonical(spec)
            # A source in trouble goes on trying by itself.
            if spec in {self._spec, self.spec}:
                return
            source = self._opened(spec)
            # A phone sends its first picture when somebody has scanned the code.
            if spec != "phone" and not _gives_a_picture(source):
                trouble = source.status or _NO_FIRST_PICTURE.format(name=without_password(spec))
                source.close()
                raise SourceError(trouble)
            with self._lock:
                before, self._next = self._next, (spec, source)
                self._wake.set()
            if before is not None:
                before[1].close()
            if self._thread is None:
                self._spec = spec
        self._keep()

    # --- what outlives the program ------------------------------------------------------------------------

    def _keep(self, *, said: bool = True) -> None:
        """Keep what was said, at once, and what follows from the pictures, now and then; if it changed."""
        if not said and self._clock() - self._kept_at < KEEPING:
            return
        self._kept_at = self._clock()
        with self._lock:
            context = self._context
            value = {
                "source": self._next[0] if self._next is not None else self._spec,
                "rules": context.rules,
                "seat": context.seat,
                "dealer": context.dealer,
                "dealer_open": context.dealer_open,
                "house": context.house,
                "gold": context.gold,
                "table": context.table,
                "youjin": self._watch.level,
                "tiles": dict(self._tiles_before),
                "pins": [asdict(pin) for pin in [*self._tracker.pins, *self._memory.pins]],
                "zones": self._zones.as_json(),
                "side": self._side,
            }
        self._memory.keep(value)

    def _recall(self, config: Config) -> None:
        """Go on where the run before was; what the command line says now comes first."""
        kept = self._memory.recall()
        try:
            self._recalled(kept, config)
        except (InputError, KeyError, TypeError, ValueError) as error:
            # Written by another version of the program, or by hand.
            log.warning("what was kept of the run before cannot be understood (%s); it is left out", error)

    def _recalled(self, kept: dict[str, Any], config: Config) -> None:
        from vision.table import SIDES  # noqa: PLC0415
        from vision.tracking import Pin  # noqa: PLC0415
        from vision.zones import Zones  # noqa: PLC0415

        if not kept:
            return
        context = self._context
        if "source" in config.resume:
            self._spec = str(kept["source"])
        if "rules" in config.resume and kept["rules"] in RULE_SETS:
            house_rules.load(house_rules.PROFILES[kept["rules"]], kept["house"])
            context.rules, context.house = kept["rules"], dict(kept["house"])
        if "hand" not in config.resume:
            return
        if context.rules == kept["rules"]:
            context.gold, context.table = kept["gold"], dict(kept["table"])
            self._watch.set(int(kept["youjin"]))
            self._tiles_before = Counter({str(tile): int(count) for tile, count in kept["tiles"].items()})
        if {kept["seat"], kept["dealer"]} <= set(SEATS):
            context.seat, context.dealer = kept["seat"], kept["dealer"]
            context.dealer_open = bool(kept.get("dealer_open"))
        self._memory.pins = [Pin(tuple(pin["box"]), str(pin["tile"]), str(pin["looks"])) for pin in kept["pins"]]
        self._zones = Zones.from_json(kept["zones"])
        self._side = kept["side"] if kept["side"] in SIDES else None

    # --- the state ----------------------------------------------------------------------------------------

    def picture(self) -> NDArray[np.uint8] | None:
        """Return the newest picture as it came from the source, (H, W, 3) BGR; `None` where there is none yet."""
        with self._lock:
            return self._images.get(self._frame_version)

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
            "settings": {
                "rules": context.rules,
                "seat": context.seat,
                "dealer": context.dealer,
                "dealer_open": context.dealer_open,
                "house": dict(context.house),
                "table": dict(context.table),
            },
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
            seat=context.seat,
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
