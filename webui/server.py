"""The program that serves: a real WSGI server, the live loop beside it, an honest message when the port is taken.

On the machine itself the page is plain HTTP on the loopback address. With `--lan` a second socket listens to the local
network in TLS, because a phone's browser gives its camera only to pages that came encrypted.
"""

from __future__ import annotations

import errno
import os
import socket
import threading
import webbrowser
from typing import TYPE_CHECKING

from engine.text import Text
from webui.app import create_app

if TYPE_CHECKING:
    from flask import Flask

    from webui.config import Config
    from webui.lan import Lan

#: Requests that wait for news hold a thread each (`Config.max_waiting`), and so does a connection that a browser opened
#: in advance; the rest of these answer everything else.
THREADS = 24
EVERYWHERE = "0.0.0.0"  # noqa: S104  (only bound with --lan, behind the pairing)


class ServeError(Exception):
    """The server cannot start; `text` says why and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def open_socket(host: str, port: int, *, option: str = "--port") -> socket.socket:
    """Bind the address; `option` is what its message tells to change.

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
        if os.name != "nt":  # on Windows this would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # At once, so that nobody is turned away who comes before `run`, and a second program learns that it is late.
        listener.listen(64)
    except OSError as error:
        listener.close()
        raise ServeError(_bind_trouble(error, host, port, option)) from error
    return listener


def _bind_trouble(error: OSError, host: str, port: int, option: str) -> Text:
    if error.errno == errno.EADDRINUSE and host == EVERYWHERE:
        text = Text(
            "端口 {port} 已被占用：可能 youjin 已经开着。请先关掉它，或换一个端口，例如 {option} {other}。",
            "連接埠 {port} 已被占用：可能 youjin 已經開著。請先關掉它，或換一個連接埠，例如 {option} {other}。",
            "Port {port} is in use; perhaps youjin is running already. Close it or take another port, for instance {option} {other}.",
        )
    elif error.errno == errno.EADDRINUSE:
        text = Text(
            "端口 {port} 已被占用：可能 youjin 已经开着。请打开 http://{host}:{port}/ ，或换一个端口，例如 {option} {other}。",
            "連接埠 {port} 已被占用：可能 youjin 已經開著。請開啟 http://{host}:{port}/ ，或換一個連接埠，例如 {option} {other}。",
            "Port {port} is in use; perhaps youjin is running already. Open http://{host}:{port}/ or take another port, for instance {option} {other}.",
        )
    elif error.errno == errno.EACCES:
        text = Text(
            "不允许使用端口 {port}，请换一个，例如 {option} {other}。",
            "不允許使用連接埠 {port}，請換一個，例如 {option} {other}。",
            "Port {port} may not be used; take another one, for instance {option} {other}.",
        )
    else:
        text = Text(
            "地址 {host} 不是这台机器的，请用 127.0.0.1。",
            "位址 {host} 不是這台機器的，請用 127.0.0.1。",
            "The address {host} does not belong to this machine; use 127.0.0.1.",
        )
    other = port + 1 if 1024 <= port < 65535 else 8000
    return text.format(host=host, port=port, other=other, option=option)


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser."""
    name = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104  (compared, not bound)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


class Server:
    """A bound server with its application and live loop.

    Attributes:
        url: the page on this machine.
        address, port: what it listens on for that.
        lan: addresses, certificate and pairing for the phones; `None` without `--lan`.
    """

    def __init__(self, config: Config, port: int) -> None:
        """Bind `port` and, with `config.lan`, `config.lan_port` (0: any free one).

        Raises:
            ServeError: see `open_socket`; or the certificate cannot be kept.
        """
        from webui.listener import Listener  # noqa: PLC0415  (the command line starts without it)

        own = open_socket(config.host, port)
        self.address, self.port = (str(own.getsockname()[0]), int(own.getsockname()[1]))
        self.url = address_of(config.host, self.port)
        self.lan: Lan | None = None
        outer: socket.socket | None = None
        try:
            if config.lan:
                outer = open_socket(EVERYWHERE, config.lan_port, option="--lan-port")
                self.lan = _open_lan(config, outer.getsockname()[1])
            self.app: Flask = create_app(config, lan=self.lan)
        except BaseException:
            own.close()
            if outer is not None:
                outer.close()
            raise
        # The application refuses what is too large, with a sentence; this only keeps the memory from filling.
        largest = 8 * config.max_upload_bytes
        self._listeners = [Listener(own, self.app, threads=THREADS, largest_body=largest)]
        if outer is not None and self.lan is not None:
            tls = self.lan.certificate.context
            # Strangers in the network get as far as this; nothing that a phone sends is larger than a photo.
            largest = config.max_upload_bytes + 65536
            self._listeners.append(Listener(outer, self.app, threads=THREADS, largest_body=largest, tls=tls))
        self._closed = False
        self._lock = threading.Lock()

    def run(self, *, open_browser: bool = False) -> None:
        """Serve until interrupted or closed."""
        loop = self.app.extensions["youjin"].loop
        if loop is not None:
            loop.start()
        with self._lock:
            if not self._closed:
                for listener in self._listeners:
                    listener.prepare()
        if open_browser:
            threading.Timer(0.5, webbrowser.open, (self.url,)).start()
        others = [threading.Thread(target=listener.serve, daemon=True) for listener in self._listeners[1:]]
        for thread in others:
            thread.start()
        try:
            self._listeners[0].serve()
        finally:
            self.close()
            for thread in others:
                thread.join(5)

    def close(self) -> None:
        """End `run`, from any thread."""
        loop = self.app.extensions["youjin"].loop
        if loop is not None:
            loop.stop()  # lets go the requests that wait for news
        with self._lock:
            self._closed = True
            for listener in self._listeners:
                listener.stop()


def _open_lan(config: Config, port: int) -> Lan:
    from webui.lan import Lan  # noqa: PLC0415  (loads cryptography)

    try:
        return Lan(config.data_dir, port, forget=config.forget_phones)
    except OSError as error:
        raise ServeError(
            Text(
                "证书存不下来：{why}。请检查这个文件夹的权限。",
                "憑證存不下來：{why}。請檢查這個資料夾的權限。",
                "The certificate cannot be kept: {why}. Check the permissions of this folder.",
            ).format(why=error)
        ) from error
