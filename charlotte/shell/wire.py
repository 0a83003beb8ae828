"""Messages between a client and the background server."""

import json
from _socket import SO_PEERCRED, SOL_SOCKET, socket

LONGEST = 256 * 2**20
_LENGTH = 4


def encode(message: dict[str, object]) -> bytes:
    """Return a message with its length before it."""
    body = json.dumps(message, ensure_ascii=False).encode(errors="replace")
    return len(body).to_bytes(_LENGTH) + body


def send(line: socket, message: dict[str, object]) -> None:
    """Send a message."""
    line.sendall(encode(message))


def receive(line: socket) -> dict[str, object] | None:
    """Return the next message; None if the connection ended before it was complete."""
    head = receive_bytes(line, _LENGTH)
    body = receive_bytes(line, int.from_bytes(head)) if head else None
    if body is None:
        return None
    message: dict[str, object] = json.loads(body)
    return message


def receive_bytes(line: socket, count: int) -> bytes | None:
    """Return that many bytes; None if the connection ended before."""
    parts: list[bytes] = []
    while count:
        try:
            part = line.recv(min(count, 2**18))
        except ConnectionError:
            return None
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def peer(line: socket) -> tuple[int, int]:
    """Return the process and the user at the other end of a connection."""
    credentials = line.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)
    return int.from_bytes(credentials[:4], "little"), int.from_bytes(credentials[4:8], "little")
