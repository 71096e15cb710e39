"""The page in the local network: which addresses it has, how phones are let in, and the code they scan."""

from __future__ import annotations

import functools
import hmac
import io
import ipaddress
import re
import secrets
import socket
import threading
import time
from typing import TYPE_CHECKING

import ifaddr
import segno

from webui.certificate import Certificate
from webui.folders import data_dir, write_private

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: Network cards that lead to machines inside this one, where no phone is.
_INNER = re.compile(
    r"docker|^br-|veth|virbr|vmnet|vboxnet|virtualbox|vmware|vethernet|hyper-v|wsl|tailscale|^tun|^utun|^wg",
    re.IGNORECASE,
)
#: Seconds for which the addresses found last are taken to be right.
_FRESH = 5.0
_SECRET = re.compile(r"[A-Za-z0-9_-]{22,64}")


def addresses() -> list[str]:
    """Return this machine's IPv4 addresses in the local network, the likeliest for a phone first."""
    first = _towards_the_world()
    found: dict[str, bool] = {}
    for adapter in ifaddr.get_adapters():
        inner = bool(_INNER.search(adapter.nice_name) or _INNER.search(adapter.name))
        for ip in adapter.ips:
            if ip.is_IPv4 and not ipaddress.ip_address(str(ip.ip)).is_loopback:
                found[str(ip.ip)] = inner

    def rank(address: str) -> tuple[bool, bool, bool, str]:
        place = ipaddress.ip_address(address)
        return address != first, found[address] or place.is_link_local, not place.is_private, address

    return sorted(found, key=rank)


def _towards_the_world() -> str | None:
    """The address with which this machine would reach the internet; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1, RFC 5737
        except OSError:
            return None
        return str(probe.getsockname()[0])


def host_names() -> list[str]:
    """Return the names under which this machine may be called in the local network, `localhost` first."""
    own = socket.gethostname().lower().rstrip(".")
    names = ["localhost"]
    # What a certificate and a Host header can carry; a computer may well have a Chinese name.
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9-]{1,63})*", own):
        names += [own] if own != "localhost" else []
        names += [] if "." in own else [f"{own}.local"]
    return names


class Lan:
    """What the local network needs to know of this page, and what it must prove.

    Args:
        folder: the user's data folder; certificate, key and secret are kept in its folder `lan`.
        port: port of the encrypted page.
        forget: begin with a new secret, so that phones paired before must scan again.
        find: how addresses are found; tests tell their own.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path | None,
        port: int,
        *,
        forget: bool = False,
        find: Callable[[], list[str]] = addresses,
    ) -> None:
        self.port = port
        self._folder = data_dir(folder) / "lan"
        self._find = find
        self._lock = threading.Lock()
        self._found: list[str] = find()
        self._looked = time.monotonic()
        self.names = frozenset(host_names())
        self.secret = self._keep_secret(forget=forget)
        self.certificate = Certificate(self._folder, self._all_names())

    def _all_names(self) -> set[str]:
        return {*self._found, *self.names, "127.0.0.1", "::1"}

    def _keep_secret(self, *, forget: bool) -> str:
        path = self._folder / "pairing"
        if not forget:
            try:
                kept = path.read_text("ascii").strip()
            except (FileNotFoundError, UnicodeDecodeError):
                kept = ""
            if _SECRET.fullmatch(kept):
                return kept
        made = secrets.token_urlsafe(16)
        write_private(path, made.encode())
        return made

    @property
    def addresses(self) -> list[str]:
        """This machine's addresses now; the certificate follows them when the network changes."""
        with self._lock:
            if time.monotonic() - self._looked > _FRESH:
                self._looked = time.monotonic()
                now = self._find()
                if now != self._found:
                    self._found = now
                    self.certificate.renew(self._all_names())
            return list(self._found)

    def right_secret(self, given: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(given.encode(), self.secret.encode())

    @property
    def cookie(self) -> str:
        """What a paired phone carries: it proves the secret without being it."""
        return hmac.digest(self.secret.encode(), b"youjin paired phone", "sha256").hex()

    def right_cookie(self, given: str | None) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest((given or "").encode(), self.cookie.encode())

    def links(self) -> list[str]:
        """Return the pairing links, the likeliest first; one for each address."""
        return [f"https://{address}:{self.port}/pair/{self.secret}" for address in self.addresses]


@functools.lru_cache(maxsize=8)
def qr_svg(text: str) -> str:
    """Draw a code as an SVG picture, black on white in every theme, because cameras expect it so."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", border=4, scale=8, light="#fff", dark="#000", xmldecl=False)
    return out.getvalue().decode()


def qr_terminal(text: str) -> str:
    """Draw a code with the characters of a terminal."""
    out = io.StringIO()
    segno.make(text, error="l").terminal(out, border=2, compact=True)
    return out.getvalue()
