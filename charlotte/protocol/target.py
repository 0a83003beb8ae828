"""CDP Target domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class TargetInfo:
    """A page, worker or frame as the browser process knows it."""

    target_id: str
    type: str
    title: str
    url: str
    attached: bool = False
    opener_id: str | None = None
    can_access_opener: bool = False
    browser_context_id: str | None = None


@attrs.frozen
class FilterEntry:
    """A rule of a target filter; without a type, it matches all targets."""

    type: str | None = None
    exclude: bool = False


@attrs.frozen
class Attached:
    """The new session's id."""

    session_id: str


@attrs.frozen(kw_only=True)
class AttachToTarget(Command[Attached]):
    """Open another flat session on a target."""

    method = "Target.attachToTarget"
    target_id: str
    flatten: bool = True


@attrs.frozen(kw_only=True)
class DetachFromTarget(Command[Nothing]):
    """Close a session; other sessions on the target stay open."""

    method = "Target.detachFromTarget"
    session_id: str


@attrs.frozen
class CreatedContext:
    """The new browser context's id."""

    browser_context_id: str


@attrs.frozen(kw_only=True)
class CreateBrowserContext(Command[CreatedContext]):
    """Create a browser context with its own cookies, storage and cache."""

    method = "Target.createBrowserContext"
    dispose_on_detach: bool


@attrs.frozen(kw_only=True)
class DisposeBrowserContext(Command[Nothing]):
    """Close a context and all of its pages."""

    method = "Target.disposeBrowserContext"
    browser_context_id: str


@attrs.frozen
class CreatedTarget:
    """The new target's id."""

    target_id: str


@attrs.frozen(kw_only=True)
class CreateTarget(Command[CreatedTarget]):
    """Open a page; ``background`` avoids a redraw of the browser window."""

    method = "Target.createTarget"
    url: str
    browser_context_id: str | None = None
    background: bool = False


@attrs.frozen
class Closed:
    """Whether the target was found."""

    success: bool = True


@attrs.frozen(kw_only=True)
class CloseTarget(Command[Closed]):
    """Close a page without running its ``beforeunload`` handlers."""

    method = "Target.closeTarget"
    target_id: str


@attrs.frozen
class Targets:
    """All targets of the browser."""

    target_infos: list[TargetInfo]


@attrs.frozen(kw_only=True)
class GetTargets(Command[Targets]):
    """List targets; the browser process answers, so hung renderers do not matter."""

    method = "Target.getTargets"


@attrs.frozen(kw_only=True)
class SetAutoAttach(Command[Nothing]):
    """Attach to related targets as they appear, paused until `RunIfWaitingForDebugger`."""

    method = "Target.setAutoAttach"
    auto_attach: bool
    wait_for_debugger_on_start: bool
    flatten: bool = True
    filter: list[FilterEntry] | None = None


@attrs.frozen
class AttachedToTarget(Event):
    """A session was opened on a target, by a command or by auto-attach."""

    method: ClassVar[str] = "Target.attachedToTarget"
    session_id: str
    target_info: TargetInfo
    waiting_for_debugger: bool


@attrs.frozen
class DetachedFromTarget(Event):
    """A session ended."""

    method: ClassVar[str] = "Target.detachedFromTarget"
    session_id: str


@attrs.frozen
class TargetInfoReply:
    """One target."""

    target_info: TargetInfo


@attrs.frozen(kw_only=True)
class GetTargetInfo(Command[TargetInfoReply]):
    """Get what the browser process knows about a target."""

    method = "Target.getTargetInfo"
    target_id: str
