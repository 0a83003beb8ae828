"""CDP Page domain: frames, navigation, dialogs, images."""

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

EnablePage = bare_command("Page.enable")
DisablePage = bare_command("Page.disable")
StopLoading = bare_command("Page.stopLoading")
BringToFront = bare_command("Page.bringToFront")  # before the other tabs of its window
StopScreencast = bare_command("Page.stopScreencast")


@attrs.frozen
class FrameInfo:
    """A frame of the page; ``loader_id`` identifies its document."""

    id: str
    loader_id: str
    url: str
    url_fragment: str = ""
    unreachable_url: str | None = None
    security_origin: str = ""


@attrs.frozen
class FrameInfoTree:
    """A frame and its child frames, without out-of-process frames."""

    frame: FrameInfo
    child_frames: list["FrameInfoTree"] = attrs.field(factory=list["FrameInfoTree"])


class GetFrameTree(Command[FrameInfoTree], method="Page.getFrameTree", result="frameTree"):
    """Get the present frame tree."""


class SetLifecycleEventsEnabled(Command[Nothing], method="Page.setLifecycleEventsEnabled"):
    """Report ``Page.lifecycleEvent``."""

    enabled: bool


class AddScriptToEvaluateOnNewDocument(
    Command[Nothing], method="Page.addScriptToEvaluateOnNewDocument"
):
    """Run a script in every new document, in an isolated world when it has a name."""

    source: str
    world_name: str | None = None
    include_command_line_api: bool = False
    run_immediately: bool = False


@attrs.frozen
class NavigateReply:
    """``loader_id`` is absent for a same-document navigation; ``error_text`` if it failed."""

    frame_id: str
    loader_id: str | None = None
    error_text: str | None = None
    is_download: bool = False


class Navigate(Command[NavigateReply], method="Page.navigate"):
    """Load a URL in the main frame; returns once the response's headers are in."""

    url: str


class Reload(Command[Nothing], method="Page.reload"):
    """Reload the document."""

    ignore_cache: bool = False


@attrs.frozen
class HistoryEntry:
    """An entry of the tab's history."""

    id: int
    url: str
    title: str = ""


@attrs.frozen
class NavigationHistory:
    """The tab's history; ``current_index`` counts from 0."""

    current_index: int
    entries: list[HistoryEntry]


class GetNavigationHistory(Command[NavigationHistory], method="Page.getNavigationHistory"):
    """Get the history that back and forward use."""


class NavigateToHistoryEntry(Command[Nothing], method="Page.navigateToHistoryEntry"):
    """Navigate to a history entry."""

    entry_id: int


class StartScreencast(Command[Nothing], method="Page.startScreencast"):
    """Send every n-th frame of the page as an image of at most the given size."""

    format: str
    quality: int
    max_width: int
    max_height: int
    every_nth_frame: int


@attrs.frozen
class ScreencastMetadata:
    """The part of the page that a picture shows, in CSS px."""

    device_width: float
    device_height: float
    offset_top: float = 0


class ScreencastFrame(CdpEvent, method="Page.screencastFrame"):
    """A picture of the page in base64; few more are sent until it is acknowledged."""

    data: str
    metadata: ScreencastMetadata
    session_id: int


class AcknowledgeFrame(Command[Nothing], method="Page.screencastFrameAck"):
    """Acknowledge a picture."""

    session_id: int


class SetInterceptFileChooserDialog(Command[Nothing], method="Page.setInterceptFileChooserDialog"):
    """Report file choosers instead of opening them."""

    enabled: bool


class FileChooserOpened(CdpEvent, method="Page.fileChooserOpened"):
    """A page opened a file chooser; ``mode`` is ``selectSingle`` or ``selectMultiple``."""

    mode: str
    backend_node_id: int | None = None


class HandleJavaScriptDialog(Command[Nothing], method="Page.handleJavaScriptDialog"):
    """Accept or dismiss the open dialog."""

    accept: bool
    prompt_text: str | None = None


class JavascriptDialogOpening(CdpEvent, method="Page.javascriptDialogOpening"):
    """A dialog blocks the page."""

    message: str
    type: str
    default_prompt: str | None = None


class JavascriptDialogClosed(CdpEvent, method="Page.javascriptDialogClosed"):
    """The dialog was answered."""

    result: bool


class FrameNavigated(CdpEvent, method="Page.frameNavigated"):
    """A frame has a new document, or one restored from the back/forward cache."""

    frame: FrameInfo
    type: str = "Navigation"


class FrameAttached(CdpEvent, method="Page.frameAttached"):
    """A child frame was added."""

    frame_id: str


class FrameDetached(CdpEvent, method="Page.frameDetached"):
    """A child frame was removed, or (``swap``) moved to another process."""

    frame_id: str
    reason: str


class NavigatedWithinDocument(CdpEvent, method="Page.navigatedWithinDocument"):
    """The URL changed, the document did not."""

    frame_id: str
    url: str


class FrameRequestedNavigation(CdpEvent, method="Page.frameRequestedNavigation"):
    """The page requested a navigation by a link, a form or a script."""

    frame_id: str
    url: str
    reason: str
    disposition: str = "currentTab"


class WindowOpen(CdpEvent, method="Page.windowOpen"):
    """The page opened a window."""

    url: str


class FrameStartedNavigating(CdpEvent, method="Page.frameStartedNavigating"):
    """A navigation began."""

    frame_id: str
    url: str
    loader_id: str
    navigation_type: str

    @property
    def is_same_document(self) -> bool:
        """Whether the navigation stays in the same document."""
        return self.navigation_type in {"sameDocument", "historySameDocument"}


class FrameStoppedLoading(CdpEvent, method="Page.frameStoppedLoading"):
    """A frame finished or stopped loading."""

    frame_id: str


class LifecycleEvent(CdpEvent, method="Page.lifecycleEvent"):
    """``name`` is init, DOMContentLoaded, load, networkIdle, … of the document ``loader_id``.

    ``timestamp`` in seconds of the browser's clock.
    """

    frame_id: str
    loader_id: str
    name: str
    timestamp: float = 0


@attrs.frozen
class Viewport:
    """An area in CSS px of the document; ``scale`` 1 keeps CSS pixels in an image of it."""

    x: float
    y: float
    width: float
    height: float
    scale: float = 1


class CaptureScreenshot(Command[str], method="Page.captureScreenshot", result="data"):
    """Take an image of the viewport, or of ``clip``; returns it in base64."""

    format: str
    quality: int | None = None
    clip: Viewport | None = None
    capture_beyond_viewport: bool = False


class PrintToPdf(Command[str], method="Page.printToPDF", result="data"):
    """Print the page; returns the PDF in base64."""

    landscape: bool
    scale: float
    print_background: bool


@attrs.frozen
class VisualViewport:
    """The visible part of the page."""

    page_x: float
    page_y: float
    client_width: float
    client_height: float


@attrs.frozen
class LayoutMetrics:
    """Sizes of viewport and document in CSS px, and the viewport in device px."""

    visual_viewport: VisualViewport
    css_visual_viewport: VisualViewport
    css_content_size: Viewport


class GetLayoutMetrics(Command[LayoutMetrics], method="Page.getLayoutMetrics"):
    """Get the sizes of viewport and document."""
