"""Start of the background server by its first client."""

import json
import os
import select
import subprocess
import sys
import time
from fcntl import LOCK_EX, LOCK_NB, flock

from charlotte.shell.place import LOG, Unusable, directory

START_WAIT = 30.0
STOP_WAIT = 15.0
_PAUSE = 0.02
_LONGEST_LOG = 2000


def start(request: dict[str, object]) -> None:
    """Start a server with the flags and the environment of a request; raises `Unusable`.

    Returns when the server accepts connections. The caller holds the start lock.
    """
    log = f"{directory()}/{LOG}"
    with os.fdopen(os.open(log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as errors:
        server = subprocess.Popen(
            [sys.executable, "-P", "-m", "charlotte.cli.background"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # neither the terminal nor Ctrl-C ends it
        )
    assert server.stdin is not None  # noqa: S101 - both are pipes
    assert server.stdout is not None  # noqa: S101
    with server.stdin, server.stdout:
        try:
            server.stdin.write(json.dumps(request).encode())
            server.stdin.close()
        except BrokenPipeError:
            pass
        is_ready, _, _ = select.select([server.stdout], [], [], START_WAIT)
        answer = server.stdout.readline() if is_ready else b""
    if answer == b"ready\n":
        return
    if answer:
        raise Unusable(answer.decode().rstrip())
    state = "ended" if is_ready else f"was not ready after {START_WAIT:.0f} s"
    if not is_ready:
        server.kill()
    raise Unusable(f"The background server {state}. Its log, {log}, ends with:\n{_end_of(log)}")


def _end_of(path: str) -> str:
    with open(path, "rb") as file:
        return file.read()[-_LONGEST_LOG:].decode(errors="replace").rstrip()


def lock(name: str, seconds: float) -> int | None:
    """Lock a file in the server's directory; return its descriptor, or None after that time."""
    file = os.open(f"{directory()}/{name}", os.O_CREAT | os.O_RDWR, 0o600)
    deadline = time.monotonic() + seconds
    while True:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(file)
                return None
            time.sleep(_PAUSE)
        else:
            return file
