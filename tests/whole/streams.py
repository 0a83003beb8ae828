"""A server that sends WebSocket messages to its client without end."""

import base64
import hashlib
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

_ACCEPTS = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_AT_ONCE = 100


@contextmanager
def open_stream(a_second: int, text: bytes = b"tick") -> Generator[str]:
    """Serve a WebSocket that sends a short text at a given rate; yield its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()
        thread = threading.Thread(target=_serve, args=(listener, a_second, text, ended))
        thread.start()
        try:
            yield f"ws://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            ended.set()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listener: socket.socket, a_second: int, text: bytes, ended: threading.Event) -> None:
    frame = bytes((0x81, len(text))) + text
    with suppress(OSError), listener.accept()[0] as connection:
        connection.settimeout(1)
        connection.sendall(_greeting(connection))
        while not ended.is_set():
            connection.sendall(frame * _AT_ONCE)
            time.sleep(_AT_ONCE / a_second)


def _greeting(connection: socket.socket) -> bytes:
    asked = b""
    while b"\r\n\r\n" not in asked:
        asked += connection.recv(4096)
    lines = dict(line.split(b": ", 1) for line in asked.split(b"\r\n")[1:] if b": " in line)
    digest = hashlib.sha1(lines[b"Sec-WebSocket-Key"] + _ACCEPTS).digest()  # noqa: S324 - required by RFC 6455
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )
