"""What keeps other web sites away from a page that runs on the player's own machine."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Response, request

from engine.text import Text
from webui.errors import ApiError

if TYPE_CHECKING:
    from webui.config import Config

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


def host_allowed(host_header: str, configured: str) -> bool:
    """Tell whether a Host header names this server.

    A page of another site can point its own *name* at 127.0.0.1 (DNS rebinding); it cannot make the browser send an
    IP address or `localhost` in the Host header. So addresses pass, names do not, but for the configured one.

    >>> host_allowed("127.0.0.1:8000", "127.0.0.1"), host_allowed("evil.example:8000", "127.0.0.1")
    (True, False)
    """
    try:
        name = urlsplit(f"//{host_header}").hostname
    except ValueError:
        return False
    if not name:
        return False
    if name in {"localhost", configured.lower()}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def register(app: Flask, config: Config) -> None:
    """Check where each request comes from and add the protective headers to each answer."""

    @app.before_request
    def same_site_only() -> None:
        if not host_allowed(request.host, config.host):
            raise ApiError(403, "foreign_host", _FOREIGN_HOST)
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise ApiError(403, "foreign_origin", _FOREIGN_ORIGIN)
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
            raise ApiError(403, "foreign_origin", _FOREIGN_ORIGIN)

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
