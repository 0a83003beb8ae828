"""New pages of the browser: those that Charlotte created, and those that pages opened."""

from collections.abc import Callable

import attrs
import structlog
import trio

from charlotte.errors import CharlotteError, SessionProblem
from charlotte.protocol import runtime, target
from charlotte.protocol.session import Session

log = structlog.get_logger(__name__)

_CREATE_WAIT = 10.0
_ABANDONED_WAIT = 120.0
"""Seconds for which a creation that no caller waits for any more is still expected to arrive."""


@attrs.define(eq=False)
class _Creation:
    """A page that was asked for: ``page`` once it has arrived, or ``error`` if it will not."""

    command: target.CreateTarget
    page: target.AttachedToTarget | None = None
    error: CharlotteError | None = None
    settled: trio.Event = attrs.field(factory=trio.Event)
    is_abandoned: bool = False


class NewPages:
    """Hands each page that appears to its creator, or to ``adopt`` if a page opened it.

    Each creation has a task of its own, so a caller may leave at any time. A page that arrives
    after its caller has left is closed, never adopted.
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

    def arrive(self, attached: target.AttachedToTarget) -> None:
        """Note a page that is held until it is told to run."""
        self._unclaimed[attached.target_info.target_id] = attached
        self._arrived.set()
        self._arrived = trio.Event()
        self._adopt_foreign()

    async def create(
        self, context: str | None, *, in_front: bool = False
    ) -> target.AttachedToTarget:
        """Create a blank page in a context; it is held until it is told to run.

        ``in_front`` shows its window above the others: only people notice, and it costs the
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
        """Send the command and wait for its page, also if the caller has left."""
        try:
            with trio.move_on_after(_ABANDONED_WAIT):
                created = await self._root.call(creation.command)
                while created.target_id not in self._unclaimed:
                    await self._arrived.wait()
                creation.page = self._unclaimed.pop(created.target_id)
        except CharlotteError as error:
            creation.error = error
        finally:
            self._creations.discard(creation)
            creation.settled.set()
            self._adopt_foreign()
        if creation.is_abandoned:
            self._abandon(creation)

    def _abandon(self, creation: _Creation) -> None:
        """Have a page closed that no caller waits for, now or once it arrives."""
        creation.is_abandoned = True
        if creation.page is not None:
            page, creation.page = creation.page, None
            self._nursery.start_soon(self.close, page)

    async def close(self, attached: target.AttachedToTarget) -> None:
        """Close a page that is nobody's tab; it has to run, for its opener waits with it."""
        try:
            session = self._open_session(attached.session_id)
            await session.begin(runtime.RunIfWaitingForDebugger())
            target_id = attached.target_info.target_id
            await self._root.begin(target.CloseTarget(target_id=target_id))
        except CharlotteError as error:
            log.debug("page was not closed", error=str(error))

    def _adopt_foreign(self) -> None:
        """Adopt each page that has an opener, or that cannot be one of those being created."""
        for target_id, attached in tuple(self._unclaimed.items()):
            info = attached.target_info
            if info.opener_id or not self._may_be_ours(info):
                del self._unclaimed[target_id]
                self._adopt(attached)

    def _may_be_ours(self, info: target.TargetInfo) -> bool:
        """Whether a page is created in that context; None stands for the browser's own profile."""
        contexts = {creation.command.browser_context_id for creation in self._creations}
        return bool(contexts & {None, info.browser_context_id})
