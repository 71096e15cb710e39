"""One listening socket that answers with a WSGI application, in plain HTTP or in TLS.

Two things differ from cheroot as it comes. Its TLS adapter shakes hands in the thread that accepts connections, so one
phone that falls asleep in the middle of it keeps everybody else out until its time is up; here each worker shakes hands
itself. And a connection that a browser opened in advance would hold a worker, and be sent "408 Request Timeout" in the end,
which the browser takes for the answer to the next thing it asks; here it waits without a worker, and is closed in silence.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection
from cheroot.wsgi import Server as CherootServer

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

#: Seconds a handshake, or a pause in the middle of a request, may take.
PATIENCE = 10
#: The first byte of every TLS connection (RFC 8446, section 5.1: handshake).
_HANDSHAKE = b"\x16"
_PLAIN = (
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    "Content-Length: {length}\r\n\r\n"
)
_PLAIN_TEXT = "请用 https:// 开头的网址。\n請用 https:// 開頭的網址。\nUse the address that begins with https://.\n"


class Connection(HTTPConnection):
    """A connection that has no worker until it says something, and whose worker shakes hands first."""

    _begun = False

    def communicate(self) -> bool:
        """Answer one request, or get ready for it; tells whether the connection stays open."""
        if not self._begun and self._silent():
            return True
        self._begun = True
        context: ssl.SSLContext | None = self.server.tls
        if context is not None and not isinstance(self.socket, ssl.SSLSocket):
            return self._secure(context)  # the request follows when it comes
        return bool(super().communicate())  # type: ignore[no-untyped-call]

    def _silent(self) -> bool:
        self.socket.settimeout(0)
        try:
            self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False  # whoever reads next finds out
        finally:
            self.socket.settimeout(PATIENCE)
        return False

    def _secure(self, context: ssl.SSLContext) -> bool:
        try:
            first = self.socket.recv(1, socket.MSG_PEEK)
            if first != _HANDSHAKE:
                if first:
                    body = _PLAIN_TEXT.encode()
                    self.socket.sendall(_PLAIN.format(length=len(body)).encode() + body)
                return False
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
            self.socket.do_handshake()
        except OSError as error:  # a phone that does not trust the certificate yet hangs up here, as it should
            log.debug("no handshake with %s: %s", self.remote_addr, error)
            return False
        self.rfile = MakeFile(self.socket, "rb", self.rbufsize)
        self.wfile = MakeFile(self.socket, "wb", self.wbufsize)
        self.ssl_env = {"wsgi.url_scheme": "https", "HTTPS": "on"}
        return True

    def close(self) -> None:
        """Close the connection, whatever became of it."""
        try:
            super().close()
        except OSError as error:
            log.debug("closing %s: %s", self.remote_addr, error)
            self.socket.close()


class Listener(CherootServer):
    """A cheroot server on a socket that is bound already.

    Args:
        listener: the bound socket; it is closed by `stop`.
        app: the WSGI application.
        threads: requests that may be worked on at once.
        largest_body: bytes; a longer request is refused unread.
        tls: speak TLS with this context; `None` is plain HTTP.
    """

    ConnectionClass = Connection
    keep_alive_conn_limit = 64
    max_request_header_size = 64 * 1024

    def __init__(
        self,
        listener: socket.socket,
        app: Flask,
        *,
        threads: int,
        largest_body: int,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(
            listener.getsockname()[:2],
            app,
            numthreads=threads,
            server_name="youjin",
            request_queue_size=64,
            timeout=PATIENCE,
            shutdown_timeout=3,
        )
        self.max_request_body_size = largest_body
        self.tls = tls
        self._bound = listener

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:  # noqa: A002  (cheroot's name)
        """Take the socket that is bound already."""
        del family, type, proto
        # An answer goes out in two pieces, head and body: without this the second waits 40 ms for the first one's receipt.
        self._bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, self.nodelay)
        self.socket = self._bound
        return self._bound

    def stop(self) -> None:
        """End, also where it never began."""
        super().stop()
        self._bound.close()

    def error_log(self, msg: Any = "", level: int = logging.INFO, traceback: bool = False) -> None:
        """Pass cheroot's messages on to the log; a browser that went away in the middle is nothing to report."""
        if isinstance(sys.exc_info()[1], OSError):
            level = logging.DEBUG
        log.log(level, "%s", msg, exc_info=traceback)
