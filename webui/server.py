"""The program that serves: a real WSGI server, the live loop beside it, an honest message when the port is taken."""

from __future__ import annotations

import errno
import socket
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from engine.text import Text
from webui.app import create_app

if TYPE_CHECKING:
    from flask import Flask

    from webui.config import Config

#: Requests that wait for news hold a thread each (`Config.max_waiting`); the rest of these answer everything else.
THREADS = 16


class ServeError(Exception):
    """The server cannot start; `text` says why and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def open_socket(host: str, port: int) -> socket.socket:
    """Bind the address.

    Raises:
        ServeError: the port is taken, may not be used, or the address is not of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServeError(
            Text(
                "不认识地址 {host}，请用 127.0.0.1。",
                "不認識位址 {host}，請用 127.0.0.1。",
                "The address {host} is not known; use 127.0.0.1.",
            ).format(host=host)
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ServeError(_bind_trouble(error, host, port)) from error
    return listener


def _bind_trouble(error: OSError, host: str, port: int) -> Text:
    if error.errno == errno.EADDRINUSE:
        text = Text(
            "端口 {port} 已被占用：可能 youjin 已经开着。请打开 http://{host}:{port}/ ，或换一个端口，例如 --port {other}。",
            "連接埠 {port} 已被占用：可能 youjin 已經開著。請開啟 http://{host}:{port}/ ，或換一個連接埠，例如 --port {other}。",
            "Port {port} is in use; perhaps youjin is running already. Open http://{host}:{port}/ or take another port, for instance --port {other}.",
        )
    elif error.errno == errno.EACCES:
        text = Text(
            "不允许使用端口 {port}，请换一个，例如 --port {other}。",
            "不允許使用連接埠 {port}，請換一個，例如 --port {other}。",
            "Port {port} may not be used; take another one, for instance --port {other}.",
        )
    else:
        text = Text(
            "地址 {host} 不是这台机器的，请用 127.0.0.1。",
            "位址 {host} 不是這台機器的，請用 127.0.0.1。",
            "The address {host} does not belong to this machine; use 127.0.0.1.",
        )
    other = port + 1 if 1024 <= port < 65535 else 8000
    return text.format(host=host, port=port, other=other)


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser."""
    name = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104  (compared, not bound)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


class Server:
    """A bound server with its application and live loop."""

    def __init__(self, config: Config, port: int) -> None:
        """Bind `port` (0: any free one).

        Raises:
            ServeError: see `open_socket`.
        """
        from waitress import create_server  # noqa: PLC0415

        self.socket = open_socket(config.host, port)
        self.port: int = self.socket.getsockname()[1]
        self.url = address_of(config.host, self.port)
        self.app: Flask = create_app(config)
        # Everything the server watches: emptying it is what ends `run`.
        self._watched: dict[int, Any] = {}
        self._wsgi: Any = create_server(
            self.app,
            map=self._watched,
            sockets=[self.socket],
            threads=THREADS,
            ident="youjin",
            # The application refuses what is too large, with a sentence; this only keeps the disk from filling.
            max_request_body_size=8 * config.max_upload_bytes,
            channel_timeout=60,
            clear_untrusted_proxy_headers=True,
        )

    def run(self, *, open_browser: bool = False) -> None:
        """Serve until interrupted or closed."""
        from waitress import wasyncore  # noqa: PLC0415

        loop = self.app.extensions["youjin"].loop
        if loop is not None:
            loop.start()
        if open_browser:
            threading.Timer(0.5, webbrowser.open, (self.url,)).start()
        try:
            wasyncore.loop(timeout=1, map=self._watched, use_poll=self._wsgi.adj.asyncore_use_poll)
        finally:
            if loop is not None:
                loop.stop()  # lets go the requests that wait for news
            self._wsgi.task_dispatcher.shutdown(timeout=2)
            wasyncore.close_all(self._watched, ignore_all=True)

    def close(self) -> None:
        """End `run`, from another thread."""
        from waitress import wasyncore  # noqa: PLC0415

        self._wsgi.trigger.pull_trigger(lambda: wasyncore.close_all(self._watched, ignore_all=True))
