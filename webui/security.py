"""What keeps other web sites, and other machines, away from a page that runs on the player's own machine."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Response, request

from engine.text import Text
from webui.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Collection

    from webui.config import Config
    from webui.lan import Lan

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_FOREIGN_HOST = Text(
    "不认识这个网址的主机名，请用启动时显示的地址打开。",
    "不認識這個網址的主機名稱，請用啟動時顯示的位址開啟。",
    "This host name is not known here. Open the address that was printed at the start.",
)
_FOREIGN_ORIGIN = Text(
    "这个请求来自别的网站，已拒绝。",
    "這個請求來自別的網站，已拒絕。",
    "This request came from another web site and was refused.",
)


_NOT_PAIRED = Text(
    "这部手机还没有配对：请在电脑上打开“手机做镜头”页面，用手机自带的相机扫那里的二维码。",
    "這部手機還沒有配對：請在電腦上開啟「手機做鏡頭」頁面，用手機內建的相機掃那裡的 QR 碼。",
    "This phone is not paired yet: open “Phone as the camera” on the computer and scan the code there with the phone's own camera.",
)

#: Carried by a phone that scanned the code.
COOKIE = "youjin_phone"
#: What a phone that is not paired may fetch: the styles of the page that tells it so, and the pairing itself.
_OPEN = frozenset({"static", "newest_static", "pages.favicon", "phone.pair", "install.icon", "install.manifest"})


def host_allowed(host_header: str, configured: str, lan_names: Collection[str] | None = None) -> bool:
    """Tell whether a Host header names this server.

    A page of another site can point its own *name* at 127.0.0.1 (DNS rebinding); it cannot make the browser send an
    IP address or `localhost` in the Host header. So names do not pass, but for the configured one. Addresses of the
    network pass where the server listens to it: with `--lan`, whose names are given then, or by `--host 0.0.0.0`.

    >>> host_allowed("127.0.0.1:8000", "127.0.0.1"), host_allowed("evil.example:8000", "127.0.0.1")
    (True, False)
    >>> host_allowed("192.168.1.5", "127.0.0.1"), host_allowed("192.168.1.5", "127.0.0.1", lan_names=())
    (False, True)
    """
    try:
        name = urlsplit(f"//{host_header}").hostname
    except ValueError:
        return False
    if not name:
        return False
    if name in {"localhost", configured.lower()} or name in (lan_names or ()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or lan_names is not None or configured in {"0.0.0.0", "::"}  # noqa: S104


def _place(origin: str) -> str | None:
    """Host and port of an origin, `None` where it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def from_this_machine(remote: str | None) -> bool:
    """Tell whether a request came over the loopback address.

    >>> from_this_machine("127.0.0.1"), from_this_machine("::ffff:127.0.0.1"), from_this_machine("192.168.1.5")
    (True, True, False)
    """
    try:
        address = ipaddress.ip_address(remote or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def register(app: Flask, config: Config, lan: Lan | None = None) -> None:
    """Check where each request comes from and add the protective headers to each answer."""

    @app.before_request
    def same_site_only() -> None:
        if not host_allowed(request.host, config.host, lan.names if lan is not None else None):
            raise ApiError(403, "foreign_host", _FOREIGN_HOST)
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return
        origin = request.headers.get("Origin")
        if origin is not None and _place(origin) != request.host:
            raise ApiError(403, "foreign_origin", _FOREIGN_ORIGIN)
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
            raise ApiError(403, "foreign_origin", _FOREIGN_ORIGIN)

    @app.before_request
    def paired_only() -> None:
        if lan is None or from_this_machine(request.remote_addr) or request.endpoint in _OPEN:
            return
        if not lan.right_cookie(request.cookies.get(COOKIE)):
            raise ApiError(403, "not_paired", _NOT_PAIRED)

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
