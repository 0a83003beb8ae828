"""Ports of this machine that other machines cannot reach."""

import socket

_HOST = "127.0.0.1"


def is_here(host: str) -> bool:
    """Return whether a host is a name of this machine that resolves to 127.0.0.1."""
    return host in {_HOST, "localhost"} or host.endswith(".localhost")


def bind(port: int = 0) -> socket.socket:
    """Listen on a port, 0 for any free one; raises ``OSError`` if it is in use."""
    return socket.create_server((_HOST, port))


def port_of(listener: socket.socket) -> int:
    """Return the port of a listener."""
    port: int = listener.getsockname()[1]
    return port
