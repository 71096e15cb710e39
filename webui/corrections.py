"""Corrected pictures that are kept, with consent, so that the eyes can learn this table's tiles.

Each is a picture and its labels in YOLO form in the user's data folder: `corrections/images/own_….jpg` and
`corrections/labels/own_….txt` (class 0-41 in the order of `engine.tiles.CODES`, 42: face down). A picture is kept only
while every tile in it is certain or was named by a person, and a person named at least one: a wrong label teaches a wrong
thing. What is said about it later replaces it.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import threading
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from engine.text import Text
from engine.tiles import CODES, INDEX
from webui.errors import ApiError
from webui.folders import write_private

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from webui.live import Loop
    from webui.store import Store

log = logging.getLogger(__name__)

BACK = len(CODES)
"""The class of a tile that lies face down."""
_CONSENT = "corrections.consent"
_SCENE = re.compile(r"[A-Za-z0-9-]{8,64}")
_NAME = re.compile(r"own_[A-Za-z0-9-]{8,64}")

_BAD_LABELS = Text(
    "这张照片的标注读不懂，请刷新页面再试。",
    "這張照片的標註讀不懂，請重新整理頁面再試。",
    "The labels of this picture could not be understood; reload the page and try again.",
)
_NO_PICTURE = Text("这张照片已经不在了。", "這張照片已經不在了。", "This picture is no longer there.")
_NO_CONSENT = Text(
    "还没有同意保存改过的照片。", "還沒有同意保存改過的照片。", "Keeping corrected pictures was not agreed to."
)


@dataclass(frozen=True)
class Label:
    """One tile of a picture.

    Attributes:
        box: left, top, right, bottom as parts of the picture's width and height.
        tile: MPSZ code; `None` for a tile that lies face down.
        certain: whether the reader was sure of it.
        named: whether a person said what it is.
        nothing: whether a person said that this is no tile.
    """

    box: tuple[float, float, float, float]
    tile: str | None
    certain: bool
    named: bool
    nothing: bool = False

    def line(self) -> str:
        """Return the tile as a line of a YOLO label file."""
        from vision.dataset import label_line  # noqa: PLC0415  (loads OpenCV)

        kind = BACK if self.tile is None else INDEX[self.tile]
        return label_line(kind, [min(max(value, 0.0), 1.0) for value in self.box])


def labels_from_json(tiles: object, width: object, height: object) -> list[Label]:
    """Read the boxes of the page: `[{"box", "tile", "certain", "pinned", "nothing"}]`, boxes in pixels.

    Raises:
        ApiError: `bad_labels`.
    """
    if isinstance(tiles, list) and type(width) is type(height) is int and width > 0 < height:
        try:
            return [_label(tile, width, height) for tile in tiles]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ApiError(422, "bad_labels", _BAD_LABELS) from error
    raise ApiError(422, "bad_labels", _BAD_LABELS)


def _label(tile: dict[str, Any], width: int, height: int) -> Label:
    left, top, right, bottom = (float(value) for value in tile["box"])
    inside = max(left, 0) < min(right, width) and max(top, 0) < min(bottom, height)
    if not inside or tile["tile"] not in {None, *CODES}:
        raise ValueError(tile)
    return Label(
        (left / width, top / height, right / width, bottom / height),
        tile["tile"],
        bool(tile["certain"]),
        bool(tile["pinned"]),
        bool(tile.get("nothing", False)),
    )


def whole(labels: Collection[Label]) -> bool:
    """Tell whether a picture with these tiles can be kept."""
    return (
        any(label.named for label in labels)
        and all(label.certain or label.named for label in labels)
        and any(label.tile is not None and not label.nothing for label in labels)
    )


class Corrections:
    """The folder of kept pictures.

    Args:
        folder: the user's data folder.
        store: keeps the consent.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder / "corrections"
        self._store = store
        self._lock = threading.Lock()

    @property
    def consent(self) -> bool | None:
        """Whether pictures may be kept; `None` while nobody was asked."""
        value = self._store.setting(_CONSENT)
        return value if isinstance(value, bool) else None

    def agree(self, consent: bool) -> None:
        """Keep the answer; it holds until another one is given."""
        self._store.keep_setting(_CONSENT, consent)

    def keep(self, scene: str, jpeg: bytes, labels: Collection[Label]) -> bool:
        """Keep a picture if every tile in it is known; forget the one kept of the same scene if not.

        Args:
            scene: names what was photographed; a later picture of the same scene replaces the one before.
            jpeg: the picture.
            labels: all its tiles.

        Returns:
            Whether it was kept.

        Raises:
            ApiError: `no_consent`, `bad_labels` (no such scene can be named).
            OSError: the folder cannot be written.
        """
        if not self.consent:
            raise ApiError(409, "no_consent", _NO_CONSENT)
        if not _SCENE.fullmatch(scene):
            raise ApiError(422, "bad_labels", _BAD_LABELS)
        name = f"own_{scene}"
        with self._lock:
            if not whole(labels):
                self._remove(name)
                return False
            tiles = [label for label in labels if not label.nothing]
            about = {
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
                "named": [label.tile for label in tiles if label.named],
            }
            picture, lines, notes = self._files(name)
            write_private(self.folder / "data.yaml", _description().encode())
            write_private(lines, "".join(f"{label.line()}\n" for label in tiles).encode())
            write_private(notes, json.dumps(about).encode())
            write_private(picture, jpeg)
        return True

    def picture(self, name: str) -> Path:
        """Return where a picture lies.

        Raises:
            ApiError: `no_picture`.
        """
        if _NAME.fullmatch(name) and self._files(name)[0].is_file():
            return self._files(name)[0]
        raise ApiError(404, "no_picture", _NO_PICTURE)

    def _files(self, name: str) -> tuple[Path, Path, Path]:
        """The picture, its labels, and what else is known of it."""
        return (
            self.folder / "images" / f"{name}.jpg",
            self.folder / "labels" / f"{name}.txt",
            self.folder / "about" / f"{name}.json",
        )

    def names(self) -> list[str]:
        """Return the kept pictures, the newest first."""
        files = [file for file in (self.folder / "images").glob("own_*.jpg") if _NAME.fullmatch(file.stem)]
        return [
            file.stem for file in sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.stem), reverse=True)
        ]

    def read(self) -> list[dict[str, Any]]:
        """Return `[{name, made, named, tiles: [{tile, box}]}]`, the newest first; boxes as parts of the picture."""
        return [self._read(name) for name in self.names()]

    def _read(self, name: str) -> dict[str, Any]:
        from vision.dataset import parse_label  # noqa: PLC0415  (loads OpenCV)

        about: dict[str, Any] = {"made": None, "named": []}
        tiles = []
        _, lines, notes = self._files(name)
        try:
            about |= json.loads(notes.read_text("utf-8"))
            for line in lines.read_text("utf-8").splitlines():
                kind, box = parse_label(line)
                tiles.append({"tile": CODES[kind] if kind < BACK else None, "box": list(box)})
        except (OSError, ValueError, IndexError) as error:
            log.warning("the labels of %s cannot be read: %s", name, error)
        return {"name": name, **about, "tiles": tiles}

    def delete(self, names: Iterable[str] | None = None) -> int:
        """Delete these pictures, or all, with their labels. Returns how many there were.

        Raises:
            ApiError: `no_picture`.
        """
        with self._lock:
            chosen = list(names) if names is not None else self.names()
            for name in chosen:
                self.picture(name)
                self._remove(name)
        return len(chosen)

    def _remove(self, name: str) -> None:
        for file in self._files(name):
            file.unlink(missing_ok=True)

    def write_zip(self, file: IO[bytes]) -> None:
        """Write all pictures and labels as one archive, as `youjin evaluate` and YOLO tools take them."""
        with self._lock, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("corrections/data.yaml", _description())
            for name in self.names():
                for path in self._files(name)[:2]:
                    archive.write(path, path.relative_to(self.folder.parent).as_posix())


def _description() -> str:
    names = "".join(f"  {number}: {code}\n" for number, code in enumerate([*CODES, "back"]))
    return f"# YOLO form; the names are MPSZ codes, back is a tile that lies face down.\ntrain: images\nval: images\nnames:\n{names}"


class LiveCorrections:
    """Keeps what a person says about the live picture.

    Pictures that show some of the same tiles are one scene, of which the last one is kept: what was said later is known
    to be right.
    """

    def __init__(self, corrections: Corrections) -> None:
        self._corrections = corrections
        self._lock = threading.Lock()
        self._scene = ""
        self._ids: frozenset[int] = frozenset()
        self._nothing: set[int] = set()

    def said(self, loop: Loop, number: int, *, nothing: bool = False) -> None:
        """A person has just said what a tile on the table is, or taken that back; `nothing`: that it is no tile."""
        if not self._corrections.consent:
            return
        with self._lock:
            (self._nothing.add if nothing else self._nothing.discard)(number)
            state = loop.board.read()
            frame = state["frame"]
            picture = loop.jpeg(frame["version"]) if frame is not None else None
            if picture is None:
                return
            ids = frozenset(tile["id"] for tile in state["tiles"])
            if not self._ids & ids:
                self._scene = secrets.token_hex(8)
            self._ids = ids
            self._nothing &= ids
            tiles = [{**tile, "nothing": tile["id"] in self._nothing} for tile in state["tiles"]]
            try:
                self._corrections.keep(
                    self._scene, picture[0], labels_from_json(tiles, frame["width"], frame["height"])
                )
            except OSError as error:
                # The correction itself holds; only the picture is not kept.
                log.warning("a corrected picture cannot be kept in %s: %s", self._corrections.folder, error)
