"""Launch of Chromium: its command line, its processes, and removal of what killed servers left.

The guardian (guardian.py) runs between Charlotte and Chromium. It ends when Charlotte ends, so a
killed Charlotte leaves neither a browser nor a profile. A profile is swept if its guardian, which
holds a lock on its file `OWNER`, is dead, or if it has had no such file for `ABANDONED_AFTER`.
"""

import os
import re
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import cast

import attrs
import structlog
import trio

from charlotte.base.blocks import closing
from charlotte.base.errors import SessionProblem
from charlotte.base.log import now_ms
from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.guardian import LONGEST_SCRATCH, OWNER, remove_once
from charlotte.config.config import Config, SandboxChoice

log = structlog.get_logger(__name__)

GUARDIAN = Path(__file__).with_name("guardian.py")
START_DEADLINE = 20.0
END_DEADLINE = 1.5
SWEEP_DEADLINE = 0.3
SIGNALLED = 128  # exit code of a program that a signal ended
_PROFILE_IN_USE = {0, 21}  # exit codes: a browser of this host has it, or one of another host
_FIRST_MESSAGE = b'{"id":0,"method":"Browser.getVersion"}\0'

# An automated browser must not ask questions, report, update or sleep.
SWITCHES = (
    "--enable-blink-features=ComputedAccessibilityInfo",  # computed roles and names for the probe
    "--site-per-process",  # isolates hangs of cross-site frames; not the default of every build
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--component-updater=url-source=http://127.0.0.1:1/",  # also components requested on demand
    "--disable-sync",
    "--metrics-recording-only",
    "--disable-breakpad",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--hide-crash-restore-bubble",
    "--disable-hang-monitor",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-back-forward-cache",  # a page restored from it fires no load event
    # the default of six connections per host delays eight tabs of one site
    "--enable-features=HappyEyeballsV3:max_stream_per_group/32",
    "--hide-scrollbars",
    "--window-size=1280,720",
    # a mouse that hovers, whatever devices there are: kHoverTypeHover is 2, kPointerTypeFine 4
    (
        "--blink-settings=primaryHoverType=2,availableHoverTypes=2,"
        "primaryPointerType=4,availablePointerTypes=4"
    ),
)

DISABLED_FEATURES = (
    "WebUIOmniboxPopup",  # each of the two costs a hidden page and a renderer per window
    "WebUIOmniboxAimPopup",
    "AutofillServerCommunication",  # sends data about forms to a server
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "MediaRouter",  # searches the local network for displays
    "DialMediaRouteProvider",
    "Translate",
    "SpareRendererForSitePerProcess",  # saves one unused process per page with many contexts
    "PaintHolding",  # would show the previous page for a while after a navigation
)

# Chromium uses only the last of repeated switches, so lists are merged.
LISTS = (
    "--enable-features",
    "--disable-features",
    "--enable-blink-features",
    "--disable-blink-features",
    "--blink-settings",
    "--host-resolver-rules",
    "--ignore-certificate-errors-spki-list",
)

NO_SANDBOX = ("--no-sandbox", "--disable-setuid-sandbox")

SANDBOX_REFUSALS = re.compile(
    r"without --no-sandbox"
    r"|no usable sandbox"
    r"|suid sandbox helper"
    r"|failed to move to new namespace"
    r"|services/(credentials|namespace_sandbox)\.cc"
    r"|zygote_host_impl_linux\.cc",
    re.IGNORECASE,
)


def switches(config: Config, *, sandboxed: bool) -> list[str]:
    """Return the arguments of Chromium, without the profile directory (C-BRW-01)."""
    arguments = ["--remote-debugging-pipe", *SWITCHES]
    arguments.append("--disable-features=" + ",".join(DISABLED_FEATURES))
    if not config.headed:
        arguments += ["--headless=new", "--no-startup-window"]
    if not config.no_webmcp:
        arguments.append("--enable-features=WebMCP")
    if not sandboxed:
        arguments += NO_SANDBOX
    if config.proxy_server is not None:
        arguments.append(f"--proxy-server={config.proxy_server}")
    if config.ignore_https_errors:
        arguments.append("--ignore-certificate-errors")
    return merged([*arguments, *config.chromium_arg])


def merged(arguments: list[str]) -> list[str]:
    """Join repeated switches whose value is a list; other switches are unchanged."""
    values: dict[str, list[str]] = {}
    others: list[str] = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name in LISTS:
            values.setdefault(name, []).append(value)
        else:
            others.append(argument)
    return [f"{name}={','.join(joined)}" for name, joined in values.items()] + others


def wants_sandbox(choice: SandboxChoice, *, root: bool) -> bool:
    """Return whether to try with the sandbox first; as root, Chromium always refuses it."""
    return choice == "on" or (choice == "auto" and not root)


def lacks_sandbox(errors: str) -> bool:
    """Return whether Chromium exited because it could not create its sandbox."""
    return SANDBOX_REFUSALS.search(errors) is not None


def environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of Chromium, without Charlotte's settings, which include secrets."""
    return {name: value for name, value in ours.items() if not name.startswith("CHARLOTTE_")}


class SandboxRefused(SessionProblem):
    """Chromium cannot create its sandbox."""

    default_suggestion = "Use --sandbox auto, which starts without a sandbox if necessary."


@attrs.define(eq=False)
class Chromium:
    """A Chromium behind its guardian; ``stream`` has its messages, ``pid`` is its process group."""

    profile: Path
    _is_temporary: bool
    _guardian: trio.Process = attrs.field(repr=False)  # arguments can contain secrets
    stream: trio.SocketStream
    pid: int = 0
    _output: bytes = attrs.field(default=b"", repr=False)

    async def wait_until_ready(self) -> None:
        """Wait until Chromium answers; raises `SessionProblem`."""
        with trio.move_on_after(START_DEADLINE):
            while b"\n" not in self._output and await self._receive():
                pass
            self.pid = int(self._output.partition(b"\n")[0] or 0)
            if not self.pid:
                raise await self._failure()
            with suppress(trio.BrokenResourceError):
                await self.stream.send_all(_FIRST_MESSAGE)
                while data := await self.stream.receive_some():
                    if data.endswith(b"\0"):
                        return
            raise await self._failure()
        raise SessionProblem(f"Chromium did not answer within {START_DEADLINE:g} seconds.")

    async def _receive(self) -> bool:
        """Receive messages of the guardian; False once it has ended."""
        data = await cast("trio.abc.ReceiveStream", self._guardian.stdout).receive_some()
        self._output += data
        return bool(data)

    async def _failure(self) -> SessionProblem:
        while await self._receive():
            pass
        if (code := await self.exited()) in _PROFILE_IN_USE and not self._is_temporary:
            with suppress(OSError):
                lock = self.profile / "SingletonLock"
                host, _, pid = str(lock.readlink()).rpartition("-")
                return SessionProblem(
                    f"{lock} says that process {pid} of the host {host!r} uses this profile.",
                    "Close that browser, or delete the file if it no longer runs. Otherwise, pass "
                    "another directory with --user-data-dir.",
                )
        ended = f"Chromium ended with code {code} before it could be used"
        errors = self._output.partition(b"\n")[2].decode(errors="replace").strip()
        kind = SandboxRefused if lacks_sandbox(errors) else SessionProblem
        return kind(f"{ended}: {errors}" if errors else f"{ended} and wrote nothing to stderr.")

    async def exited(self) -> int:
        """Wait until Chromium has exited; return its exit code, -9 for SIGKILL."""
        code = await self._guardian.wait()
        return SIGNALLED - code if code > SIGNALLED else code

    async def end(self) -> None:
        """Close the lifeline so that the guardian ends; resume it if it was stopped."""
        with suppress(ProcessLookupError):
            self._guardian.send_signal(signal.SIGCONT)
        await cast("trio.abc.SendStream", self._guardian.stdin).aclose()
        await self._guardian.wait()

    async def clean_up(self) -> None:
        """Do the work of a guardian that was killed."""
        await cast("trio.abc.ReceiveStream", self._guardian.stdout).aclose()
        if self._guardian.poll() is None:
            return
        if self._guardian.returncode == -signal.SIGKILL and self.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        while self._is_temporary and self.profile.exists():
            remove_once(str(self.profile))
            await trio.sleep(0.005)


@asynccontextmanager
async def open_chromium(config: Config) -> AsyncGenerator[Chromium]:
    """Run Chromium during the block; its processes and a temporary profile are removed at the end.

    It has its sandbox if that is wanted and possible. Raises `SessionProblem` if Chromium is not
    found or does not start.
    """
    executable = find_executable(config.chromium, windows=config.has_windows)
    begin_sweeping()
    chromium, reason = None, "running as root"
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        if wants_sandbox(config.sandbox, root=is_root()):
            try:
                chromium = await enter(_open(executable, config, sandboxed=True))
            except SandboxRefused:
                if config.sandbox == "on":
                    raise
                reason = "this system does not let Chromium create one"
        if chromium is None:
            if config.sandbox == "auto":
                warn_once("chromium runs without its sandbox", reason)
            chromium = await enter(_open(executable, config, sandboxed=False))
        yield chromium


@cache
def warn_once(event: str, reason: str) -> None:
    """Log a warning, once per process."""
    log.warning(event, reason=reason)


def is_root() -> bool:
    """Return whether Chromium refuses its sandbox because of the user."""
    return sys.platform == "linux" and os.geteuid() == 0


@asynccontextmanager
async def _open(executable: str, config: Config, *, sandboxed: bool) -> AsyncGenerator[Chromium]:
    profile, is_temporary = _profile(config.user_data_dir), config.user_data_dir is None
    ours, theirs = socket.socketpair()
    arguments = [str(profile), "remove" if is_temporary else "keep", str(theirs.fileno())]
    arguments += [executable, *switches(config, sandboxed=sandboxed)]
    async with closing(trio.SocketStream(trio.socket.from_stdlib_socket(ours))) as stream:
        with theirs:
            guardian = await trio.lowlevel.open_process(
                [sys.executable, "-I", "-S", str(GUARDIAN), *arguments],
                stdin=PIPE,
                stdout=PIPE,
                env=environment(os.environ),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        chromium = Chromium(profile, is_temporary, guardian, stream)
        try:
            await chromium.wait_until_ready()
            yield chromium
        finally:
            with trio.move_on_after(END_DEADLINE, shield=True):
                await chromium.end()
            with trio.move_on_after(SWEEP_DEADLINE, shield=True):
                await chromium.clean_up()


def _profile(kept: str | None) -> Path:
    """Choose the profile directory; the guardian creates and removes a temporary one."""
    name = f"charlotte-{secrets.token_hex(6)}"
    default, short = Path(tempfile.gettempdir(), name), Path("/tmp", name)  # noqa: S108
    if kept:
        return Path(kept).absolute()
    # Chromium does not start if the paths of its sockets are too long.
    too_long = len(str(default / "tmp")) > LONGEST_SCRATCH and os.access(short.parent, os.W_OK)
    return short if too_long else default.absolute()


ABANDONED_AFTER = 86_400.0  # seconds
OUTPUT_OWNER = ".owner"
OUTPUT_PREFIX = "charlotte-output-"
SESSION_PREFIX = "charlotte-session-"
_PROFILE = re.compile("charlotte-[0-9a-f]{12}")
_SESSION = re.compile(f"{SESSION_PREFIX}[0-9a-f]{{16}}")


@cache
def begin_sweeping() -> None:
    """Sweep once per process, in a thread that delays neither start nor end."""
    places = {Path(tempfile.gettempdir()), _profile(None).parent}
    threading.Thread(target=sweep, args=places, daemon=True).start()


def sweep(*places: Path) -> None:
    """Remove files that dead servers of this user left in the directories."""
    for place in places:
        _sweep_directory(place)


def _sweep_directory(place: Path) -> None:
    import fcntl  # noqa: PLC0415 - Windows has none, and imports this module

    with suppress(OSError):
        for entry in place.iterdir():
            with suppress(OSError):
                if entry.is_symlink() or entry.stat().st_uid != os.getuid():
                    continue
                is_profile = _PROFILE.fullmatch(entry.name)
                if not is_profile and not _SESSION.fullmatch(entry.name):
                    continue
                owner = entry / (OWNER if is_profile else OUTPUT_OWNER)
                age = now_ms() / 1000 - entry.stat().st_mtime
                if age > ABANDONED_AFTER and not owner.exists():
                    shutil.rmtree(entry, ignore_errors=True)
                with owner.open("rb") as held:
                    # fails while the guardian or the server of the session lives
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove_once(str(entry))


def hold_output(directory: Path) -> int | None:
    """Mark a session's directory as used while the returned descriptor is open; None on Windows.

    Raises `OSError`.
    """
    try:
        import fcntl  # noqa: PLC0415 - Windows has none
    except ModuleNotFoundError:
        return None
    unlocked = directory / f"{OUTPUT_OWNER}-new"
    owner = os.open(unlocked, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
    unlocked.rename(directory / OUTPUT_OWNER)  # a sweep sees it only with its lock
    return owner
