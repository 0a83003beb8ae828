"""CDP Target, Browser and Inspector domains: targets, contexts, downloads, crashes."""

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

EnableInspector = bare_command("Inspector.enable")  # reports crashes of the renderer


@attrs.frozen
class TargetInfo:
    """A page, worker or frame as the browser process knows it; ``attached`` to by any program."""

    target_id: str
    type: str
    title: str
    url: str
    opener_id: str | None = None
    can_access_opener: bool = False
    browser_context_id: str | None = None
    attached: bool = False


@attrs.frozen
class FilterEntry:
    """A rule of a target filter; without a type, it matches all targets."""

    type: str | None = None
    exclude: bool = False


class AttachToTarget(Command[str], method="Target.attachToTarget", result="sessionId"):
    """Open another flat session on a target; returns its id."""

    target_id: str
    flatten: bool = True


class SetDiscoverTargets(Command[Nothing], method="Target.setDiscoverTargets"):
    """Report all targets, present and new, without attaching to any."""

    discover: bool


class TargetCreated(CdpEvent, method="Target.targetCreated"):
    """A target appeared."""

    target_info: TargetInfo


class TargetInfoChanged(CdpEvent, method="Target.targetInfoChanged"):
    """The address or title of a target changed."""

    target_info: TargetInfo


class TargetDestroyed(CdpEvent, method="Target.targetDestroyed"):
    """A target was closed or discarded."""

    target_id: str


@attrs.frozen
class BrowserContexts:
    """The contexts of the browser, beside the profile with the default id."""

    browser_context_ids: list[str]
    default_browser_context_id: str | None = None


class GetBrowserContexts(Command[BrowserContexts], method="Target.getBrowserContexts"):
    """List the contexts that were created, and the profile of the browser."""


class DetachFromTarget(Command[Nothing], method="Target.detachFromTarget"):
    """Close a session; other sessions on the target stay open."""

    session_id: str


class CreateBrowserContext(
    Command[str], method="Target.createBrowserContext", result="browserContextId"
):
    """Create a browser context with its own cookies, storage, cache and proxy; returns its id."""

    dispose_on_detach: bool
    proxy_server: str | None = None
    proxy_bypass_list: str | None = None


class DisposeBrowserContext(Command[Nothing], method="Target.disposeBrowserContext"):
    """Close a context and all of its pages."""

    browser_context_id: str


class CreateTarget(Command[str], method="Target.createTarget", result="targetId"):
    """Open a page and return its target id; ``background`` avoids a redraw of the window."""

    url: str
    browser_context_id: str | None = None
    background: bool = False


class CloseTarget(Command[Nothing], method="Target.closeTarget"):
    """Close a page without running its ``beforeunload`` handlers."""

    target_id: str


class GetTargets(Command[list[TargetInfo]], method="Target.getTargets", result="targetInfos"):
    """List targets; the browser process answers, so hung renderers do not matter."""


class SetAutoAttach(Command[Nothing], method="Target.setAutoAttach"):
    """Attach to related targets as they appear, paused until `RunIfWaitingForDebugger`."""

    auto_attach: bool
    wait_for_debugger_on_start: bool
    flatten: bool = True
    filter: list[FilterEntry] | None = None


class AttachedToTarget(CdpEvent, method="Target.attachedToTarget"):
    """A session was opened on a target, by a command or by auto-attach."""

    session_id: str
    target_info: TargetInfo
    waiting_for_debugger: bool


class DetachedFromTarget(CdpEvent, method="Target.detachedFromTarget"):
    """A session ended."""

    session_id: str


class GetTargetInfo(Command[TargetInfo], method="Target.getTargetInfo", result="targetInfo"):
    """Get what the browser process knows about a target."""

    target_id: str


@attrs.frozen
class Version:
    """Name and version of the browser."""

    product: str
    protocol_version: str


class GetVersion(Command[Version], method="Browser.getVersion"):
    """Ask for the version; the browser process answers, so this is also the heartbeat."""


class GrantPermissions(Command[Nothing], method="Browser.grantPermissions"):
    """Grant permissions to the pages of a context."""

    permissions: list[str]
    browser_context_id: str | None = None


class SetPermission(Command[Nothing], method="Browser.setPermission"):
    """Set one permission for the pages of a context; ``permission`` has a name of the web."""

    permission: dict[str, str]
    setting: str
    browser_context_id: str | None = None


class SetDownloadBehavior(Command[Nothing], method="Browser.setDownloadBehavior"):
    """Set the download directory of a context; ``allowAndName`` names files by download id."""

    behavior: str
    browser_context_id: str | None = None
    download_path: str | None = None
    events_enabled: bool


class DownloadWillBegin(CdpEvent, method="Browser.downloadWillBegin"):
    """A download began."""

    frame_id: str
    guid: str
    url: str
    suggested_filename: str


class DownloadProgress(CdpEvent, method="Browser.downloadProgress"):
    """Progress of a download; ``state`` is ``inProgress``, ``completed`` or ``canceled``."""

    guid: str
    received_bytes: float
    state: str


class TargetCrashed(CdpEvent, method="Inspector.targetCrashed"):
    """The renderer process ended."""


class TargetReloadedAfterCrash(CdpEvent, method="Inspector.targetReloadedAfterCrash"):
    """A stopped service worker runs again in the same session."""
