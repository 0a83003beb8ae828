"""``charlotte do``, ``ps`` and ``stop``: send a command, print its answer."""

import json
import os
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket
from importlib import import_module

from charlotte.base.version import __version__
from charlotte.shell import before_dashes
from charlotte.shell.place import LOG, SERVER_LOCK, SOCKET, START_LOCK, Unusable, directory, peer

FAILED, MISUSED, LOST, UNUSABLE, INTERRUPTED = 1, 2, 8, 9, 130
"""Exit codes: no reader, wrong arguments, server ended during a call, server not usable, Ctrl-C."""

ANSWER_WAIT = 900.0
"""Seconds for one command; every call of a tool has a shorter deadline."""
_CHUNK = 2**18
_SIGTERM = 15
_LOST = (
    "The background server ended during the call, which may or may not have happened. The next "
    "command starts a server and restores the tabs: check the page before you repeat the call."
)
_NOT_RUNNING = "No background server is running."

Message = dict[str, object]


def main(words: list[str]) -> int:
    """Run ``do``, ``ps`` or ``stop`` with its arguments; return the exit code."""
    try:
        code = _run(words)
        sys.stdout.flush()
    except Unusable as error:
        _complain(str(error))
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has ended, as in `charlotte do observe | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _run(words: list[str]) -> int:
    if words[0] == "do":
        return _print(_answer(send(request_of("do", words=words[1:], stdin=_stdin(words[1:])))))
    if words == ["stop"]:
        return _stop()
    if words[0] == "ps" and len(words) > 1:
        _complain(f"charlotte: error: ps takes no arguments, got {words[1]!r}")
        return MISUSED
    line = connect()
    if line is None:
        print(_NOT_RUNNING)
        return 0
    return _print(_answer(send(request_of(words[0], words=words[1:]), line)))


def request_of(kind: str, **more: object) -> Message:
    """Return a request with what the server needs to know of every client."""
    ours = {key: value for key, value in os.environ.items() if key.startswith("CHARLOTTE_")}
    try:
        cwd = os.getcwd()
    except FileNotFoundError:
        raise Unusable("The working directory does not exist any more.") from None
    return {
        "kind": kind,
        "version": __version__,
        "cwd": cwd,
        "client": identify_shell(),
        "environment": ours,
        **more,
    }


def connect() -> socket | None:
    """Return a connection to the server; None if none runs. Raises `Unusable`."""
    line = socket(AF_UNIX, SOCK_STREAM)
    line.settimeout(ANSWER_WAIT)
    path = f"{directory()}/{SOCKET}"
    try:
        line.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        line.close()
        return None
    except OSError as error:
        raise Unusable(f"{path} cannot be used: {error.strerror or error}.") from None
    if peer(line)[1] != os.getuid():
        line.close()
        raise Unusable(f"{path} belongs to another user.")
    return line


def send(request: Message, line: socket | None = None) -> socket:
    """Send a request on a connection, or a new one, and return it; the answer follows.

    Starts the server if none runs. Raises `Unusable`.
    """
    line = line or connect() or _start(request)
    try:  # noqa: SIM105 - contextlib takes long to import
        line.sendall(json.dumps(request, ensure_ascii=False).encode(errors="replace") + b"\n")
    except ConnectionError:
        pass  # the server has ended, so there is no answer
    return line


def _start(request: Message) -> socket:
    starting = import_module("charlotte.shell.starting")
    lock = starting.lock(START_LOCK, starting.START_WAIT)  # so that only one client starts it
    if lock is None:
        waited = f"{starting.START_WAIT:.0f} s"
        raise Unusable(f"Another client has been starting the server for {waited}.")
    try:
        if (line := connect()) is None:
            starting.start(request)
            line = connect()
    finally:
        os.close(lock)
    if line is None:
        raise Unusable(f"The background server ended at once; its log is {directory()}/{LOG}.")
    return line


def _answer(line: socket) -> Message:
    """Return the answer that arrives on a connection."""
    data = bytearray()
    try:
        while part := line.recv(_CHUNK):
            data += part
    except TimeoutError:
        raise Unusable(
            f"The background server has not answered for {ANSWER_WAIT:.0f} s: 'charlotte stop' "
            "ends it."
        ) from None
    except ConnectionError:
        data.clear()
    finally:
        line.close()
    try:
        answer: Message = json.loads(data)
    except ValueError:  # incomplete
        return {"err": _LOST, "exit": LOST}
    return answer


def _print(answer: Message) -> int:
    """Print an answer and write its files; return its exit code."""
    if text := answer.get("out"):
        sys.stdout.write(f"{text}\n")
    if text := answer.get("err"):
        _complain(str(text))
    code = answer["exit"]
    assert isinstance(code, int)  # noqa: S101 - by the protocol
    file = answer.get("file")
    return code if file is None else _write(str(file), str(answer["data"])) or code


def _write(path: str, data: str) -> int:
    """Write the image of an answer; return an exit code."""
    content = import_module("binascii").a2b_base64(data)
    try:
        if path == "-":
            sys.stdout.buffer.write(content)
        else:
            with open(path, "wb") as file:
                file.write(content)
    except OSError as error:
        _complain(f"{path} could not be written: {error.strerror}.")
        return 1
    return 0


def _stop() -> int:
    """End the server and wait for its end; a server that hangs is ended by its watchdog."""
    line = connect()
    if line is None:
        print(_NOT_RUNNING)
        return 0
    starting = import_module("charlotte.shell.starting")
    pid = peer(line)[0]
    os.kill(pid, _SIGTERM)
    line.close()
    if starting.lock(SERVER_LOCK, starting.STOP_WAIT) is None:
        raise Unusable(f"The server, process {pid}, has not ended for {starting.STOP_WAIT:.0f} s.")
    print(f"Stopped the server, process {pid}.")
    return 0


def _stdin(words: list[str]) -> str | None:
    """Return the text on stdin, if an argument is ``-``."""
    if not any(word == "-" or word.endswith("=-") for word in before_dashes(words)):
        return None
    return sys.stdin.read().removesuffix("\n")


def _complain(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def identify_shell() -> str:
    """Return an identity of the process that runs the commands: pid and start time.

    A shell that was started for one command (``sh -c …``) counts as the process that started it,
    so an agent that starts a shell for each command is one client.
    """
    pid = os.getppid()
    for _ in range(8):
        if pid <= 1 or not _runs_one_command(pid):
            break
        pid = int(_stat(pid)[1] or 0)
    return f"shell-{pid}-{_stat(pid)[19]}"


def _runs_one_command(pid: int) -> bool:
    words = _read(f"/proc/{pid}/cmdline").split(b"\0")
    is_shell = words[0].rpartition(b"/")[2].endswith(b"sh")
    options = [word for word in words[1:3] if word.startswith(b"-") and word[1:2] != b"-"]
    return is_shell and any(b"c" in option for option in options)


def _stat(pid: int) -> list[str]:
    """Return the fields after the name in ``/proc/PID/stat``: parent 1, start time 19."""
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].decode().split()
    return fields or ["0"] * 20


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4096)
    except OSError:
        return b""
