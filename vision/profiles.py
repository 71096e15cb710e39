"""What was learned of a player's own set: kept by name, one of them in use, taken back by deleting it.

A profile corrects the last layer of one classifier. It also keeps the crops that it was learned from, so that it can be
learned anew, in seconds and without laying the tiles out again, when the program brings another classifier.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.text import Text, printable
from engine.tiles import CODES
from vision.folders import write_private

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT = 1
"""Version of the profile's file."""

LONGEST_NAME = 40
"""Characters of a profile's name."""

_ACTIVE = "active.json"

_BAD_NAME = Text(
    "请给这副牌起个名字，最多 {n} 个字，不要换行。",
    "請給這副牌取個名字，最多 {n} 個字，不要換行。",
    "Give the set a name of at most {n} characters, without line breaks.",
)
_UNKNOWN = Text(
    "没有叫“{name}”的牌，请先学一次。",
    "沒有叫「{name}」的牌，請先學一次。",
    "There is no set called “{name}”; show it to the camera first.",
)
_DAMAGED = Text(
    "学到的牌“{name}”的文件坏了（{path}），请删掉它，再学一次。",
    "學到的牌「{name}」的檔案壞了（{path}），請刪掉它，再學一次。",
    "What was learned of the set “{name}” is damaged ({path}); remove it and show the set again.",
)
_NEWER = Text(
    "学到的牌“{name}”来自更新版本的 youjin，请先更新程序。",
    "學到的牌「{name}」來自更新版本的 youjin，請先更新程式。",
    "What was learned of the set “{name}” comes from a newer youjin; update the program first.",
)
_NOT_WRITTEN = Text(
    "学到的牌存不下来：{why}。请检查 {folder} 的权限和磁盘空间。",
    "學到的牌存不下來：{why}。請檢查 {folder} 的權限和磁碟空間。",
    "What was learned cannot be kept: {why}. Check the permissions of {folder} and the space on the disk.",
)


class ProfileError(ValueError):
    """A profile that is missing, damaged, or not for this classifier; ``text`` says what to do."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(text.en)
        self.code = code
        self.text = text


@dataclass(frozen=True)
class Confusion:
    """How often one kind was taken for another in the test at the end of learning.

    Attributes:
        shown: code of the tile that was shown, ``back`` for one lying face down.
        read_as: code it was taken for; ``none`` for no tile at all.
        before: share of the views of ``shown`` so misread by the classifier as it came, 0 to 1.
        after: the same with the profile.
    """

    shown: str
    read_as: str
    before: float
    after: float

    def as_json(self) -> dict[str, Any]:
        """With the shares rounded."""
        return {
            "shown": self.shown,
            "read_as": self.read_as,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
        }


@dataclass(frozen=True, eq=False)
class Profile:
    """What was learned of one set.

    Attributes:
        name: what its owner calls it.
        classifier: digest of the classifier it corrects (``Classifier.digest``).
        weights: (D, 44) float32, times the features (scaled to length 1, less ``centre``) added to the logits.
        bias: (44,) float32, added to the logits.
        centre: (D,) float32.
        temperature: divides the corrected logits.
        crops: (N, S, S, 3) uint8 BGR, see ``crops.store``, what it was learned from.
        kinds: (N,) what they show: 0 to 41, 42 a tile's back, 43 no tile.
        right_before, right_after: share of the test's views read right without and with it.
        held_out: the test's views came from crops that had not been learned (there were several of a kind).
        confusions: what is misread, most often first.
        made: when, ISO 8601 in UTC.
    """

    name: str
    classifier: str
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    centre: NDArray[np.float32]
    temperature: float
    crops: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    right_before: float
    right_after: float
    held_out: bool
    confusions: tuple[Confusion, ...]
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def covered(self) -> tuple[str, ...]:
        """Codes of the kinds that were shown, in code order; ``back`` last."""
        return tuple((*CODES, "back")[kind] for kind in np.unique(self.kinds) if kind <= len(CODES))

    @property
    def pictures(self) -> int:
        """How many pictures of tiles it was learned from; those of no tile do not count."""
        return int((self.kinds <= len(CODES)).sum())

    def adjust(self, logits: NDArray[np.float32], features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Corrected logits, divided by the temperature.

        The more the classifier takes a crop for a tile that was not shown, the less it is corrected: of those the
        profile knows nothing (measured: flowers that were left out are read as before, the others lose nothing).

        Args:
            logits: (N, 44) of the classifier, not divided by its own temperature.
            features: (N, D) before its last layer.
        """
        correction = (unit(features) - self.centre) @ self.weights + self.bias
        tiles = len(CODES) + 1
        missing = np.setdiff1d(np.arange(tiles), self.kinds)
        chances = np.exp((logits - logits.max(1, keepdims=True)) / self.temperature)
        strange = chances[:, missing].sum(1, keepdims=True) / chances.sum(1, keepdims=True)
        return np.asarray((logits + (1 - strange) * correction) / self.temperature, np.float32)

    def as_json(self) -> dict[str, Any]:
        """What people want to know of it."""
        return {
            "name": self.name,
            "made": self.made,
            "covered": list(self.covered),
            "pictures": self.pictures,
            "right_before": round(self.right_before, 4),
            "right_after": round(self.right_after, 4),
            "held_out": self.held_out,
            "confusions": [c.as_json() for c in self.confusions],
        }

    def to_bytes(self) -> bytes:
        """The profile as an ``.npz`` file."""
        about = {"format": FORMAT, "classifier": self.classifier, "temperature": self.temperature, **self.as_json()}
        about["right_before"], about["right_after"] = self.right_before, self.right_after
        buffer = BytesIO()
        np.savez_compressed(
            buffer, about=np.array(json.dumps(about, ensure_ascii=False)), weights=self.weights, bias=self.bias,
            centre=self.centre, crops=self.crops, kinds=self.kinds,
        )  # fmt: skip
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Profile:
        """Read ``to_bytes`` back.

        Raises:
            ProfileError: ``newer_profile``, written by a later version.
            ValueError, KeyError, OSError, zipfile.BadZipFile: anything else.
        """
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            if about["format"] != FORMAT:
                raise ProfileError("newer_profile", _NEWER.format(name=about["name"]))
            profile = cls(
                name=str(about["name"]), classifier=str(about["classifier"]),
                weights=arrays["weights"].astype(np.float32), bias=arrays["bias"].astype(np.float32),
                centre=arrays["centre"].astype(np.float32), temperature=float(about["temperature"]),
                crops=arrays["crops"].astype(np.uint8), kinds=arrays["kinds"].astype(np.int64),
                right_before=float(about["right_before"]), right_after=float(about["right_after"]),
                held_out=bool(about["held_out"]), confusions=tuple(Confusion(**c) for c in about["confusions"]),
                made=str(about["made"]),
            )  # fmt: skip
        if len(profile.crops) != len(profile.kinds) or profile.weights.shape != (
            *profile.centre.shape,
            *profile.bias.shape,
        ):
            raise ValueError("arrays that do not fit together")
        return profile


def unit(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, D) features scaled to length 1: how strongly a picture speaks says little about what it shows."""
    return np.asarray(features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6), np.float32)


def checked_name(name: str) -> str:
    """A profile's name without blanks at its ends.

    Raises:
        ProfileError: ``bad_name``, empty, too long, or with control characters.
    """
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise ProfileError("bad_name", _BAD_NAME.format(n=LONGEST_NAME))
    return name


class Profiles:
    """The profiles of one user.

    Args:
        folder: of the user's data (``folders.data_dir``); the profiles lie in ``profiles`` in it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "profiles"

    def _path(self, name: str) -> Path:
        # Names may hold anything; a file's name may not, and differs by system in what.
        return self.folder / f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.npz"

    def list(self) -> list[Profile | ProfileError]:
        """All profiles, the newest first; a damaged one as the error that says so."""
        found: list[Profile | ProfileError] = []
        for path in sorted(self.folder.glob("*.npz")):
            try:
                found.append(self._read(path, path.stem))
            except ProfileError as error:
                found.append(error)
        return sorted(found, key=lambda p: p.made if isinstance(p, Profile) else "", reverse=True)

    def load(self, name: str) -> Profile:
        """One profile.

        Raises:
            ProfileError: ``unknown_profile``, ``damaged_profile`` or ``newer_profile``.
        """
        path = self._path(name)
        if not path.is_file():
            raise ProfileError("unknown_profile", _UNKNOWN.format(name=printable(name)))
        return self._read(path, name)

    @staticmethod
    def _read(path: Path, name: str) -> Profile:
        try:
            return Profile.from_bytes(path.read_bytes())
        except ProfileError:
            raise
        except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ProfileError("damaged_profile", _DAMAGED.format(name=printable(name), path=path)) from error

    def save(self, profile: Profile) -> None:
        """Keep a profile, whole or not at all; one of the same name is replaced.

        Raises:
            ProfileError: ``bad_name`` or ``not_written``.
        """
        checked_name(profile.name)
        self._write(self._path(profile.name), profile.to_bytes())

    def delete(self, name: str) -> None:
        """Remove a profile; the one in use is no longer used.

        Raises:
            ProfileError: ``unknown_profile`` or ``not_written``.
        """
        path = self._path(name)
        if not path.is_file():
            raise ProfileError("unknown_profile", _UNKNOWN.format(name=printable(name)))
        if self.active == name:
            self.use(None)
        try:
            path.unlink()
        except OSError as error:
            raise self._not_written(error) from error

    @property
    def active(self) -> str | None:
        """Name of the profile in use; ``None``: the classifier as it comes."""
        with contextlib.suppress(OSError, ValueError):
            name = json.loads((self.folder / _ACTIVE).read_text(encoding="utf-8"))
            if isinstance(name, str) and self._path(name).is_file():
                return name
        return None

    def use(self, name: str | None) -> None:
        """Choose the profile in use.

        Raises:
            ProfileError: ``unknown_profile`` or ``not_written``.
        """
        if name is not None and not self._path(name).is_file():
            raise ProfileError("unknown_profile", _UNKNOWN.format(name=printable(name)))
        self._write(self.folder / _ACTIVE, json.dumps(name, ensure_ascii=False).encode())

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_private(path, data)
        except OSError as error:
            raise self._not_written(error) from error

    def _not_written(self, error: OSError) -> ProfileError:
        return ProfileError("not_written", _NOT_WRITTEN.format(why=error.strerror or error, folder=self.folder))
