"""Showing the program a set of one's own: what was taken so far, and the profiles."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.text import Text
from vision.profiles import ProfileError, Profiles

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vision.calibration import Examples
    from vision.capture import Shot, Step
    from vision.profiles import Profile
    from webui.services import Eyes

#: Pictures that were looked at and not taken yet; more than one, because an answer may come late.
PENDING = 3
#: Times that one row may be taken.
TIMES = 4

_UNKNOWN_STEP = Text("没有这一排。", "沒有這一排。", "There is no such row.")
_GONE = Text(
    "这张照片已经不在了，请再拍一次。",
    "這張照片已經不在了，請再拍一次。",
    "This picture is gone; take it again.",
)
_NOT_USABLE = Text(
    "这张照片不能用，请再拍一次。", "這張照片不能用，請再拍一次。", "This picture cannot be used; take it again."
)
_BUSY = Text("正在学另一副牌，请等一下。", "正在學另一副牌，請等一下。", "Another set is being learned; wait a moment.")
_NOTHING = Text("还没有拍过一排牌。", "還沒有拍過一排牌。", "No row has been taken yet.")


@dataclass(frozen=True)
class Pending:
    """A picture that was looked at: its shot and itself."""

    shot: Shot
    image: NDArray[np.uint8]


class Calibration:
    """The one capture of this household, in memory until it is learned, and the profiles, on disk.

    Args:
        eyes: the reader.
        folder: the user's data folder.
    """

    def __init__(self, eyes: Eyes, folder: Path) -> None:
        self.profiles = Profiles(folder)
        self._eyes = eyes
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._pending: OrderedDict[str, Pending] = OrderedDict()
        self._taken: dict[str, list[Examples]] = {}

    @staticmethod
    def step(key: object) -> Step:
        """Return a row to lay out.

        Raises:
            ProfileError: `unknown_step`.
        """
        from vision.capture import STEPS  # noqa: PLC0415  (loads ONNX Runtime)

        for step in STEPS:
            if step.key == key:
                return step
        raise ProfileError("unknown_step", _UNKNOWN_STEP)

    def as_json(self) -> dict[str, Any]:
        """Return the rows, what was taken of them, the profiles, and which one is in use."""
        from vision.capture import STEPS  # noqa: PLC0415

        listed = self.profiles.list()
        trouble = self._eyes.profile_trouble
        with self._lock:
            taken = {key: len(examples) for key, examples in self._taken.items()}
        return {
            "steps": [{**step.as_json(), "taken": taken.get(step.key, 0)} for step in STEPS],
            "profiles": [p.as_json() for p in listed if not isinstance(p, ProfileError)],
            "damaged": [p.text.as_json() for p in listed if isinstance(p, ProfileError)],
            "active": self.profiles.active,
            "trouble": trouble.as_json() if trouble is not None else None,
        }

    def look(self, image: NDArray[np.uint8], key: object, *, turned: bool | None = None) -> dict[str, Any]:
        """Look for a row in a picture and keep both until it is taken.

        Raises:
            ProfileError: `unknown_step`.
            ModelError: a model is missing or damaged.
        """
        from vision.capture import look  # noqa: PLC0415

        step = self.step(key)
        with self._eyes.reader() as reader:
            shot = look(reader, image, step, turned=turned)
        name = secrets.token_hex(8)
        with self._lock:
            self._pending[name] = Pending(shot, image)
            while len(self._pending) > PENDING:
                self._pending.popitem(last=False)
        height, width = image.shape[:2]
        return {"shot": name, "width": width, "height": height, **shot.as_json()}

    def pending(self, name: object) -> Pending:
        """Return a picture that was looked at.

        Raises:
            ProfileError: `no_such_shot`.
        """
        with self._lock:
            found = self._pending.get(name) if isinstance(name, str) else None
        if found is None:
            raise ProfileError("no_such_shot", _GONE)
        return found

    def take(self, name: object) -> None:
        """Take the row of a picture that was looked at; of many pictures of a row the newest count.

        Raises:
            ProfileError: `no_such_shot` or `not_usable`.
        """
        shot = self.pending(name).shot
        if shot.problem is not None:
            raise ProfileError("not_usable", _NOT_USABLE)
        with self._lock:
            self._pending.clear()
            self._taken[shot.step.key] = [*self._taken.get(shot.step.key, []), shot.examples][-TIMES:]

    def drop(self, key: object = None) -> None:
        """Forget what was taken: of one row, or all.

        Raises:
            ProfileError: `unknown_step`.
        """
        step = self.step(key) if key is not None else None
        with self._lock:
            self._pending.clear()
            if step is None:
                self._taken.clear()
            else:
                self._taken.pop(step.key, None)

    def learn(self, name: str) -> Profile:
        """Learn what was taken, keep it by name and use it. What was taken is kept when this fails.

        Raises:
            ProfileError: nothing was taken, too few kinds, a bad name, or another set is being learned.
            ModelError: a model is missing or damaged.
        """
        from vision.calibration import Examples  # noqa: PLC0415

        with self._lock:
            parts = [examples for taken in self._taken.values() for examples in taken]
        if not parts:
            raise ProfileError("nothing_taken", _NOTHING)
        profile = self._learned(Examples.joined(parts), name)
        self.drop()
        return profile

    def learn_again(self, name: str) -> Profile:
        """Learn a set anew from its kept pictures and use it.

        Raises:
            ProfileError: the set is unknown or damaged, or another one is being learned.
            ModelError: a model is missing or damaged.
        """
        from vision.calibration import Examples  # noqa: PLC0415

        old = self.profiles.load(name)
        return self._learned(Examples(old.crops, old.kinds), old.name)

    def _learned(self, examples: Examples, name: str) -> Profile:
        from vision.calibration import learn  # noqa: PLC0415

        if not self._learning.acquire(blocking=False):
            raise ProfileError("busy", _BUSY)
        try:
            with self._eyes.reader() as reader:
                classifier = reader.classifier
            # The classifier may be asked by two threads at once; the table is read on meanwhile.
            profile = learn(classifier, examples, name)
        finally:
            self._learning.release()
        self.profiles.save(profile)
        self.use(profile.name)
        return profile

    def use(self, name: str | None) -> None:
        """Read with a set, from the next picture on; `None`: with none.

        A set that was learned with another classifier is learned anew from its kept pictures first.

        Raises:
            ProfileError: the set is unknown or damaged, or was learned with another classifier and cannot be learned anew.
            ModelError: a model is missing or damaged.
        """
        from vision.calibration import fitted  # noqa: PLC0415

        if name is None:
            self._eyes.use(None)
        else:
            with self._eyes.reader() as reader:
                classifier = reader.classifier
            profile, _ = fitted(classifier, self.profiles, name)
            self._eyes.use(profile)
        self.profiles.use(name)

    def delete(self, name: str) -> None:
        """Forget a set; if it is in use, the program reads as it came.

        Raises:
            ProfileError: the set is unknown, or the folder cannot be written.
        """
        if self.profiles.active == name:
            self.use(None)
        self.profiles.delete(name)
