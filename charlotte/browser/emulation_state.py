"""What a tab is meant to be, whatever renderer shows it: its device, network and headers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs
import structlog

from charlotte.errors import Fatal
from charlotte.protocol import emulation, fetch, network
from charlotte.protocol.connection import Pending
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session
from charlotte.protocol.wire import Command
from charlotte.redaction import Credential

log = structlog.get_logger(__name__)

ColorScheme = Literal["light", "dark", "no-preference"]
Throttle = Literal["3g", "4g", "offline", "none"]

_KB = 1000
_UNLIMITED = -1

DOCUMENT = "Document"
"""What CDP calls the request for a document, of a frame too."""

GUARDED = fetch.Pattern("*", DOCUMENT), fetch.Pattern("file:*")
"""What a guarded tab must not load unasked."""


@attrs.frozen
class Speed:
    """Throughputs in bytes per second, latency in ms."""

    download: float
    upload: float
    latency: float


SPEEDS: Mapping[Throttle, Speed] = {
    "3g": Speed(200 * _KB, 93.75 * _KB, 150),
    "4g": Speed(512 * _KB, 384 * _KB, 20),
    "offline": Speed(0, 0, 0),
    "none": Speed(_UNLIMITED, _UNLIMITED, 0),
}
"""C-NET-02."""


@attrs.frozen
class Place:
    """Where a device says that it is: degrees, and metres of accuracy."""

    latitude: float
    longitude: float
    accuracy: float = 10


@attrs.frozen(kw_only=True)
class Device:
    """Size in CSS px, and what else pages can ask of a device; None is the browser's own."""

    width: int = 1280
    height: int = 720
    scale: float = 1
    mobile: bool = False
    color_scheme: ColorScheme | None = None
    locale: str | None = None
    timezone: str | None = None
    geolocation: Place | None = None
    user_agent: str | None = None


@attrs.frozen(kw_only=True)
class Mock:
    """The answer to requests whose URL matches a glob, in the network's stead."""

    url: str
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    body: str = ""


@attrs.frozen(kw_only=True)
class Conditions:
    """What stands between a tab and the network; ``cpu_rate`` is how many times slower it is."""

    throttle: Throttle = "none"
    cpu_rate: float = 1
    block: Sequence[str] = ()
    mocks: Sequence[Mock] = ()


@attrs.frozen(kw_only=True)
class Desired:
    """All that a tab is told again in each incarnation, and the frames of other processes too.

    ``scripts`` are run in every document that is still to come, before its own. Servers that ask
    are shown the ``credentials``. If it is ``guarded``, every document and file is held until we
    have said whether it may be loaded. A browser with ``our_switches`` tells roles and names.
    """

    device: Device = attrs.field(factory=Device)
    conditions: Conditions = attrs.field(factory=Conditions)
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    scripts: Sequence[str] = ()
    credentials: Sequence[Credential] = ()
    guarded: bool = False
    our_switches: bool = False

    @property
    def needs_network(self) -> bool:
        """Whether anything is set that a session loses with its Network domain."""
        return bool(self.headers) or self.conditions.throttle != "none" or self._passes_workers

    @property
    def _passes_workers(self) -> bool:
        """Whether service workers are passed by, which would answer what we are to answer."""
        return bool(self.conditions.block or self.conditions.mocks)

    def commands(self) -> tuple[Command[Any], ...]:
        """What makes a page's session so; always as many, in the same order."""
        device = self.device
        size = emulation.SetDeviceMetricsOverride(
            width=device.width,
            height=device.height,
            device_scale_factor=device.scale,
            mobile=device.mobile,
        )
        place: Command[Any] = emulation.ClearGeolocationOverride()
        if device.geolocation:
            place = emulation.SetGeolocationOverride(**attrs.asdict(device.geolocation))
        return size, place, *self.frame_commands()

    def frame_commands(self) -> tuple[Command[Any], ...]:
        """What a frame in another process has to be told by itself."""
        device, conditions = self.device, self.conditions
        speed = SPEEDS[conditions.throttle]
        scheme = emulation.MediaFeature("prefers-color-scheme", device.color_scheme or "")
        return (
            self._interception(),
            emulation.SetTouchEmulationEnabled(enabled=device.mobile),
            emulation.SetEmulatedMedia(features=[scheme]),
            emulation.SetLocaleOverride(locale=_icu(device.locale)),
            emulation.SetTimezoneOverride(timezone_id=device.timezone or ""),
            emulation.SetUserAgentOverride(
                user_agent=device.user_agent or "", accept_language=device.locale or ""
            ),
            emulation.SetCpuThrottlingRate(rate=conditions.cpu_rate),
            network.EmulateNetworkConditions(
                offline=conditions.throttle == "offline",
                latency=speed.latency,
                download_throughput=speed.download,
                upload_throughput=speed.upload,
            ),
            network.SetExtraHttpHeaders(headers=dict(self.headers)),
            network.SetBypassServiceWorker(bypass=self._passes_workers),
        )

    def _interception(self) -> Command[Any]:
        globs = [*self.conditions.block, *(mock.url for mock in self.conditions.mocks)]
        patterns = [fetch.Pattern(glob) for glob in globs]
        if self.guarded:
            patterns += GUARDED
        patterns += [fetch.Pattern(one.reach) for one in self.credentials]
        if not patterns:
            return fetch.Disable()
        return fetch.Enable(patterns=patterns, handle_auth_requests=bool(self.credentials))


def _icu(locale: str | None) -> str | None:
    return locale.replace("-", "_") if locale else None


UNTOUCHED = Desired(device=Device(width=0, height=0))
"""A session that has been told nothing."""


def departures(before: Desired, after: Desired) -> list[Command[Any]]:
    """What a page's session has to be told to come from one state to another."""
    return _different(before.commands(), after.commands())


def frame_departures(before: Desired, after: Desired) -> list[Command[Any]]:
    """The same for the session of a frame in another process."""
    return _different(before.frame_commands(), after.frame_commands())


def _different(old: Sequence[Command[Any]], new: Sequence[Command[Any]]) -> list[Command[Any]]:
    return [after for before, after in zip(old, new, strict=True) if after != before]


async def begin(session: Session, commands: Sequence[Command[Any]]) -> list[Pending[Any]]:
    """Send all; what becomes of them is for `confirm`."""
    return [await session.begin(command) for command in commands]


async def confirm(begun: Sequence[Pending[Any]]) -> None:
    """Wait for what was begun.

    A refusal is only logged: a page that can be used comes before one that is as it should be.
    """
    for pending in begun:
        try:
            await pending.result()
        except Fatal:
            raise
        except ProtocolError as error:
            log.warning("the tab could not be made as desired", error=str(error))
