"""The directory of the background server: its socket, locks, log and saved sessions."""

import _socket
import os
import stat

SOCKET, SERVER_LOCK, START_LOCK, LOG = "socket", "server.lock", "start.lock", "server.log"
_OTHERS = 0o077


class Unusable(Exception):
    """The background server cannot be used; the text is for the caller's terminal."""


def directory() -> str:
    """Return the user's private directory, created if necessary; raises `Unusable`.

    It is in ``XDG_RUNTIME_DIR``, else in the directory of temporary files.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.path.isdir(runtime):
        path = f"{runtime}/charlotte"
    else:
        path = f"{os.environ.get('TMPDIR') or '/tmp'}/charlotte-{os.getuid()}"  # noqa: S108 - checked below
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise Unusable(f"{path} cannot be created: {error.strerror}.") from None
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & _OTHERS:
        raise Unusable(
            f"{path} must be a directory that only you can enter. Remove it, or set "
            "XDG_RUNTIME_DIR to your own directory with mode 0700."
        )
    return path


def peer(line: _socket.socket) -> tuple[int, int]:
    """Return the process and the user at the other end of a connection, on Linux."""
    credentials = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(credentials[:4], "little"), int.from_bytes(credentials[4:8], "little")
