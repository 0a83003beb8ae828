"""A port of this machine that nobody else reaches."""

import socket

_HOST = "127.0.0.1"


def is_here(host: str) -> bool:
    """Whether it is one of the names of this machine that lead to 127.0.0.1."""
    return host in {_HOST, "localhost"} or host.endswith(".localhost")


def bind(port: int = 0) -> socket.socket:
    """Listen on a port, 0 being any that is free; raises ``OSError`` if it is taken."""
    return socket.create_server((_HOST, port))


def port_of(listener: socket.socket) -> int:
    """The port that was taken."""
    port: int = listener.getsockname()[1]
    return port
