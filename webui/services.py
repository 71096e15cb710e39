"""What the views share: the settings, the eyes, and the live loop."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from flask import current_app

from webui import layout
from webui.calibration import Calibration
from webui.corrections import Corrections, LiveCorrections
from webui.folders import data_dir
from webui.scores import Scores
from webui.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from engine.text import Text
    from vision.profiles import Profile
    from vision.reading import Reader, Reading
    from webui.config import Config
    from webui.lan import Lan
    from webui.live import Loop
    from webui.phones import Phones

log = logging.getLogger(__name__)


class Eyes:
    """The reader, loaded when it is first needed and used by one thread at a time.

    Two pictures read at once would only make both late on a small machine.

    Args:
        config: says which models to use.
        reader: a reader that is there already.

    Attributes:
        profile_trouble: why the set in use could not be used; `None`: nothing is wrong.
        on_change: called when the eyes have learned something, so that a still table is read anew.
    """

    def __init__(self, config: Config, reader: Reader | None = None) -> None:
        self._config = config
        self._reader = reader
        self._lock = threading.Lock()
        self.on_change: Callable[[], None] = lambda: None
        self.profile_trouble: Text | None = None

    def load(self) -> None:
        """Load the models now.

        Raises:
            ModelError: a model is missing or damaged.
        """
        with self._lock:
            self._loaded()

    def _loaded(self) -> Reader:
        if self._reader is None:
            from vision.reading import Reader  # noqa: PLC0415  (loads ONNX Runtime)

            reader = Reader(self._config.models_dir, self._config.detector)
            self._put_on(reader)
            self._reader = reader
        return self._reader

    def _put_on(self, reader: Reader) -> None:
        """Let a new reader read with the set in use; where it cannot, it reads as it came, and the page says why."""
        from vision.profiles import ProfileError, Profiles  # noqa: PLC0415

        profiles = Profiles(data_dir(self._config.data_dir))
        name = profiles.active
        if name is None:
            return
        from vision.calibration import LEARNED_AGAIN, fitted  # noqa: PLC0415

        try:
            profile, anew = fitted(reader.classifier, profiles, name)
            reader.classifier.use(profile)
            if anew:
                log.info("%s", LEARNED_AGAIN.format(name=name).in_language("en"))
        except ProfileError as error:
            self.profile_trouble = error.text

    def use(self, profile: Profile | None) -> None:
        """Read with what was learned of a set, from the next picture on; `None`: as the classifier comes.

        Raises:
            ProfileError: it was learned with another classifier.
            ModelError: a model is missing or damaged.
        """
        with self.reader() as reader:
            reader.classifier.use(profile)
            self.profile_trouble = None
        self.on_change()

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Have the reader to oneself for a while.

        Raises:
            ModelError: a model is missing or damaged.
        """
        with self._lock:
            yield self._loaded()

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """Read a picture (H, W, 3), BGR.

        Raises:
            ModelError: a model is missing or damaged.
        """
        with self.reader() as reader:
            return reader.read(image)

    def read_photo(self, data: bytes, name: str, rules: str) -> dict[str, Any]:
        """Read a photo as `hand-record.md` has it, with `hand`, `boxes` and a partial `record` for the page.

        A picture that cannot be read answers `{"image", "error"}`.
        """
        from vision.reading import ImageError, load_image  # noqa: PLC0415
        from vision.runtime import ModelError  # noqa: PLC0415

        try:
            reading = self.read(load_image(data))
        except ImageError as error:
            return {"image": name, "error": error.as_json()}
        except ModelError as error:
            return {"image": name, "error": {"code": "no_model", **error.text.as_json()}}
        return {**reading.as_json(name), **layout.of_photo(reading, rules)}


class Services:
    """Everything an application holds beside its routes.

    Attributes:
        store: what outlives the program.
        scores: the score sheets.
        corrections: the corrected pictures that are kept.
        live_corrections: what is said about the live picture, kept among them.
        calibration: the player's own sets.
        phones: the phones that may be the camera; `None` where none can come.
        lan: the local network's door; `None` where it is shut.
    """

    def __init__(
        self, config: Config, loop: Loop | None = None, reader: Reader | None = None, lan: Lan | None = None
    ) -> None:
        self.config = config
        self.lan = lan
        self.eyes = Eyes(config, reader)
        folder = data_dir(config.data_dir)
        self.store = Store(folder)
        self.scores = Scores(self.store)
        self.corrections = Corrections(folder, self.store)
        self.live_corrections = LiveCorrections(self.corrections)
        self.calibration = Calibration(self.eyes, folder)
        self.phones: Phones | None = None
        if config.lan or config.source == "phone":
            from webui.phones import Phones  # noqa: PLC0415  (loads OpenCV)

            self.phones = Phones()
        if loop is None and config.source is not None:
            from webui.live import Loop  # noqa: PLC0415

            open_source = self.phones.open if self.phones is not None else None
            loop = Loop(config, self.eyes, open_source=open_source, store=self.store)
        self.loop = loop
        if loop is not None:
            self.eyes.on_change = loop.look_anew
            self.scores.on_change = loop.go_on

    def source_name(self) -> str | None:
        """Return what the camera is called, `None` where there is none."""
        return self.loop.spec if self.loop is not None else None


def services() -> Services:
    """Return the services of the application that answers this request."""
    return cast("Services", current_app.extensions["youjin"])
