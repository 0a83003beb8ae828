"""CDP Page domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Frame:
    """A frame of the page; ``loader_id`` identifies its document."""

    id: str
    loader_id: str
    url: str
    parent_id: str | None = None
    url_fragment: str = ""
    unreachable_url: str | None = None


@attrs.frozen
class FrameTree:
    """A frame and its child frames, without out-of-process frames."""

    frame: Frame
    child_frames: list["FrameTree"] = attrs.field(factory=list["FrameTree"])


@attrs.frozen
class FrameTreeReply:
    """The tree of the main frame."""

    frame_tree: FrameTree


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report page events."""

    method = "Page.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Stop reporting page events."""

    method = "Page.disable"


@attrs.frozen(kw_only=True)
class GetFrameTree(Command[FrameTreeReply]):
    """Get the present frame tree."""

    method = "Page.getFrameTree"


@attrs.frozen(kw_only=True)
class SetLifecycleEventsEnabled(Command[Nothing]):
    """Report ``Page.lifecycleEvent``."""

    method = "Page.setLifecycleEventsEnabled"
    enabled: bool


@attrs.frozen
class ScriptIdentifier:
    """The id of an init script."""

    identifier: str


@attrs.frozen(kw_only=True)
class AddScriptToEvaluateOnNewDocument(Command[ScriptIdentifier]):
    """Run a script in every new document, in an isolated world when it has a name."""

    method = "Page.addScriptToEvaluateOnNewDocument"
    source: str
    world_name: str | None = None
    include_command_line_api: bool = False
    run_immediately: bool = False


@attrs.frozen
class Navigated:
    """``loader_id`` is absent for a same-document navigation; ``error_text`` if it failed."""

    frame_id: str
    loader_id: str | None = None
    error_text: str | None = None
    is_download: bool = False


@attrs.frozen(kw_only=True)
class Navigate(Command[Navigated]):
    """Load a URL in the main frame; returns once the response's headers are in."""

    method = "Page.navigate"
    url: str


@attrs.frozen(kw_only=True)
class Reload(Command[Nothing]):
    """Reload the document."""

    method = "Page.reload"
    ignore_cache: bool = False


@attrs.frozen(kw_only=True)
class StopLoading(Command[Nothing]):
    """Stop loading."""

    method = "Page.stopLoading"


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


@attrs.frozen(kw_only=True)
class GetNavigationHistory(Command[NavigationHistory]):
    """Get the history that back and forward use."""

    method = "Page.getNavigationHistory"


@attrs.frozen(kw_only=True)
class NavigateToHistoryEntry(Command[Nothing]):
    """Navigate to a history entry."""

    method = "Page.navigateToHistoryEntry"
    entry_id: int


@attrs.frozen(kw_only=True)
class BringToFront(Command[Nothing]):
    """Show the tab before the others of its window."""

    method = "Page.bringToFront"


@attrs.frozen(kw_only=True)
class StartScreencast(Command[Nothing]):
    """Send every n-th frame of the page as an image of at most the given size."""

    method = "Page.startScreencast"
    format: str
    quality: int
    max_width: int
    max_height: int
    every_nth_frame: int


@attrs.frozen(kw_only=True)
class StopScreencast(Command[Nothing]):
    """Stop the screencast."""

    method = "Page.stopScreencast"


@attrs.frozen(kw_only=True)
class SetInterceptFileChooserDialog(Command[Nothing]):
    """Report file choosers instead of opening them."""

    method = "Page.setInterceptFileChooserDialog"
    enabled: bool


@attrs.frozen
class FileChooserOpened(Event):
    """A page opened a file chooser; ``mode`` is ``selectSingle`` or ``selectMultiple``.

    ``backend_node_id`` is the input's, absent where no input is.
    """

    method: ClassVar[str] = "Page.fileChooserOpened"
    mode: str
    backend_node_id: int | None = None


@attrs.frozen(kw_only=True)
class HandleJavaScriptDialog(Command[Nothing]):
    """Accept or dismiss the open dialog."""

    method = "Page.handleJavaScriptDialog"
    accept: bool
    prompt_text: str | None = None


@attrs.frozen
class JavascriptDialogOpening(Event):
    """A dialog blocks the page."""

    method: ClassVar[str] = "Page.javascriptDialogOpening"
    message: str
    type: str
    default_prompt: str | None = None


@attrs.frozen
class JavascriptDialogClosed(Event):
    """The dialog was answered."""

    method: ClassVar[str] = "Page.javascriptDialogClosed"
    result: bool


@attrs.frozen
class FrameNavigated(Event):
    """A frame has a new document, or one restored from the back/forward cache."""

    method: ClassVar[str] = "Page.frameNavigated"
    frame: Frame
    type: str = "Navigation"


@attrs.frozen
class FrameAttached(Event):
    """A child frame was added."""

    method: ClassVar[str] = "Page.frameAttached"
    frame_id: str


@attrs.frozen
class FrameDetached(Event):
    """A child frame was removed, or (``swap``) moved to another process."""

    method: ClassVar[str] = "Page.frameDetached"
    frame_id: str
    reason: str


@attrs.frozen
class NavigatedWithinDocument(Event):
    """The URL changed, the document did not."""

    method: ClassVar[str] = "Page.navigatedWithinDocument"
    frame_id: str
    url: str


@attrs.frozen
class FrameRequestedNavigation(Event):
    """The page requested a navigation by a link, a form or a script."""

    method: ClassVar[str] = "Page.frameRequestedNavigation"
    frame_id: str
    url: str
    reason: str
    disposition: str = "currentTab"


@attrs.frozen
class FrameStartedNavigating(Event):
    """A navigation began."""

    method: ClassVar[str] = "Page.frameStartedNavigating"
    frame_id: str
    url: str
    loader_id: str
    navigation_type: str

    @property
    def is_same_document(self) -> bool:
        """Whether the navigation stays in the same document."""
        return self.navigation_type in {"sameDocument", "historySameDocument"}


@attrs.frozen
class FrameStoppedLoading(Event):
    """A frame finished or stopped loading."""

    method: ClassVar[str] = "Page.frameStoppedLoading"
    frame_id: str


@attrs.frozen
class LifecycleEvent(Event):
    """``name`` is init, DOMContentLoaded, load, networkIdle, … of the document ``loader_id``."""

    method: ClassVar[str] = "Page.lifecycleEvent"
    frame_id: str
    loader_id: str
    name: str
