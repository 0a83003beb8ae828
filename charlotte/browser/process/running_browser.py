"""A browser that runs already: the user's own, or one at an endpoint.

The user's browser is found by the file ``DevToolsActivePort`` in its data directory. Recent Chrome
holds the upgrade of each connection until its user answers a dialog, so Charlotte connects once,
for all sessions, and never by itself.
"""

import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import attrs
import structlog
import trio

from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.base.urls import is_endpoint
from charlotte.base.users_browsers import BROWSERS, data_directories
from charlotte.browser.process.browser_source import endpoint_of
from charlotte.browser.process.executables import System
from charlotte.config.config import Config
from charlotte.guard.url_guard import DebuggingPort
from charlotte.protocol.transport import Headers, Transport, Unreachable, dial, open_websocket

log = structlog.get_logger(__name__)

UPGRADE_WAIT = 300.0
"""Seconds in which the user of a browser can allow the connection."""

_PORT_FILE = "DevToolsActivePort"
_PORT_LINES = re.compile(r"(\d{1,5})\s*\n(/devtools/browser(?:/[\w-]+)?)\s*")


class NotAllowed(SessionProblem):
    """The user of the browser refused the connection."""


class NotAllowedYet(SessionProblem):
    """The user of the browser has not answered yet whether the connection is allowed."""


@attrs.frozen
class BrowserEndpoint:
    """A websocket of a browser; ``file`` names its port, and was written at a time."""

    endpoint: str
    file: Path | None = None
    written: int = 0


def read_port_file(directory: Path) -> BrowserEndpoint | None:
    """Return the websocket that a data directory names, which may be that of an ended browser."""
    file = directory / _PORT_FILE
    try:
        text, written = file.read_text("ascii"), file.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    found = _PORT_LINES.fullmatch(text)
    return found and BrowserEndpoint(f"ws://127.0.0.1:{found[1]}{found[2]}", file, written)


@attrs.define(eq=False)
class RunningBrowser:
    """A running browser: at an ``address``, or the one with a name or a data directory.

    Charlotte connects to a browser that ``asks`` its user only for a call. A refusal is remembered
    until the browser writes its port again. ``port`` is that of the latest connection.
    """

    address: str
    asks: bool = True
    headers: Headers = attrs.field(default=(), repr=False)
    system: System = attrs.field(factory=System)
    _refused: BrowserEndpoint | None = None
    port: DebuggingPort | None = None

    @property
    def name(self) -> str:
        """The name of the browser in messages."""
        if self.address in BROWSERS:
            return self.address.replace("-", " ").title()
        return f"the browser {'at' if self._is_url else 'of'} {self.address}"

    @property
    def activity(self) -> str:
        """What a call that waits for the connection is doing."""
        return f"connecting to {self.name}; allow it there if it asks"

    @property
    def _is_url(self) -> bool:
        return is_endpoint(self.address)

    @property
    def directories(self) -> tuple[Path, ...]:
        """The data directories of the browser; none for an address."""
        if self.address in BROWSERS:
            system = self.system
            return data_directories(self.address, system.platform, system.environment, system.home)
        if self._is_url:
            return ()
        if self.address.startswith("~/"):  # a shell leaves it in environment variables
            return (self.system.home / self.address[2:],)
        return (Path(self.address),)

    async def find(self) -> BrowserEndpoint:
        """Return the websocket of the browser; raises `SessionProblem` if it has none."""
        if self._is_url:
            return BrowserEndpoint(await endpoint_of(self.address, self.headers))
        places = [place for each in self.directories if (place := read_port_file(each))]
        if places:
            return max(places, key=lambda place: place.written)  # the browser that runs now
        directory = self.directories[0]
        if any(each.is_dir() for each in self.directories):
            raise self._off(f"there is no {directory / _PORT_FILE}")
        raise SessionProblem(
            f"{_capitalized(self.name)} was never started by this user: there is no directory "
            f"{directory}.",
            f"Pass the browser that the user has, or its directory, with --attach. "
            f"{self._how_to_start}",
        )

    async def check(self) -> BrowserEndpoint:
        """Return the websocket if its port is open; the user of the browser is not asked."""
        place = await self.find()
        try:
            with trio.fail_after(2.0):
                await trio.aclose_forcefully(await dial(urlsplit(place.endpoint)))
        except (OSError, trio.TooSlowError) as error:
            closed = Unreachable(place.endpoint, repr(error), dialed=False)
            raise self._explain(place, closed) from error
        return place

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[Transport]:
        """Connect to the browser; raises `SessionProblem` if that is not possible or not allowed.

        A user who is asked has `UPGRADE_WAIT` seconds for the answer.
        """
        place = await self.find()
        if self.asks and place == self._refused:
            raise self._not_allowed()
        self.port = await DebuggingPort.find(place.endpoint)
        is_as_configured = _origin(place.endpoint) == _origin(self.address)
        async with AsyncExitStack() as stack:
            opening = open_websocket(
                place.endpoint,
                headers=self.headers if is_as_configured else (),
                upgrade_wait=UPGRADE_WAIT if self.asks else None,
                on_hold=self._note_question,
            )
            try:
                transport = await stack.enter_async_context(opening)
            except Unreachable as error:
                raise self._explain(place, error) from error
            yield transport

    def lost(self) -> ConnectionLost:
        """Return the error for callers whose tabs ended with the connection."""
        return ConnectionLost(
            f"The connection to {self.name} ended; whether a call in progress took effect is not "
            "known.",
            f"Repeat the call: Charlotte connects again, which the user of {self.name} may have to "
            "allow.",
        )

    def not_allowed_yet(self) -> NotAllowedYet:
        """Return the error for a call that does not wait longer for the user's answer."""
        return NotAllowedYet(
            f"{_capitalized(self.name)} asks its user whether Charlotte may connect, and has no "
            "answer yet.",
            f"Ask the user to allow the connection in {self.name}, then repeat the call. "
            f"The question stays open for {UPGRADE_WAIT / 60:.0f} minutes.",
            {"consent": "pending"},
        )

    def _not_allowed(self) -> NotAllowed:
        return NotAllowed(
            f"The user of {self.name} refused the connection.",
            "Do not repeat the call. The browser asks again after a restart of it or of Charlotte.",
            {"consent": "refused"},
        )

    def _explain(self, place: BrowserEndpoint, error: Unreachable) -> SessionProblem:
        """Return the error for callers from that of the websocket."""
        if not self.asks:
            return error
        if error.status == HTTPStatus.FORBIDDEN:
            self._refused = place
            return self._not_allowed()
        if error.silent:
            return SessionProblem(
                f"The user of {self.name} did not allow the connection within "
                f"{UPGRADE_WAIT / 60:.0f} minutes.",
                "Ask the user to be at the browser, then repeat the call: the browser asks again.",
                {"consent": "expired"},
            )
        if place.file is None:
            return SessionProblem(error.message, self._how_to_start)
        port = f"port {urlsplit(place.endpoint).port}, which {place.file} names"
        if not error.dialed:
            return self._off(f"no program listens on {port}")
        return self._off(f"the program on {port}, does not answer as this browser: {error.reason}")

    def _off(self, reason: str) -> SessionProblem:
        return SessionProblem(
            f"{_capitalized(self.name)} is not running, or its remote debugging is off: {reason}.",
            self._how_to_start,
        )

    @property
    def _how_to_start(self) -> str:
        is_directory = not self._is_url and self.address not in BROWSERS
        directory = self.address if is_directory else "DIR"
        then = "" if is_directory else f" and pass --attach {'URL' if self._is_url else 'DIR'}"
        return (
            "Ask the user to allow remote debugging at chrome://inspect/#remote-debugging (Chrome "
            "144 or newer), or to start the browser with --remote-debugging-port=0 "
            f"--user-data-dir={directory}{then}. Then repeat the call."
        )

    def _note_question(self) -> None:
        if self.asks:
            log.warning("the browser asks its user to allow the connection", browser=self.name)


def running_browser(config: Config) -> RunningBrowser | None:
    """Return the configured browser that runs already; None if Charlotte starts its own."""
    if config.attach is not None:
        return RunningBrowser(config.attach, headers=config.headers())
    if config.cdp_endpoint is not None:
        return RunningBrowser(config.cdp_endpoint, asks=False, headers=config.headers())
    return None


def _capitalized(text: str) -> str:
    return text[0].upper() + text[1:]


def _origin(url: str) -> tuple[bool, str | None, int | None]:
    """Return whether an address uses TLS, its host and its port."""
    parts = urlsplit(url)
    is_secure = parts.scheme in {"https", "wss"}
    return is_secure, parts.hostname, parts.port or (443 if is_secure else 80)
