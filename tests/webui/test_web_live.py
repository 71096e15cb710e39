"""The live loop with a scripted camera: newest frame, still pictures, trouble and recovery, what people say."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from scripted import ScriptedReader, ScriptedSource, picture, reading_of

from engine.errors import InputError
from engine.text import Text
from vision.camera import Camera, SourceError
from vision.runtime import ModelError
from vision.zones import Zones
from webui.app import create_app
from webui.config import Config
from webui.live import Loop
from webui.services import Eyes
from webui.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask.testing import FlaskClient

    from vision.reading import Reading

Wait = "Callable[[Callable[[], object]], None]"

READY = reading_of("1z|xxxxx", "123m456p789s222z345s5m")
DRAWN = reading_of("1z|xxxxx", "123m456p789s222z345s5m|9p")
YOUJIN = DRAWN


class Table:
    """A running loop with its camera and reader."""

    def __init__(self, readings: dict[int, Reading], **settings: Any) -> None:
        self.reader = ScriptedReader(readings)
        self.source = ScriptedSource()
        config = Config(source="scripted", **settings)
        self.loop = Loop(config, Eyes(config, self.reader), open_source=self.open, retry=0.01)
        self.opened = 0
        self.refuse: Exception | None = None

    def open(self, spec: str) -> ScriptedSource:
        assert spec == "scripted"
        self.opened += 1
        if self.refuse is not None:
            raise self.refuse
        return self.source

    @property
    def state(self) -> dict[str, Any]:
        return self.loop.board.read()

    def show(self, number: int, times: int = 1) -> None:
        for _ in range(times):
            self.source.show(picture(number))


@pytest.fixture(autouse=True)
def no_refresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.pace.REFRESH", 1e9)


@pytest.fixture
def table(running: list[Loop]) -> Callable[..., Table]:
    def make(readings: dict[int, Reading], *, start: bool = True, **settings: Any) -> Table:
        made = Table(readings, **settings)
        running.append(made.loop)
        if start:
            made.loop.start()
        return made

    return make


def hand(state: dict[str, Any]) -> list[str]:
    return [tile["tile"] for tile in state["hand"]["concealed"]]


def all_settled(state: dict[str, Any]) -> bool:
    return bool(state["tiles"]) and all(tile["certain"] for tile in state["tiles"])


def show_until(
    table: Table, number: int, eventually: Callable[..., None], condition: Callable[[dict[str, Any]], object]
) -> None:
    """Keep the camera running on one picture until the state is as it should be."""
    seen: list[int] = []

    def step() -> bool:
        if not seen or table.source.frame is None or table.source.frame.index == seen[-1]:
            table.show(number)
            assert table.source.frame is not None
            seen.append(table.source.frame.index)
        asked = table.source.asked
        deadline = time.monotonic() + 0.2
        while table.source.asked == asked and time.monotonic() < deadline:
            time.sleep(0.002)
        return bool(condition(table.state))

    eventually(step)


def test_before_the_first_frame_it_says_so(table: Callable[..., Table]) -> None:
    state = table({}, start=False).state
    assert state["status"]["code"] == "starting"
    assert state["frame"] is None
    assert hand(state) == []


def test_a_hand_is_read_settled_and_answered(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table({1: READY})
    live.loop.set_context({"gold": "5m", "seat": "C"})
    show_until(live, 1, eventually, lambda s: s["answer"] and all(t["certain"] for t in s["hand"]["concealed"]))
    state = live.state
    assert state["record"]["hand"] == "1235m456p345789s222z"
    assert state["record"]["seat"] == "C"
    assert state["answer"]["state"] == "youjin"
    assert state["hand"]["youjin"] == 1
    assert state["settings"].items() >= {"rules": "xiamen", "seat": "C", "dealer": "A"}.items()
    assert {box["area"] for box in state["tiles"]} >= {"concealed", "back"}


def test_tiles_are_in_doubt_until_several_readings_agree(
    table: Callable[..., Table], eventually: Callable[..., None]
) -> None:
    live = table({1: READY})
    live.show(1)
    eventually(lambda: hand(live.state))
    assert not any(tile["certain"] for tile in live.state["hand"]["concealed"])


def test_a_still_picture_is_not_read_again(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table({1: READY, 2: DRAWN})
    show_until(live, 1, eventually, all_settled)
    calls, version = live.reader.calls, live.state["version"]
    assert calls <= 4
    for _ in range(20):
        live.show(1)
        asked = live.source.asked
        eventually(lambda asked=asked: live.source.asked > asked)
    assert live.reader.calls == calls
    assert live.state["version"] == version
    show_until(live, 2, eventually, lambda s: s["hand"]["drawn"])
    assert live.state["hand"]["drawn"]["tile"] == "9p"


def test_a_still_picture_is_read_anew_when_the_eyes_have_learned_something(
    table: Callable[..., Table], eventually: Callable[..., None]
) -> None:
    live = table({1: READY})
    show_until(live, 1, eventually, all_settled)
    live.reader.readings[1] = DRAWN
    live.loop.look_anew()
    eventually(lambda: live.state["hand"]["drawn"])  # without a new frame


def test_a_photo_settles_from_one_frame(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table({1: READY}, start=False)
    live.source.still = True
    live.loop.start()
    live.show(1)
    eventually(lambda: hand(live.state) and all(tile["certain"] for tile in live.state["hand"]["concealed"]))
    assert live.reader.calls == 1


def test_the_newest_frame_wins(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table(dict.fromkeys(range(1, 9), READY))
    reading, going = threading.Event(), threading.Event()
    see = live.reader.see

    def slow(image: Any, *part: Any) -> Any:
        reading.set()
        going.wait(10)
        return see(image, *part)

    live.reader.see = slow  # type: ignore[method-assign]
    live.show(1)
    assert reading.wait(10)
    for number in range(2, 8):  # these come while the first one is being read
        live.show(number)
    going.set()
    eventually(lambda: live.state["frame"] and live.state["frame"]["version"] >= 2)
    assert live.reader.calls == 2


def test_youjin_is_followed_over_the_turns(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    def settled(state: dict[str, Any]) -> bool:
        return bool(state["answer"]) and all(tile["certain"] for tile in state["hand"]["concealed"])

    live = table({1: DRAWN, 2: READY, 3: DRAWN, 4: reading_of("1z|xxxxx", "123m456p789s222z345s1m")})
    live.loop.set_context({"gold": "5m", "seat": "C"})
    show_until(live, 1, eventually, lambda s: settled(s) and s["answer"].get("win_now"))
    assert live.state["answer"]["win_now"]["settlement"]["multiplier"] == 2
    show_until(live, 2, eventually, lambda s: settled(s) and s["hand"]["youjin"] == 1)
    show_until(live, 3, eventually, lambda s: settled(s) and s["answer"].get("win_now"))
    assert live.state["answer"]["win_now"]["settlement"]["multiplier"] == 4
    show_until(live, 4, eventually, lambda s: settled(s) and s["hand"]["youjin"] == 0)


def test_a_correction_is_pinned_and_undone(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table({1: READY})
    show_until(live, 1, eventually, hand)
    first = live.state["hand"]["concealed"][0]
    assert live.loop.pin(first["id"], "9m")
    assert hand(live.state)[0] == "9m"
    assert live.state["hand"]["concealed"][0]["pinned"]
    live.show(1, 3)
    assert hand(live.state)[0] == "9m"
    assert live.loop.unpin(first["id"])
    assert hand(live.state)[0] == "1m"
    assert live.loop.pin(first["id"], None)
    assert "1m" not in hand(live.state)
    assert not live.loop.pin(10_000, "9m")
    assert not live.loop.unpin(10_000)


def test_what_was_said_about_a_hand_ends_with_it(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    def settled(state: dict[str, Any]) -> bool:
        return bool(hand(state)) and all(tile["certain"] for tile in state["hand"]["concealed"])

    live = table({1: READY, 2: DRAWN, 3: reading_of("", "112233s445566p6677s")})
    live.loop.set_context({"gold": "5m"})
    show_until(live, 1, eventually, lambda s: settled(s) and s["hand"]["youjin"] == 1)
    show_until(live, 2, eventually, lambda s: settled(s) and s["hand"]["drawn"])
    assert live.state["hand"]["gold"] == "5m"
    show_until(live, 3, eventually, lambda s: settled(s) and hand(s)[0] == "1s")
    assert live.state["hand"]["gold"] is None
    assert live.state["hand"]["youjin"] == 0


def test_the_context_is_checked(table: Callable[..., Table]) -> None:
    live = table({}, start=False)
    live.loop.set_context({"rules": "yunxiao", "house": {"base": 20}})
    with pytest.raises(InputError):
        live.loop.set_context({"house": {"base_dealer": 3}})
    live.loop.set_context({"rules": "xiamen"})  # the house rules of another game do not come along
    assert live.state["settings"]["rules"] == "xiamen"


def test_a_source_that_cannot_be_opened_is_tried_again(
    table: Callable[..., Table], eventually: Callable[..., None]
) -> None:
    live = table({1: READY}, start=False)
    live.refuse = SourceError(Text("没有镜头", "沒有鏡頭", "no camera"))
    live.loop.start()
    eventually(lambda: live.opened > 2)
    state = live.state
    assert state["status"]["trouble"]
    assert state["status"]["en"] == "no camera"
    live.refuse = None
    show_until(live, 1, eventually, hand)
    assert not live.state["status"]["trouble"]


def test_trouble_of_the_camera_is_told_and_the_hand_stays(
    table: Callable[..., Table], eventually: Callable[..., None]
) -> None:
    live = table({1: READY})
    show_until(live, 1, eventually, hand)
    tiles = hand(live.state)
    live.source.trouble = Text("断开了", "斷開了", "unplugged")
    eventually(lambda: live.state["status"]["en"] == "unplugged")
    assert hand(live.state) == tiles
    live.source.trouble = None
    show_until(live, 1, eventually, lambda s: not s["status"]["trouble"])


def test_a_crash_in_the_source_is_survived(
    table: Callable[..., Table], eventually: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    live = table({1: READY})
    with caplog.at_level(logging.ERROR):
        live.source.breaks = OSError("driver gone")
        eventually(lambda: live.opened == 2)
    assert "driver gone" in caplog.text
    assert live.source.closed
    show_until(live, 1, eventually, hand)


def test_missing_models_are_told(table: Callable[..., Table], eventually: Callable[..., None]) -> None:
    live = table({}, start=False)

    def missing() -> None:
        raise ModelError(Text("没有文件", "沒有檔案", "no file"))

    live.loop._eyes.load = missing  # type: ignore[method-assign]
    live.loop.start()
    eventually(lambda: live.state["status"]["code"] == "no_model")
    assert "no file" in live.state["status"]["en"]


# --- another source, and another start --------------------------------------------------------------------


class Room:
    """Cameras by name, opened and closed by the loop."""

    def __init__(self, *names: str) -> None:
        self.cameras = {name: ScriptedSource() for name in names}

    def open(self, spec: str) -> ScriptedSource:
        if spec not in self.cameras:
            raise SourceError(Text("没有", "沒有", f"there is no {spec}"))
        self.cameras[spec] = source = ScriptedSource(frame=self.cameras[spec].frame, trouble=self.cameras[spec].trouble)
        return source


def test_another_source_takes_over_when_it_shows_a_picture(
    running: list[Loop], eventually: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.FIRST_PICTURE", 0.3)
    room = Room("demo", "7", "8", "9")
    room.cameras["demo"].show(picture(1))
    room.cameras["7"].show(picture(2))
    room.cameras["8"].trouble = Text("被占用", "被佔用", "in use")
    config = Config(source="demo")
    loop = Loop(config, Eyes(config, ScriptedReader({1: READY, 2: DRAWN})), open_source=room.open, retry=0.01)
    running.append(loop)
    loop.start()
    eventually(lambda: hand(loop.board.read()))
    first = room.cameras["demo"]
    for name, why in (("8", "in use"), ("9", "no picture"), ("nowhere", "no nowhere")):
        with pytest.raises(SourceError) as refused:
            loop.switch(name)
        assert why in refused.value.text.en
        assert loop.spec == "demo"
        assert not first.closed
    assert room.cameras["8"].closed
    assert room.cameras["9"].closed
    loop.switch(" 7 ")
    assert [source["spec"] for source in loop.sources() if source["current"]] == ["7"]
    eventually(lambda: loop.board.read()["hand"]["drawn"])
    assert first.closed
    assert loop.board.read()["source"] == "7"
    seventh = room.cameras["7"]
    loop.switch("7")  # it is that already
    assert room.cameras["7"] is seventh
    loop.stop()
    assert seventh.closed


def test_the_sources_are_listed(table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.cameras", lambda: [Camera(0, "Integrated Camera"), Camera(2, "C920")])
    listed = table({}, start=False, lan=True).loop.sources()
    assert [source["spec"] for source in listed] == ["0", "2", "phone", "demo", "scripted"]
    assert listed[1]["name"]["zh"] == "C920"
    assert [source["current"] for source in listed] == [False] * 4 + [True]
    assert "phone" not in [source["spec"] for source in table({}, start=False).loop.sources()]


def test_the_password_of_a_camera_is_not_shown(table: Callable[..., Table]) -> None:
    live = table({}, start=False)
    live.loop._spec = "rtsp://me:secret@192.168.1.9/live"
    live.loop.set_context({"seat": "B"})
    assert live.state["source"] == live.loop.spec == "rtsp://192.168.1.9/live"
    assert "secret" not in str(live.loop.sources())
    live.loop.switch("rtsp://192.168.1.9/live")  # that is the one it looks at
    assert live.loop._spec == "rtsp://me:secret@192.168.1.9/live"


def test_a_program_that_was_killed_goes_on_where_it_was(
    running: list[Loop], eventually: Callable[..., None], tmp_path: Path
) -> None:
    def begin(config: Config) -> tuple[Loop, ScriptedSource]:
        source = ScriptedSource()
        reader = ScriptedReader({1: READY, 2: reading_of("", "112233s445566p6677s")})
        made = Loop(config, Eyes(config, reader), open_source=lambda _: source, retry=0.01, store=Store(tmp_path))
        running.append(made)
        made.start()
        return made, source

    def until(loop: Loop, source: ScriptedSource, number: int, condition: Callable[[dict[str, Any]], object]) -> None:
        def step() -> bool:
            source.show(picture(number))
            time.sleep(0.02)
            return bool(condition(loop.board.read()))

        eventually(step)

    zones = Zones.from_json([{"kind": "ignore", "polygon": [[0, 0], [0.3, 0], [0.3, 0.1]]}])
    before, source = begin(Config(source="0"))
    before.set_context({"rules": "zhangzhou", "seat": "C", "dealer": "B", "gold": "5m", "house": {"base_nondealer": 3}})
    before.set_zones(zones)
    before.set_seat("bottom")
    until(before, source, 1, lambda s: all_settled(s) and s["hand"]["youjin"] == 1)
    first = before.board.read()["hand"]["concealed"][0]
    assert before.pin(first["id"], "9m")
    until(before, source, 1, lambda s: hand(s)[0] == "9m")
    # No goodbye: the process is killed. What it kept is on the disk already.
    resume = frozenset({"source", "rules", "hand"})
    after, source = begin(Config(source="demo", resume=resume))
    assert after.spec == "0"
    state = after.board.read()
    assert state["settings"].items() >= {"rules": "zhangzhou", "seat": "C", "dealer": "B"}.items()
    assert after.zones == zones
    assert after.side == "bottom"
    until(after, source, 1, lambda s: hand(s) and hand(s)[0] == "9m")
    state = after.board.read()
    assert state["hand"]["gold"] == "5m"
    assert state["hand"]["concealed"][0]["pinned"]
    assert state["record"]["house"] == {"base_nondealer": 3}
    # Another hand lies there now: what was said about the one before ends.
    third, source = begin(Config(source="demo", resume=frozenset({"hand", "rules"})))
    assert third.spec == "demo"
    until(third, source, 2, lambda s: all_settled(s) and hand(s)[0] == "1s")
    assert third.board.read()["hand"]["gold"] is None
    # A game that was named now comes before the one played last.
    fourth, _ = begin(Config(source="demo", rules="xiamen", resume=frozenset({"hand"})))
    assert fourth.board.read()["settings"]["rules"] == "xiamen"


@pytest.mark.parametrize("kept", [{"source": 3}, {"rules": "go"}, [], "nonsense", {"source": "0", "rules": "xiamen", "house": {"no": 1}}])  # fmt: skip
def test_what_was_kept_by_another_version_does_no_harm(
    tmp_path: Path, kept: object, caplog: pytest.LogCaptureFixture
) -> None:
    Store(tmp_path).keep_setting("live", kept)
    config = Config(source="demo", rules="yunxiao", resume=frozenset({"source", "rules", "hand"}))
    loop = Loop(config, Eyes(config, ScriptedReader({})), store=Store(tmp_path))
    assert loop.board.read()["settings"]["rules"] == "yunxiao"
    assert (caplog.text != "") == isinstance(kept, dict)


def test_without_a_place_to_keep_it_the_program_works(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    config = Config(source="demo", resume=frozenset({"hand"}))
    loop = Loop(config, Eyes(config, ScriptedReader({})), store=Store(tmp_path / "data"))
    loop.set_context({"seat": "B"})
    loop.set_context({"seat": "D"})
    assert loop.board.read()["settings"]["seat"] == "D"
    assert caplog.text.count("cannot be kept") == 1
    with pytest.raises(ValueError, match="no side"):
        loop.set_seat("above")


def test_a_hand_over_the_table_puts_what_it_covers_in_doubt_and_reads_nothing(
    table: Callable[..., Table], eventually: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.FLEETING", 0.0)
    monkeypatch.setattr("webui.live.LATE", 5.0)
    monkeypatch.setattr("webui.pace.PUT_OFF", 1e9)
    live = table({1: READY})
    show_until(live, 1, eventually, all_settled)
    calls, tiles = live.reader.calls, hand(live.state)
    place = [0]

    def passing() -> bool:
        image = picture(1)
        place[0] += 7
        image[560:720, 60 + place[0] % 300 : 360 + place[0] % 300] = 255 - image[0, 700]
        live.source.show(image)
        time.sleep(0.02)
        return not live.state["hand"]["concealed"][3]["certain"]

    eventually(passing)
    for _ in range(10):
        passing()
    assert live.reader.calls <= calls + 1  # the first frame of the movement
    assert hand(live.state) == tiles
    show_until(live, 1, eventually, all_settled)
    assert hand(live.state) == tiles


# --- over HTTP ----------------------------------------------------------------------------------------------


@pytest.fixture
def web(table: Callable[..., Table]) -> tuple[Table, FlaskClient]:
    live = table({1: READY, 2: DRAWN}, max_waiting=1)
    return live, create_app(Config(source="scripted"), loop=live.loop).test_client()


def test_state_and_picture_over_http(web: tuple[Table, FlaskClient], eventually: Callable[..., None]) -> None:
    live, client = web
    assert client.get("/live/frame.jpg").status_code == 404
    show_until(live, 1, eventually, hand)
    state = client.get("/api/state").json
    assert len(hand(state)) == 16
    frame = client.get(f"/live/frame.jpg?v={state['frame']['version']}")
    assert frame.mimetype == "image/jpeg"
    assert frame.data.startswith(b"\xff\xd8")
    assert client.get("/live/frame.jpg").headers["Cache-Control"] == "no-store"


def test_a_picture_is_the_very_one_its_boxes_belong_to(
    web: tuple[Table, FlaskClient], eventually: Callable[..., None]
) -> None:
    live, client = web
    show_until(live, 1, eventually, hand)
    first = client.get("/api/state").json["frame"]["url"]
    data = client.get(first).data
    show_until(live, 2, eventually, lambda s: s["hand"]["drawn"])
    later = client.get("/api/state").json["frame"]["url"]
    assert client.get(later).data != data
    answer = client.get(first)
    assert (answer.status_code, answer.data) in {(200, data), (204, b"")}  # the same picture or none, never another
    for number in (1, 2, 1, 2, 1):
        show_until(live, number, eventually, lambda s, before=later: s["frame"]["url"] != before)
        later = client.get("/api/state").json["frame"]["url"]
    assert client.get(first).status_code == 204
    assert client.get(f"{later[:-1]}x").status_code == 204  # of another run of the program
    for version in ("-1", "9" * 5000, "１"):
        assert client.get(f"/live/frame.jpg?v={version}").status_code == 400


def test_the_gold_is_remembered_while_it_is_covered(
    table: Callable[..., Table], eventually: Callable[..., None]
) -> None:
    live = table({1: reading_of("xxxxx1z", "123m456p789s222z345s5m"), 3: reading_of("", "123m456p789s222z345s5m")})
    show_until(live, 1, eventually, lambda s: s["hand"]["gold"] == "1z" and s["hand"]["gold_certain"])
    show_until(live, 3, eventually, lambda s: not any(box["area"] == "gold" for box in s["tiles"]))
    assert live.state["hand"]["gold"] == "1z"
    assert live.state["hand"]["gold_certain"]


def test_waiting_for_news(web: tuple[Table, FlaskClient], eventually: Callable[..., None]) -> None:
    live, client = web
    show_until(live, 1, eventually, all_settled)
    version = live.state["version"]
    assert client.get(f"/api/state?after={version}&wait=0.05").json["version"] == version
    assert client.get(f"/api/state?after={version - 1}&wait=20").json["version"] == version
    answers: list[int] = []

    def reader() -> None:
        answers.append(live.loop.board.wait(version, 20)["version"])

    thread = threading.Thread(target=reader)
    thread.start()
    eventually(lambda: client.get(f"/api/state?after={version}&wait=0.01").json.get("busy"))
    live.loop.set_context({"seat": "D"})
    thread.join(20)
    assert answers == [version + 1]


def test_speaking_to_the_loop(web: tuple[Table, FlaskClient], eventually: Callable[..., None]) -> None:
    live, client = web
    show_until(live, 1, eventually, hand)
    number = live.state["hand"]["concealed"][0]["id"]
    assert hand(client.post("/api/live/pin", json={"id": number, "tile": "8m"}).json)[0] == "8m"
    assert hand(client.post("/api/live/unpin", json={"id": number}).json)[0] == "1m"
    assert client.post("/api/live/pin", json={"id": 9999, "tile": "8m"}).status_code == 409
    answer = client.post(
        "/api/live/context", json={"rules": "xiamen", "gold": "5m", "seat": "B", "dealer": "C", "youjin": 1}
    )
    assert answer.json["settings"].items() >= {"rules": "xiamen", "seat": "B", "dealer": "C"}.items()
    assert answer.json["record"]["gold"] == "5m"


def test_the_table_goes_on_as_the_sheet_says(web: tuple[Table, FlaskClient]) -> None:
    live, client = web
    client.post("/api/live/context", json={"table": {"chips": dict.fromkeys("ABCD", 100)}})
    loop = client.application.extensions["youjin"].loop
    loop.go_on({"dealer": None, "dealer_streak": 1, "draw_streak": 1}, {"A": -3, "B": 3})
    settings = live.state["settings"]
    assert (settings["dealer"], settings["dealer_open"]) == ("A", True)
    assert settings["table"] == {"dealer_streak": 1, "draw_streak": 1, "chips": {"A": 97, "B": 103, "C": 100, "D": 100}}
    loop.go_on(None, {"A": 3, "B": -3})  # the hand goes on
    assert live.state["settings"]["table"]["chips"]["A"] == 100
    assert live.state["settings"]["dealer_open"] is True


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("pin", {"id": "1", "tile": "1m"}, 400),
        ("pin", {"id": True, "tile": "1m"}, 400),
        ("pin", {"id": 1, "tile": "9z"}, 400),
        ("pin", [], 400),
        ("unpin", {}, 400),
        ("context", {"rules": "go"}, 400),
        ("context", {"seat": "E"}, 400),
        ("context", {"gold": "0m"}, 400),
        ("context", {"youjin": 4}, 400),
        ("context", {"youjin": True}, 400),
        ("context", {"table": []}, 400),
        ("context", {"table": {"dealer_streak": "x"}}, 400),
        ("context", {"table": {"draw_streak": 31}}, 400),
        ("context", {"table": {"chips": {"A": 1}}}, 400),
        ("context", {"table": {"no_such_key": 1}}, 400),
        ("context", {"dealer_open": 1}, 400),
        ("context", {"house": {"no_such_key": 1}}, 422),
    ],
)
def test_nonsense_is_refused(web: tuple[Table, FlaskClient], path: str, body: object, status: int) -> None:
    _, client = web
    answer = client.post(f"/api/live/{path}", json=body)
    assert answer.status_code == status
    assert answer.json["error"]["zh"]


def test_nonsense_in_the_query(web: tuple[Table, FlaskClient]) -> None:
    _, client = web
    assert client.get("/api/state?after=x").status_code == 400
    assert client.get("/api/state?wait=nan").status_code == 200
    assert client.get("/api/state?wait=-5").status_code == 200
