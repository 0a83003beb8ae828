"""New pages of the browser: pages that Charlotte creates, and popups that pages open."""

from collections.abc import Callable

import attrs
import structlog
import trio

from charlotte.actors.state.records import ContextRecord, SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.errors import CharlotteError, SessionProblem
from charlotte.protocol import runtime, target
from charlotte.protocol.connection import Session

log = structlog.get_logger(__name__)

MOST_POPUPS = 20
"""Open tabs of a session that were opened by its pages."""

_CREATE_WAIT = 10.0
_ABANDONED_WAIT = 120.0
"""Seconds for which a creation is still expected to arrive after its caller has left."""


def add_popup(
    registry: Registry, session: SessionRecord, context: ContextRecord, info: target.TargetInfo
) -> TabRecord | None:
    """Add a tab for a popup; return None if there are too many or the session is closing."""
    if session.closing.is_set():
        return None
    opener = session.by_target(info.opener_id or "")
    opener = opener or session.tabs.get(session.active or "")
    if opener and session.popups >= MOST_POPUPS:
        opener.notify([f"Pages have opened {MOST_POPUPS} tabs; more were closed at once."])
        return None
    record = registry.new_tab(session, context)
    record.target_id, record.url = info.target_id, info.url
    session.add(record, activate=False)
    if opener:
        record.desired = attrs.evolve(record.desired, device=opener.desired.device)
        record.opener, record.noopener = opener, not info.can_access_opener
        opener.opened.append(record)
    return record


def is_unused_popup(record: TabRecord) -> bool:
    """Return whether a tab never had a document and no call works on it."""
    is_used = record.session.active == record.id or record.tab.statistics().doing
    return record.has_no_document and not is_used


def withdraw_popup(record: TabRecord) -> None:
    """Keep a popup out of the news of its opener; if it was reported, report that it is closed."""
    opener = record.opener
    if opener is None:
        return
    if record in opener.opened:
        opener.opened.remove(record)
    else:
        opener.notify([f"{record.id} was closed: it was opened only for a download."])


@attrs.define(eq=False)
class _Creation:
    """A requested page: ``page`` once it has arrived, ``error`` if it will not arrive."""

    command: target.CreateTarget
    page: target.AttachedToTarget | None = None
    error: CharlotteError | None = None
    settled: trio.Event = attrs.field(factory=trio.Event)
    is_abandoned: bool = False


class NewPages:
    """Assigns each new page to its creator, or passes it to ``adopt`` if a page opened it.

    Each creation has its own task, so a caller may leave at any time. A page that arrives after
    its caller has left is closed, never adopted.
    """

    def __init__(
        self,
        root: Session,
        nursery: trio.Nursery,
        open_session: Callable[[str], Session],
        adopt: Callable[[target.AttachedToTarget], None],
    ) -> None:
        self._root = root
        self._nursery = nursery
        self._open_session = open_session
        self._adopt = adopt
        self._creations: set[_Creation] = set()
        self._unclaimed: dict[str, target.AttachedToTarget] = {}
        self._arrived = trio.Event()

    def add(self, attached: target.AttachedToTarget) -> None:
        """Add a new page, which the browser holds before its first document."""
        self._unclaimed[attached.target_info.target_id] = attached
        self._arrived.set()
        self._arrived = trio.Event()
        self._adopt_foreign()

    async def create(
        self, context: str | None, *, in_front: bool = False
    ) -> target.AttachedToTarget:
        """Create a blank page in a context, which the browser holds until it is resumed.

        ``in_front`` raises its window above others. That helps only people who watch, and costs the
        browser much work. Raises `SessionProblem` if the page does not arrive in time.
        """
        creation = _Creation(
            target.CreateTarget(
                url="about:blank", browser_context_id=context, background=not in_front
            )
        )
        self._creations.add(creation)
        self._nursery.start_soon(self._serve, creation)
        page = None
        try:
            with trio.move_on_after(_CREATE_WAIT):
                await creation.settled.wait()
                page = creation.page
        finally:
            if page is None:
                self._abandon(creation)
        if creation.error is not None:
            raise creation.error
        if page is None:
            raise SessionProblem("The browser did not open a tab in time.", "Repeat the call.")
        return page

    async def _serve(self, creation: _Creation) -> None:
        """Send the command and wait for its page, even if the caller has left."""
        try:
            with trio.move_on_after(_ABANDONED_WAIT):
                target_id = await self._root.call(creation.command)
                while target_id not in self._unclaimed:
                    await self._arrived.wait()
                creation.page = self._unclaimed.pop(target_id)
        except CharlotteError as error:
            creation.error = error
        finally:
            self._creations.discard(creation)
            creation.settled.set()
            self._adopt_foreign()
        if creation.is_abandoned:
            self._abandon(creation)

    def _abandon(self, creation: _Creation) -> None:
        """Close a page without a caller, now or when it arrives."""
        creation.is_abandoned = True
        if creation.page is not None:
            page, creation.page = creation.page, None
            self._nursery.start_soon(self.close, page)

    async def close(self, attached: target.AttachedToTarget) -> None:
        """Close a page; first resume it, because its opener is blocked until then."""
        try:
            session = self._open_session(attached.session_id)
            await session.begin(runtime.RunIfWaitingForDebugger())
            target_id = attached.target_info.target_id
            await self._root.begin(target.CloseTarget(target_id=target_id))
        except CharlotteError as error:
            log.debug("page was not closed", error=str(error))

    def _adopt_foreign(self) -> None:
        """Adopt each page that has an opener, or that no pending creation can claim.

        The context None of a creation stands for the browser's own profile, which also has an id.
        """
        contexts = {creation.command.browser_context_id for creation in self._creations}
        for target_id, attached in tuple(self._unclaimed.items()):
            info = attached.target_info
            if info.opener_id or not contexts & {None, info.browser_context_id}:
                del self._unclaimed[target_id]
                self._adopt(attached)
