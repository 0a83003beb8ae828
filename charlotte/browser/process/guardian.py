"""Guardian between Charlotte and Chromium: when one of them ends, it removes the rest of Chromium.

A separate program: ``python -I -S guardian.py PROFILE remove|keep SOCKET COMMAND …``. Chromium gets
the socket, a descriptor, for its messages. The standard input ends when Charlotte ends, also by
SIGKILL; on Linux the guardian waits for Charlotte's process too, of which a fork of a program that
embeds Charlotte has a copy of the other end.
It writes Chromium's pid and a newline to standard output and, once Chromium has ended, the end of
Chromium's standard error. The exit status is that of Chromium; a signal is 128 + its number.

Charlotte cannot use a parent-death signal itself: the signal is sent when the *thread* that forked
ends, and trio forks in worker threads. The guardian has one thread, and starts in a few
milliseconds because it imports little of the standard library.
"""
# Importing pathlib would lengthen the start by half.
# ruff: noqa: PTH102, PTH103, PTH104, PTH108, PTH118, PTH123, PTH208

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

OWNER = "owner"
TAIL = 8192
PATIENCE = 3.0  # seconds for killed processes to end, and again for deleting files
# Signal that ends Chromium, and the seconds that it gets. On SIGINT, Chromium writes cookies and
# storage to the profile first; on SIGTERM it does not.
REQUEST = {"remove": (signal.SIGTERM, 0.5), "keep": (signal.SIGINT, 1.0)}

LONGEST_SCRATCH = 60  # socket paths have at most 107 characters, of which Chromium needs 45
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class Guarded:
    """The process of Chromium, its exit status and the end of its standard error."""

    def __init__(self, pid: int, errors: int) -> None:
        self.pid, self.errors, self.tail = pid, errors, b""
        self.status: int | None = None
        os.set_blocking(errors, False)

    def read_errors(self) -> bool:
        """Read available output; False after its end."""
        try:
            data = os.read(self.errors, 65536)
        except BlockingIOError:
            return True
        self.tail = (self.tail + data)[-TAIL:]
        return bool(data)

    def reap(self) -> bool:
        """Collect children that have ended; return whether others still run."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self.pid:
                    code = os.waitstatus_to_exitcode(status)
                    self.status = code if code >= 0 else 128 - code
        except ChildProcessError:
            return False

    def signal_group(self, number: int) -> None:
        """Send a signal to Chromium and its children, if any are left."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def main(profile: str, after: str, messages: str, *command: str) -> int:
    """Run ``command`` on ``profile`` while both live; return its exit status."""
    wake, lifelines = signals_as_bytes(), {sys.stdin.fileno()}
    if sys.platform == "linux":
        with suppress(OSError):
            lifelines.add(os.pidfd_open(os.getppid()))
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    temporary = after == "remove"
    try:
        environment = prepare_profile(profile, temporary=temporary)
    except OSError as error:
        report(f"0\n{error}".encode())
        return 1
    chromium = start([*command, f"--user-data-dir={profile}"], environment, int(messages))
    report(b"%d\n" % chromium.pid)
    try:
        watch(chromium, wake, lifelines)
        if chromium.status is None:
            request, grace = REQUEST[after]
            chromium.signal_group(request)
            watch(chromium, wake, set(), deadline=time.monotonic() + grace)
        chromium.read_errors()
    finally:
        kill_all(chromium)
        if temporary:
            remove(profile)
    report(chromium.tail)
    return 128 + signal.SIGKILL if chromium.status is None else chromium.status


def signals_as_bytes() -> int:
    """Deliver signals as bytes with their number, at the returned descriptor."""
    wake, arrivals = os.pipe()
    os.set_blocking(arrivals, False)
    signal.set_wakeup_fd(arrivals)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    return wake


def prctl(option: int, value: int) -> None:
    """Set a process property that exists on Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def prepare_profile(profile: str, *, temporary: bool) -> dict[str, str]:
    """Create the profile directory; return the environment of Chromium.

    A file of a temporary profile is locked for the lifetime of this process (see launch.py).
    """
    environment = dict(os.environ)
    os.makedirs(profile, mode=0o700, exist_ok=not temporary)
    if temporary:
        import fcntl  # noqa: PLC0415 - only a temporary profile needs it

        path = os.path.join(profile, OWNER)
        owner = os.open(f"{path}.new", os.O_CREAT | os.O_RDWR, 0o600)  # never closed
        fcntl.flock(owner, fcntl.LOCK_EX)
        os.rename(f"{path}.new", path)  # renamed after locking, so it never exists unlocked
    scratch = os.path.join(profile, "tmp")
    if temporary and len(scratch) <= LONGEST_SCRATCH:
        os.mkdir(scratch)
        environment["TMPDIR"] = scratch  # files of a killed Chromium are deleted with the profile
    elif len(environment.get("TMPDIR", "")) > LONGEST_SCRATCH:
        del environment["TMPDIR"]  # Chromium takes /tmp
    return environment


def start(command: list[str], environment: dict[str, str], messages: int) -> Guarded:
    """Start Chromium in its own process group; it dies with its parent.

    With ``--remote-debugging-pipe``, it reads messages from descriptor 3 and writes them to 4.
    """
    errors, writing = os.pipe()
    guardian, pid = os.getpid(), os.fork()
    if pid:
        with suppress(OSError):
            os.setpgid(pid, pid)  # the child does the same, to avoid a race
        os.close(writing)
        os.close(messages)
        return Guarded(pid, errors)
    try:
        os.setpgid(0, 0)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guardian:
            os._exit(128 + signal.SIGKILL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number, descriptor in enumerate((nothing, nothing, writing, messages, messages)):
            os.dup2(descriptor, number)
        os.closerange(5, messages + 1)
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        os.execve(command[0], command, environment)  # noqa: S606 - a shell is not wanted
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}".encode())
    finally:
        os._exit(127)


def watch(
    chromium: Guarded, wake: int, lifelines: set[int], *, deadline: float | None = None
) -> None:
    """Return when Chromium ended or has to end: a ready lifeline, a signal, or the deadline."""
    inputs = {wake, chromium.errors, *lifelines}
    while chromium.status is None:
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(inputs, [], [], timeout)
        if not ready or lifelines.intersection(ready):
            return
        if chromium.errors in ready and not chromium.read_errors():
            inputs.discard(chromium.errors)
        if wake in ready:
            end_signals = set(os.read(wake, 4096)) - {signal.SIGCHLD}
            chromium.reap()
            if end_signals and deadline is None:
                return


def kill_all(chromium: Guarded) -> None:
    """Kill the rest of the group and, on Linux, children that left the group."""
    deadline = time.monotonic() + PATIENCE
    chromium.signal_group(signal.SIGKILL)
    while chromium.reap() and time.monotonic() < deadline:
        # orphans of Chromium are children of this process, the subreaper
        with suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as children:
            for orphan in children.read().split():
                os.kill(int(orphan), signal.SIGKILL)
        time.sleep(0.005)


def remove(profile: str) -> None:
    """Remove the profile, repeatedly while a process still writes to it."""
    deadline = time.monotonic() + PATIENCE
    while os.path.lexists(profile):
        remove_once(profile)
        if time.monotonic() > deadline:
            return
        time.sleep(0.005)


def remove_once(profile: str) -> None:
    """Remove what can be removed of a profile; its owner last, so that a sweep finds the rest."""
    import shutil  # noqa: PLC0415 - Chromium need not wait for this import

    with suppress(OSError):
        for name in {*os.listdir(profile)} - {OWNER}:
            path = os.path.join(profile, name)
            shutil.rmtree(path, ignore_errors=True)
            if os.path.lexists(path):  # a file, or what could not be removed
                os.unlink(path)
        shutil.rmtree(profile, ignore_errors=True)


def report(text: bytes) -> None:
    """Send a message to Charlotte, if it still runs."""
    with suppress(OSError):
        os.write(sys.stdout.fileno(), text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
