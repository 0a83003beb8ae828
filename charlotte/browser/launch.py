"""Launch of Chromium, and removal of what killed servers have left.

The guardian (guardian.py) runs between Charlotte and Chromium. It ends when Charlotte ends, so a
killed Charlotte leaves neither a browser nor a profile. A profile is swept if its guardian, which
holds a lock on its file `OWNER`, is dead. Temporary output is swept `KEPT_DAYS` after the last file
was written, if the process that made it is dead.
"""

import fcntl
import os
import re
import resource
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import cast

import attrs
import structlog
import trio

from charlotte.browser.chromium_flags import (
    LaunchOptions,
    environment,
    lacks_sandbox,
    switches,
    wants_sandbox,
)
from charlotte.clock import now_ms
from charlotte.errors import SessionProblem

__all__ = ["Chromium", "LaunchOptions", "find_executable", "open_chromium"]

log = structlog.get_logger(__name__)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WINDOWLESS = (
    "/usr/lib/chromium/chromium-headless-shell",  # the executable; Debian installs a script in PATH
    "chromium-headless-shell",
    "chrome-headless-shell",
)
"""The same engine without the code that draws windows, with half of the work per page."""
GUARDIAN = Path(__file__).with_name("guardian.py")
START_DEADLINE = 20.0
END_DEADLINE = 1.5
SWEEP_DEADLINE = 0.3
_DESCRIPTORS = 80
_DESCRIPTORS_OF_TAB = 5
"""Files that Chromium opens without tabs, and for each process of a page or frame."""

_USUAL_TABS = 50
SIGNALLED = 128  # exit code of a program that a signal ended
POLL_INTERVAL = 0.005
# Chromium writes the file in place; it is complete when it ends with a whole id.
ENDPOINT = re.compile(r"(\d+)\n(/devtools/browser/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n?")


@attrs.frozen(eq=False)
class Chromium:
    """A running Chromium; ``endpoint`` is its WebSocket, ``pid`` also its process group."""

    endpoint: str
    pid: int
    profile: Path
    _guardian: trio.Process = attrs.field(repr=False)  # arguments can contain secrets

    async def exited(self) -> int:
        """Wait until Chromium has exited; return its exit code, -9 for SIGKILL."""
        return _exit_code(await self._guardian.wait())


class SandboxRefused(SessionProblem):
    """Chromium cannot create its sandbox."""

    default_suggestion = "Use --sandbox auto, which starts without a sandbox if necessary."


@asynccontextmanager
async def open_chromium(options: LaunchOptions) -> AsyncGenerator[Chromium]:
    """Run Chromium during the block; its processes and a temporary profile are removed at the end.

    Raises `SessionProblem` if Chromium is not found or does not start. A later exit is reported by
    `Chromium.exited`.
    """
    executable = find_executable(options.executable, windows=options.has_windows)
    begin_sweeping()
    warn_of_few_descriptors()
    async with AsyncExitStack() as stack:
        yield await _launch(stack, executable, options)


def too_few_descriptors(limit: int) -> str | None:
    """Describe what a limit of open files is too small for; None if it suffices."""
    if limit < 0 or limit >= _DESCRIPTORS + _USUAL_TABS * _DESCRIPTORS_OF_TAB:
        return None
    tabs = max(limit - _DESCRIPTORS, 0) // _DESCRIPTORS_OF_TAB
    return (
        f"ulimit -n is {limit}, which is enough for about {tabs} tabs: Chromium needs some "
        f"{_DESCRIPTORS}, and {_DESCRIPTORS_OF_TAB} for each tab and each frame of another site. "
        "With too few it ends. 1024 are usual."
    )


def descriptors() -> int:
    """Return how many files Chromium can open; -1 without a limit."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


@cache
def warn_of_few_descriptors() -> None:
    """Log the warning once per process."""
    if problem := too_few_descriptors(descriptors()):
        log.warning("few file descriptors", reason=problem)


def find_executable(wanted: str | None, *, windows: bool = False) -> str:
    """Return the absolute path of ``wanted``, or of the first known browser in PATH.

    Unless ``windows`` are needed, a browser without windows is preferred.
    """
    known = NAMES if windows else (*WINDOWLESS, *NAMES)
    for name in known if wanted is None else (wanted,):
        if path := shutil.which(name):
            return str(Path(path).absolute())
    missing = "no Chromium is on the PATH" if wanted is None else f"there is no program {wanted!r}"
    raise SessionProblem(
        f"Charlotte needs a browser, and {missing}. Install Chromium or Google Chrome, "
        "or pass its executable with --chromium or CHARLOTTE_CHROMIUM."
    )


async def _launch(stack: AsyncExitStack, executable: str, options: LaunchOptions) -> Chromium:
    """Start Chromium with the sandbox if that is wanted and possible."""
    reason = "running as root"
    if wants_sandbox(options.sandbox, root=_is_root()):
        try:
            return await stack.enter_async_context(_open(executable, options, sandboxed=True))
        except SandboxRefused:
            if options.sandbox == "on":
                raise
            reason = "this system does not let Chromium create one"
    if options.sandbox == "auto":
        warn_of_no_sandbox(reason)
    return await stack.enter_async_context(_open(executable, options, sandboxed=False))


@cache
def warn_of_no_sandbox(reason: str) -> None:
    """Log the warning once per process."""
    log.warning("chromium runs without its sandbox", reason=reason)


def _is_root() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0


@asynccontextmanager
async def _open(
    executable: str, options: LaunchOptions, *, sandboxed: bool
) -> AsyncGenerator[Chromium]:
    guardian = await _spawn([executable, *switches(options, sandboxed=sandboxed)], options)
    try:
        yield await guardian.chromium()
    finally:
        with trio.move_on_after(END_DEADLINE, shield=True):
            await guardian.end()
        with trio.move_on_after(SWEEP_DEADLINE, shield=True):
            await guardian.sweep()


async def _spawn(command: list[str], options: LaunchOptions) -> "_Guardian":
    profile = _profile(options.user_data_dir)
    temporary = options.user_data_dir is None
    after = "remove" if temporary else "keep"
    process = await trio.lowlevel.open_process(
        [sys.executable, "-I", "-S", str(GUARDIAN), str(profile), after, *command],
        stdin=PIPE,
        stdout=PIPE,
        env=environment(os.environ),
        start_new_session=True,
    )
    return _Guardian(process, profile, temporary=temporary)


def _profile(kept: str | None) -> Path:
    """Choose the profile directory; the guardian creates and removes a temporary one."""
    return Path(kept or Path(tempfile.gettempdir(), f"charlotte-{secrets.token_hex(6)}")).absolute()


@attrs.define(eq=False)
class _Guardian:
    """The process of the guardian and its messages."""

    process: trio.Process
    profile: Path
    temporary: bool
    pid: int = 0
    output: bytes = b""

    async def chromium(self) -> Chromium:
        """Wait until Chromium accepts connections."""
        with trio.move_on_after(START_DEADLINE):
            while b"\n" not in self.output and await self._receive():
                pass
            self.pid = int(self.output.partition(b"\n")[0] or 0)
            if not self.pid:
                raise await self._failure()
            while (endpoint := _read_endpoint(self.profile / "DevToolsActivePort")) is None:
                if self.process.poll() is not None:
                    raise await self._failure()
                await trio.sleep(POLL_INTERVAL)
            return Chromium(endpoint, self.pid, self.profile, self.process)
        raise SessionProblem(
            f"Chromium did not open its debugging port within {START_DEADLINE:g} seconds."
        )

    async def _receive(self) -> bool:
        """Receive messages of the guardian; False once it has ended."""
        data = await cast("trio.abc.ReceiveStream", self.process.stdout).receive_some()
        self.output += data
        return bool(data)

    async def _failure(self) -> SessionProblem:
        while await self._receive():
            pass
        code = _exit_code(await self.process.wait())
        errors = self.output.partition(b"\n")[2].decode(errors="replace").strip()
        kind = SandboxRefused if lacks_sandbox(errors) else SessionProblem
        ended = f"Chromium ended with code {code} before it could be used"
        return kind(f"{ended}: {errors}" if errors else f"{ended} and wrote nothing to stderr.")

    async def end(self) -> None:
        """Close the lifeline so that the guardian ends; resume it if it was stopped."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
        await cast("trio.abc.SendStream", self.process.stdin).aclose()
        await self.process.wait()

    async def sweep(self) -> None:
        """Do the work of a guardian that was killed."""
        await cast("trio.abc.ReceiveStream", self.process.stdout).aclose()
        if self.process.poll() is None:
            return
        if self.process.returncode == -signal.SIGKILL and self.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        while self.temporary and self.profile.exists():
            shutil.rmtree(self.profile, ignore_errors=True)
            await trio.sleep(POLL_INTERVAL)


def _read_endpoint(port_file: Path) -> str | None:
    try:
        match = ENDPOINT.fullmatch(port_file.read_text())
    except FileNotFoundError:
        return None
    return match and f"ws://127.0.0.1:{match[1]}{match[2]}"


def _exit_code(guardian: int) -> int:
    return SIGNALLED - guardian if guardian > SIGNALLED else guardian


OWNER = "owner"
OUTPUT_OWNER = ".owner"
OUTPUT_PREFIX = "charlotte-output-"
KEPT_DAYS = 7
_PROFILE = re.compile("charlotte-[0-9a-f]{12}")
_OUTPUT = re.compile(f"{OUTPUT_PREFIX}[0-9a-f]{{16}}")
_DAY = 86_400.0


@cache
def begin_sweeping() -> None:
    """Sweep once per process, in a thread that delays neither start nor end."""
    threading.Thread(target=sweep, args=(Path(tempfile.gettempdir()),), daemon=True).start()


def sweep(place: Path) -> None:
    """Remove files that dead servers of this user left in a directory."""
    with suppress(OSError):
        for entry in place.iterdir():
            with suppress(OSError):
                if entry.is_symlink() or entry.stat().st_uid != os.getuid():
                    continue
                is_left = (_PROFILE.fullmatch(entry.name) and _is_unlocked(entry / OWNER)) or (
                    _OUTPUT.fullmatch(entry.name) and _is_stale(entry)
                )
                if is_left:
                    shutil.rmtree(entry, ignore_errors=True)


def mark_output(directory: Path) -> None:
    """Mark a temporary directory as used by this process."""
    with suppress(OSError):
        (directory / OUTPUT_OWNER).write_text(str(os.getpid()))


def _is_unlocked(file: Path) -> bool:
    with file.open("rb") as owner:
        try:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _is_stale(directory: Path) -> bool:
    files = [
        directory,
        *(file for file in directory.iterdir() if file.name != OUTPUT_OWNER),
    ]
    newest = max(file.lstat().st_mtime for file in files)
    age = now_ms() / 1000 - newest
    return age > KEPT_DAYS * _DAY and not _is_running(directory / OUTPUT_OWNER)


def _is_running(owner: Path) -> bool:
    try:
        os.kill(int(owner.read_text()), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True
