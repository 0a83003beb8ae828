"""The browser contexts of all sessions, in one incarnation of the browser: made when needed."""

from collections import defaultdict
from collections.abc import Awaitable, Callable

import attrs
import structlog
import trio

from charlotte.actors.browser.downloads import keeping_downloads
from charlotte.actors.browser.storage_backup import give_back
from charlotte.actors.state.contexts import DEFAULT, ContextRecord
from charlotte.actors.state.records import SessionRecord
from charlotte.errors import SessionProblem
from charlotte.protocol.browser import GrantPermissions
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session
from charlotte.protocol.target import CreateBrowserContext, DisposeBrowserContext

log = structlog.get_logger(__name__)

MOST_CONTEXTS = 20
"""Named contexts of a session; the browser keeps storage and a cache for each."""

_END_WAIT = 1.0

OpenHidden = Callable[[str | None], Awaitable[tuple[str, Session]]]

Home = tuple[SessionRecord, ContextRecord]


@attrs.define(eq=False)
class Contexts:
    """Which context is which: ours by record, the browser's by id, None for its own profile.

    ``_new`` are named ones that have had no tab yet, ``_leaving`` those that are off the record of
    their session, but not disposed.
    """

    _root: Session
    _open_hidden: OpenHidden
    _ids: dict[ContextRecord, str | None] = attrs.field(factory=dict[ContextRecord, "str | None"])
    _homes: dict[str | None, Home] = attrs.field(factory=dict["str | None", Home])
    _locks: defaultdict[ContextRecord, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[ContextRecord, trio.Lock](trio.Lock)
    )
    _new: set[ContextRecord] = attrs.field(factory=set[ContextRecord])
    _leaving: list[ContextRecord] = attrs.field(factory=list[ContextRecord])

    async def get(self, session: SessionRecord, context: ContextRecord) -> str | None:
        """The browser's id of a context, which is made if it is not there."""
        async with self._locks[context]:
            session.check_open()
            if context in self._ids:
                return self._ids[context]
            return await self._open(session, context)

    async def _open(self, session: SessionRecord, context: ContextRecord) -> str | None:
        await self._end_leaving()
        made = self._ids[context] = await self._make(session, context)
        self._homes[made] = session, context
        try:
            await self._furnish(session, context, made)
        except BaseException:  # half furnished, it would be taken for whole
            with trio.move_on_after(_END_WAIT, shield=True):
                await self._end(context)
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

    def reserve(self, session: SessionRecord, name: str) -> ContextRecord:
        """Return the context in which a tab is to be opened, which counts from now on.

        If a new one exceeds the limit, the oldest named ones without tabs are removed
        from the session. Raises `SessionProblem` if all of them have tabs.
        """
        if name not in {DEFAULT, *session.contexts}:
            self._leaving += _taken_off(session)
            self._new.add(session.context(name))
        context = session.context(name)
        context.opening += 1
        return context

    async def release(self, session: SessionRecord, context: ContextRecord) -> None:
        """End the reservation for a tab; a new context without tabs is removed."""
        context.opening -= 1
        if _has_tabs(session, context):
            self._new.discard(context)
        elif context in self._new and not context.opening:
            self._new.discard(context)
            del session.contexts[context.name]
            await self._remove(context)

    async def dispose(self, session: SessionRecord) -> None:
        """Close a session's contexts, but not the browser's own profile."""
        for context in tuple(session.contexts.values()):
            await self._dispose(context)
        await self._end_leaving()

    async def _dispose(self, context: ContextRecord) -> None:
        async with self._locks[context]:  # it may just be made
            made = self._forget(context)
            if made is not None:
                try:
                    await self._root.call(DisposeBrowserContext(browser_context_id=made))
                except ProtocolError as error:
                    log.warning("context was not disposed", context=made, error=str(error))
        self._locks.pop(context, None)

    async def _end_leaving(self) -> None:
        while self._leaving:
            await self._remove(self._leaving.pop())

    async def _remove(self, context: ContextRecord) -> None:
        self._locks.pop(context, None)
        await self._end(context)

    async def _end(self, context: ContextRecord) -> None:
        """Dispose an unused context without waiting for the reply."""
        made = self._forget(context)
        if made is not None:
            with trio.CancelScope(shield=True):
                await self._root.begin(DisposeBrowserContext(browser_context_id=made))

    def _forget(self, context: ContextRecord) -> str | None:
        if context not in self._ids:
            return None
        made = self._ids.pop(context)
        self._homes.pop(made, None)
        return made


def _taken_off(session: SessionRecord) -> list[ContextRecord]:
    """Remove as many idle contexts from the session as a new one needs; return them."""
    named = [context for context in session.contexts.values() if context.name != DEFAULT]
    idle = [one for one in named if not one.opening and not _has_tabs(session, one)]
    excess = max(len(named) + 1 - MOST_CONTEXTS, 0)
    if len(idle) < excess:
        raise SessionProblem(
            f"{session.id} has {MOST_CONTEXTS} named contexts with tabs in them.",
            "Close the tabs of one, or open this tab in one of them.",
        )
    for one in idle[:excess]:
        del session.contexts[one.name]
    return idle[:excess]


def _has_tabs(session: SessionRecord, context: ContextRecord) -> bool:
    return any(tab.context is context for tab in session.tabs.values())
