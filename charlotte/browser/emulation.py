"""Emulated device, network and headers of a tab, and preparation of each of its CDP sessions."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs
import structlog

from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.browser.probe import (
    FRAME_BINDING,
    TITLE_BINDING,
    init_main_source,
    late_source,
    probe_source,
)
from charlotte.browser.world.isolated_world import WORLD_NAME
from charlotte.protocol import dom, emulation, network, page, runtime, target, webmcp
from charlotte.protocol.connection import CdpSession, Pending, Then
from charlotte.protocol.errors import Refused
from charlotte.protocol.wire import Command
from charlotte.secrets.redaction import Credential

log = structlog.get_logger(__name__)

ColorScheme = Literal["light", "dark", "no-preference"]
Media = Literal["print", "screen", ""]
Throttle = Literal["3g", "4g", "offline", "none"]

DOCUMENT = "Document"
"""CDP resource type of documents, including those of frames."""
GUARDED = network.RequestPattern("*", DOCUMENT), network.RequestPattern("file:*")
"""Requests of a guarded tab that need a check."""
RESPONSES = (network.RequestPattern("*", DOCUMENT, "Response"),)
"""Responses that may be PDF documents."""
SPEEDS: Mapping[Throttle, tuple[float, float, float]] = {
    "3g": (200_000, 93_750, 150),
    "4g": (512_000, 384_000, 20),
    "offline": (0, 0, 0),
    "none": (-1, -1, 0),  # unlimited
}
"""Network presets (C-NET-02): download and upload in bytes per second, latency in ms."""
SOCKETS = ("ws://*:*/*", "wss://*:*/*")
"""URL patterns of all WebSockets."""


@attrs.frozen
class Location:
    """The emulated location: degrees, and accuracy in metres."""

    latitude: float
    longitude: float
    accuracy: float = 10


@attrs.frozen(kw_only=True)
class Device:
    """Emulated size in CSS px and other properties of a device; None keeps that of the browser."""

    width: int = 1280
    height: int = 720
    scale: float = 1
    mobile: bool = False
    color_scheme: ColorScheme | None = None
    media: Media = ""
    locale: str | None = None
    timezone: str | None = None
    geolocation: Location | None = None
    user_agent: str | None = None


@attrs.frozen(kw_only=True)
class Mock:
    """A fixed answer to requests whose URL matches a glob."""

    url: str
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    body: str = ""


@attrs.frozen(kw_only=True)
class NetworkConditions:
    """Network conditions of a tab; ``cpu_rate`` is the factor by which the CPU is slower."""

    throttle: Throttle = "none"
    cpu_rate: float = 1
    block: Sequence[str] = ()
    mocks: Sequence[Mock] = ()


@attrs.frozen(kw_only=True)
class EmulationState:
    """All settings that are applied to each incarnation of a tab and to its frames.

    ``scripts`` run in every new document before its own scripts. ``credentials`` answer HTTP
    logins. If ``guarded``, every document and file is held until the URL guard allows it. With
    ``reads_pdf``, PDF documents are shown as text. With ``fills_storage``, documents are held until
    their origin has the localStorage with which the context begins. A browser with
    ``our_switches`` computes roles and names without further help. A tab that ``is_light``
    belongs to the browser's owner: its page keeps its size, focus, scroll bars and file choosers,
    and gets no script in its own world. With ``page_tools``, the tools of pages are reported.
    ``closes_sockets`` lets no WebSocket be opened. Documents at ``closed_port`` stay empty.
    """

    device: Device = attrs.field(factory=Device)
    conditions: NetworkConditions = attrs.field(factory=NetworkConditions)
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    scripts: Sequence[str] = ()
    credentials: Sequence[Credential] = ()
    guarded: bool = False
    reads_pdf: bool = False
    fills_storage: bool = False
    our_switches: bool = False
    is_light: bool = False
    page_tools: bool = False
    closes_sockets: bool = False
    closed_port: int | None = None

    @property
    def needs_network(self) -> bool:
        """Whether any setting is lost when the Network domain is disabled."""
        conditions = self.conditions
        is_slowed = conditions.throttle != "none" or self.closes_sockets
        return is_slowed or bool(self.headers or conditions.block or conditions.mocks)

    def commands(self) -> tuple[Command[Any], ...]:
        """Build the commands for the session of a page, always in the same number and order."""
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
        """Build the commands for the session of an out-of-process frame."""
        device, conditions = self.device, self.conditions
        globs = [*conditions.block, *(mock.url for mock in conditions.mocks)]
        globs += [credential.reach for credential in self.credentials]
        patterns = [*map(network.RequestPattern, globs), *(GUARDED if self.guarded else ())]
        patterns += RESPONSES if self.reads_pdf or self.fills_storage else ()
        logs_in = bool(self.credentials)
        interception = network.EnableFetch(patterns=patterns, handle_auth_requests=logs_in)
        scheme = emulation.MediaFeature("prefers-color-scheme", device.color_scheme or "")
        return (
            interception if patterns else network.DisableFetch(),
            emulation.SetTouchEmulationEnabled(enabled=device.mobile),
            emulation.SetEmulatedMedia(media=device.media, features=[scheme]),
            emulation.SetLocaleOverride(locale=device.locale and device.locale.replace("-", "_")),
            emulation.SetTimezoneOverride(timezone_id=device.timezone or ""),
            emulation.SetUserAgentOverride(
                user_agent=device.user_agent or "", accept_language=device.locale or ""
            ),
            emulation.SetCpuThrottlingRate(rate=conditions.cpu_rate),
            self._network_conditions(),
            network.SetExtraHttpHeaders(headers=dict(self.headers)),
            # service workers would answer mocked requests
            network.SetBypassServiceWorker(bypass=bool(conditions.block or conditions.mocks)),
        )

    def _network_conditions(self) -> Command[Any]:
        """Build the command for the speed of the network."""
        throttle = self.conditions.throttle
        download, upload, latency = SPEEDS[throttle]
        if self.closes_sockets:
            speed = network.MatchedConditions("", latency, download, upload, throttle == "offline")
            sockets = [
                network.MatchedConditions(pattern, 0, -1, -1, offline=True) for pattern in SOCKETS
            ]
            rules = [*sockets, *([speed] if throttle != "none" else [])]
            return network.EmulateConditionsByRule(matched_network_conditions=rules)
        return network.EmulateNetworkConditions(
            offline=throttle == "offline",
            latency=latency,
            download_throughput=download,
            upload_throughput=upload,
        )


UNCHANGED = EmulationState(device=Device(width=0, height=0))
"""The state of a new session."""


def changed_commands(
    before: EmulationState, after: EmulationState, *, of_frame: bool = False
) -> list[Command[Any]]:
    """Return the commands that change the session of a page or frame from one state to another."""
    build = EmulationState.frame_commands if of_frame else EmulationState.commands
    pairs = zip(build(before), build(after), strict=True)
    return [command for former, command in pairs if command != former]


async def begin(session: CdpSession, commands: Sequence[Command[Any]]) -> list[Pending[Any]]:
    """Send all commands; `confirm` waits for their results."""
    return [await session.begin(command) for command in commands]


async def confirm(begun: Sequence[Pending[Any]]) -> None:
    """Wait for the results of `begin`.

    A refusal is only logged: a usable page matters more than a complete emulation.
    """
    for pending in begun:
        try:
            await pending.result()
        except Refused as error:
            log.warning("emulation settings could not be applied", error=str(error))


AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type="iframe"), target.FilterEntry(type="worker")],
)
"""Attaches to out-of-process frames and workers with child sessions.

Every worker is paused at its start, and would stay paused without a session.
"""

BINDINGS = (
    runtime.AddBinding(name=TITLE_BINDING, execution_context_name=WORLD_NAME),
    runtime.AddBinding(name=FRAME_BINDING, execution_context_name=WORLD_NAME),
)

_CATCH_UP = runtime.Evaluate(expression=late_source(), include_command_line_api=True)
"""Passes earlier event listeners to the probe, which only the command line API can list."""


_FOR_DOCUMENTS = page.EnablePage(), network.EnableNetwork(), dom.EnableAccessibility()
"""Commands for each session with documents."""

ATTENTION = (
    page.SetInterceptFileChooserDialog(enabled=True),
    emulation.SetFocusEmulationEnabled(enabled=True),
)
"""Commands that report file choosers as events, and let a background tab get input and be drawn; in
a tab of the browser's owner only while a call runs."""
NO_ATTENTION = (
    page.SetInterceptFileChooserDialog(enabled=False),
    emulation.SetFocusEmulationEnabled(enabled=False),
)


async def prepare_page(
    session: CdpSession, desired: EmulationState, release: Then, *, late: bool
) -> page.FrameInfo:
    """Enable domains, install the probe and apply emulation; return the main frame.

    A new target is paused, and a popup has no renderer before it runs. So ``release`` is called
    once all commands are sent. With ``late``, the first document has begun before: that of a popup
    without opener.
    """

    async def then() -> None:
        if desired.page_tools:
            # after Runtime, so that the origins of frames are known; older browsers refuse it
            await session.begin(webmcp.EnableWebMcp())
        await release()

    begun = await begin(session, changed_commands(UNCHANGED, desired))
    *_, tree = await session.call_all(
        target.EnableInspector(),
        *_FOR_DOCUMENTS,
        *(() if desired.is_light else (*ATTENTION, emulation.SetScrollbarsHidden(hidden=True))),
        page.SetLifecycleEventsEnabled(enabled=True),
        runtime.EnableRuntime(),
        *BINDINGS,  # sent before, they would apply only to the next document
        *_scripts(desired, late=late),
        AUTO_ATTACH,
        page.GetFrameTree(),
        then=then,
    )
    await confirm(begun)
    if late and not desired.is_light:
        await session.begin(_CATCH_UP)
    frame: page.FrameInfo = tree.frame
    return frame


async def prepare_frame(session: CdpSession, desired: EmulationState) -> None:
    """Prepare the root frame of another process and let it run."""
    begun = await begin(session, changed_commands(UNCHANGED, desired, of_frame=True))
    await session.call_all(
        *_FOR_DOCUMENTS,
        *(() if desired.is_light else ATTENTION),
        *_scripts(desired),
        runtime.EnableRuntime(),
        AUTO_ATTACH,
        runtime.RunIfWaitingForDebugger(),
    )
    await confirm(begun)


async def prepare_worker(session: CdpSession, desired: EmulationState) -> None:
    """Apply the settings of its page to a worker, as far as they exist there, and let it run."""
    conditions = changed_commands(UNCHANGED, desired, of_frame=True)
    await begin(session, [*conditions, network.EnableNetwork(), runtime.RunIfWaitingForDebugger()])


def _scripts(
    desired: EmulationState, *, late: bool = False
) -> list[page.AddScriptToEvaluateOnNewDocument]:
    """Return the scripts for every new document; with ``late``, also for the present one.

    The command line API is included only if the probe needs it (accessible_names.js): including it
    makes the browser run a script, which can log an error.
    """
    run = page.AddScriptToEvaluateOnNewDocument
    is_incomplete = not desired.our_switches
    main = [] if desired.is_light else [init_main_source()]
    if main and desired.closed_port is not None:
        main.insert(0, f"if (location.port === '{desired.closed_port}') stop();")
    return [
        *(run(source=source, run_immediately=True) for source in main),
        run(
            source=probe_source(),
            world_name=WORLD_NAME,
            include_command_line_api=is_incomplete,
            run_immediately=True,
        ),
        *(run(source=source, run_immediately=late) for source in desired.scripts),
    ]


_APPLE = (
    "Mozilla/5.0 ({}; CPU{} OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
_IOS, _IPAD = _APPLE.format("iPhone", " iPhone"), _APPLE.format("iPad", "")
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 "
    "(KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)


def _handheld(width: int, height: int, scale: float, user_agent: str) -> Device:
    return Device(width=width, height=height, scale=scale, mobile=True, user_agent=user_agent)


DEVICES: Mapping[str, Device] = {
    "mobile": Device(width=375, height=667),
    "tablet": Device(width=768, height=1024),
    "desktop": Device(width=1280, height=720),
    "iPhone SE": _handheld(375, 667, 2, _IOS),
    **dict.fromkeys(("iPhone 12", "iPhone 13", "iPhone 14"), _handheld(390, 844, 3, _IOS)),
    "iPhone 14 Pro Max": _handheld(430, 932, 3, _IOS),
    **dict.fromkeys(("iPhone 15", "iPhone 16"), _handheld(393, 852, 3, _IOS)),
    "iPhone 16 Pro Max": _handheld(440, 956, 3, _IOS),
    "Pixel 5": _handheld(393, 851, 2.75, _ANDROID),
    **dict.fromkeys(("Pixel 7", "Pixel 8"), _handheld(412, 915, 2.625, _ANDROID)),
    "Galaxy S8": _handheld(360, 740, 3, _ANDROID),
    "Galaxy S24": _handheld(360, 780, 3, _ANDROID),
    "iPad Mini": _handheld(768, 1024, 2, _IPAD),
    "iPad Air": _handheld(820, 1180, 2, _IPAD),
    "iPad Pro 11": _handheld(834, 1194, 2, _IPAD),
}
"""The first three are sizes only (C-VP-02); the others have a touch screen."""

_LANDSCAPE = " landscape"


def device_named(name: str, before: Device) -> Device:
    """Apply the preset of a name to ``before``, keeping its colours, language and location.

    The suffix "landscape" swaps width and height. Raises `InvalidArgument` with the known names.
    """
    asked = " ".join(name.lower().split())
    upright = asked.removesuffix(_LANDSCAPE)
    found = next((device for known, device in DEVICES.items() if known.lower() == upright), None)
    if found is None:
        raise InvalidArgument(
            f"Device {ellipsize(name, 60)!r} not found.",
            f'Pass one of {", ".join(DEVICES)}, with or without "{_LANDSCAPE}", '
            "or width and height.",
        )
    if asked != upright:
        found = attrs.evolve(found, width=found.height, height=found.width)
    names = ("width", "height", "scale", "mobile", "user_agent")
    return attrs.evolve(before, **{name: getattr(found, name) for name in names})
