"""The browser contexts of all sessions, in one incarnation of the browser: made when needed."""

from collections import defaultdict
from collections.abc import Awaitable, Callable

import attrs
import structlog
import trio

from charlotte.actors.contexts import DEFAULT, ContextRecord
from charlotte.actors.downloads import keeping_downloads
from charlotte.actors.keeping import give_back
from charlotte.actors.records import SessionRecord
from charlotte.errors import SessionProblem
from charlotte.protocol.browser import GrantPermissions
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session
from charlotte.protocol.target import CreateBrowserContext, DisposeBrowserContext

log = structlog.get_logger(__name__)

MOST_CONTEXTS = 20
"""Named contexts of a session; the browser keeps storage and a cache for each."""

OpenHidden = Callable[[str | None], Awaitable[tuple[str, Session]]]

Home = tuple[SessionRecord, ContextRecord]


@attrs.define(eq=False)
class Contexts:
    """Which context is which: ours by record, the browser's by id, None for its own profile."""

    _root: Session
    _open_hidden: OpenHidden
    _ids: dict[ContextRecord, str | None] = attrs.field(factory=dict[ContextRecord, "str | None"])
    _homes: dict[str | None, Home] = attrs.field(factory=dict["str | None", Home])
    _locks: defaultdict[ContextRecord, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[ContextRecord, trio.Lock](trio.Lock)
    )

    async def get(self, session: SessionRecord, context: ContextRecord) -> str | None:
        """The browser's id of a context, which is made if it is not there."""
        async with self._locks[context]:
            session.check_open()
            if context in self._ids:
                return self._ids[context]
            return await self._open(session, context)

    async def _open(self, session: SessionRecord, context: ContextRecord) -> str | None:
        made = self._ids[context] = await self._make(session, context)
        self._homes[made] = session, context
        try:
            await self._furnish(session, context, made)
        except BaseException:  # half furnished, it would be taken for whole
            self._forget(context)
            if made is not None:
                with trio.CancelScope(shield=True):  # only sent
                    await self._root.begin(DisposeBrowserContext(browser_context_id=made))
            raise
        return made

    async def _make(self, session: SessionRecord, context: ContextRecord) -> str | None:
        if session.settings.in_profile and context.name == DEFAULT:
            return None
        created = await self._root.call(CreateBrowserContext(dispose_on_detach=True))
        return created.browser_context_id

    async def _furnish(
        self, session: SessionRecord, context: ContextRecord, made: str | None
    ) -> None:
        """Make it as the session wants it, with what its sites had stored in an earlier browser."""
        await self._root.begin(keeping_downloads(session, made))
        if wanted := session.settings.permissions:
            grant = GrantPermissions(permissions=list(wanted), browser_context_id=made)
            await self._root.begin(grant)
        await context.cookies.restore(self._root, made)
        if context.items:
            shown = [tab.address for tab in session.tabs.values() if tab.context is context]
            await give_back(context, shown, self._root, await self._open_hidden(made))

    def home(self, browser_context_id: str | None) -> Home | None:
        """Whose a page is that opened in a context; the browser's profile has an id of its own."""
        return self._homes.get(browser_context_id) or self._homes.get(None)

    async def make_room(self, session: SessionRecord, name: str) -> None:
        """Dispose the oldest named context without tabs if a new one would be one too many.

        Raises `SessionProblem` if all of them have tabs.
        """
        named = [context for context in session.contexts.values() if context.name != DEFAULT]
        if name in {DEFAULT, *session.contexts} or len(named) < MOST_CONTEXTS:
            return
        in_use = {tab.context for tab in session.tabs.values()}
        idle = next((one for one in named if one not in in_use and not one.opening), None)
        if idle is None:
            raise SessionProblem(
                f"{session.id} has {MOST_CONTEXTS} named contexts with tabs in them.",
                "Close the tabs of one, or open this tab in one of them.",
            )
        del session.contexts[idle.name]
        await self._dispose(idle)

    async def dispose(self, session: SessionRecord) -> None:
        """Close a session's contexts, but not the browser's own profile."""
        for context in tuple(session.contexts.values()):
            await self._dispose(context)

    async def _dispose(self, context: ContextRecord) -> None:
        async with self._locks[context]:  # it may just be made
            made = self._forget(context)
            if made is not None:
                try:
                    await self._root.call(DisposeBrowserContext(browser_context_id=made))
                except ProtocolError as error:
                    log.warning("context was not disposed", context=made, error=str(error))
        self._locks.pop(context, None)

    def _forget(self, context: ContextRecord) -> str | None:
        if context not in self._ids:
            return None
        made = self._ids.pop(context)
        self._homes.pop(made, None)
        return made
