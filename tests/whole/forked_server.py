"""The program that imports ``charlotte`` once and forks a server for each request on its stdin."""

import json
import os
import runpy
import signal
import socket
import sys
from typing import Self

import attrs

from charlotte.base.garbage import import_at_once

MODULES = ("charlotte.cli.program", "charlotte.cli.serve", "charlotte.server", "charlotte.api.app")
MOST_BYTES = 2**20


@attrs.frozen
class Request:
    """Arguments, environment and working directory of a server."""

    arguments: list[str]
    environment: dict[str, str]
    directory: str

    def encoded(self) -> bytes:
        return json.dumps(attrs.asdict(self)).encode()

    @classmethod
    def decoded(cls, data: bytes) -> Self:
        return cls(**json.loads(data))


def main() -> None:
    """Fork a server for each request, until the other end of stdin is closed."""
    for module in MODULES:
        import_at_once(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps those that report ends
    line = socket.socket(fileno=os.dup(0))
    while True:
        data, descriptors, _, _ = socket.recv_fds(line, MOST_BYTES, 4)
        if not data:
            return
        if os.fork() == 0:
            line.close()
            *streams, status = descriptors
            fork(status, streams)
            run(Request.decoded(data), streams)
            return
        for descriptor in descriptors:
            os.close(descriptor)


def fork(status: int, streams: list[int]) -> None:
    """Return in a child; this process reports the id of the child, and its exit code at its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if child := os.fork():
        for descriptor in (0, *streams):
            os.close(descriptor)
        os.write(status, b"%d\n" % child)
        _, ended = os.waitpid(child, 0)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(ended))
        os._exit(0)
    os.close(status)


def run(request: Request, streams: list[int]) -> None:
    """Be the program, with these standard streams."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.directory)
    sys.argv[1:] = request.arguments
    runpy.run_module("charlotte", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
