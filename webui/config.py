"""Settings of one running page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

RULE_SETS = ("xiamen", "zhangzhou", "yunxiao", "jinhua", "hangzhou")
LOCALES = ("zh_Hans", "zh_Hant", "en")
MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Config:
    """What `create_app` needs to know.

    Attributes:
        source: camera source as `vision.camera.open_source` takes it, or `phone` for one that the browser of a phone
            sends; `None` opens none (the JSON API and uploads alone).
        rules: the rule set a new visitor starts with.
        house: house-rule overrides, as in the hand record.
        host: address the server listens on; also the one host *name* that requests may carry.
        models_dir: folder of the ONNX models; `None` takes the ones that come with the program.
        detector: a detector file to use in place of the shipped one.
        max_upload_bytes: largest request body that is read.
        lan: also serve the local network, encrypted, to phones that were paired.
        lan_port: port for that.
        place: tells this program from others on the same data folder: its port.
        data_dir: folder for the user's data; `None` takes what is usual on this system.
        forget_phones: let phones that were paired before pair anew.
        resume: what goes on as it was when the program ended: `source`, `rules` (with the house rules), `hand` (what was
            said about the table); what somebody named for this start does not.
        max_waiting: how many requests may hold a connection while they wait for news; one more is answered at once.
    """

    source: str | None = None
    rules: str = "xiamen"
    house: dict[str, Any] = field(default_factory=dict)
    host: str = "127.0.0.1"
    models_dir: Path | None = None
    detector: Path | None = None
    max_upload_bytes: int = 32 * MIB
    resume: frozenset[str] = frozenset()
    max_waiting: int = 6
    lan: bool = False
    lan_port: int = 8443
    place: str = ""
    data_dir: Path | None = None
    forget_phones: bool = False
