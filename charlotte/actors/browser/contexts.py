"""The browser contexts of all sessions in one incarnation of the browser, created on demand."""

from collections import defaultdict
from contextlib import suppress
from functools import partial

import attrs
import structlog
import trio

from charlotte.actors.state.records import DEFAULT, ContextRecord, SessionRecord
from charlotte.actors.tab.site_data import OpenHidden, hidden_page
from charlotte.browser.initial_state import InitialState
from charlotte.browser.pending_items import Items
from charlotte.browser.site_storage import open_origin_page
from charlotte.errors import SessionProblem
from charlotte.protocol.connection import Session
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.target import (
    CreateBrowserContext,
    DisposeBrowserContext,
    GrantPermissions,
    SetDownloadBehavior,
    SetPermission,
)

log = structlog.get_logger(__name__)

MOST_CONTEXTS = 20
"""Named contexts per session, because the browser keeps storage and a cache for each."""

_DISPOSE_WAIT = 1.0
_RESTORE_WAIT = 3.0

ContextOwner = tuple[SessionRecord, ContextRecord]


@attrs.define(eq=False)
class Contexts:
    """The browser's contexts by record; the id None stands for the browser's own profile.

    ``_new`` are named contexts that have not had a tab yet. ``_leaving`` are contexts that were
    removed from their session, but not disposed.
    """

    _root: Session
    _open_hidden: OpenHidden
    _ids: dict[ContextRecord, str | None] = attrs.field(factory=dict[ContextRecord, "str | None"])
    _owners: dict[str | None, ContextOwner] = attrs.field(factory=dict["str | None", ContextOwner])
    _locks: defaultdict[ContextRecord, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[ContextRecord, trio.Lock](trio.Lock)
    )
    _new: set[ContextRecord] = attrs.field(factory=set[ContextRecord])
    _leaving: list[ContextRecord] = attrs.field(factory=list[ContextRecord])

    async def get(self, session: SessionRecord, context: ContextRecord) -> str | None:
        """Return the browser's id of a context, which is created if it does not exist."""
        async with self._locks[context]:
            session.check_open()
            if context not in self._ids:
                await self._open(session, context)
            return self._ids[context]

    async def _open(self, session: SessionRecord, context: ContextRecord) -> None:
        await self._remove_leaving()
        if context.is_owners:  # nothing of it belongs to the session
            self._ids[context] = None
            return
        context_id = None
        if context.name != DEFAULT or not session.settings.in_profile:
            context_id = await self._root.call(CreateBrowserContext(dispose_on_detach=True))
        self._ids[context] = context_id
        self._owners[context_id] = session, context
        try:
            await self._prepare(session, context, context_id)
        except BaseException:  # else a later call would use the context unprepared
            with trio.move_on_after(_DISPOSE_WAIT, shield=True):
                await self._close(context)
            raise

    async def _prepare(
        self, session: SessionRecord, context: ContextRecord, context_id: str | None
    ) -> None:
        """Apply the session's settings, and restore what sites had stored in an earlier browser."""
        downloads = SetDownloadBehavior(
            behavior="allowAndName",
            browser_context_id=context_id,
            download_path=str(session.settings.output_path),
            events_enabled=True,
        )
        await self._root.begin(downloads)
        if permissions := session.settings.permissions:
            grant = GrantPermissions(permissions=list(permissions), browser_context_id=context_id)
            await self._root.begin(grant)
        # Chrome grants this to every page, Chromium's headless shell to none.
        await self._root.begin(
            SetPermission(
                permission={"name": "clipboard-write"},
                setting="granted",
                browser_context_id=context_id,
            )
        )
        await context.cookies.restore(self._root, context_id)
        context.pending.begin(context.items.all(), partial(self._write_items, context_id))

    async def _write_items(self, context_id: str | None, origin: str, items: Items) -> None:
        """Write localStorage with a hidden page."""
        with trio.move_on_after(_RESTORE_WAIT), suppress(ProtocolError):
            async with (
                hidden_page(self._root, self._open_hidden, context_id) as hidden,
                open_origin_page(hidden) as visitor,
            ):
                if await visitor.write(origin, items):
                    return
        log.warning("localStorage could not be restored", origin=origin)

    def owner(self, browser_context_id: str | None) -> ContextOwner | None:
        """Return the owner of a page in a context; the browser's profile also has an id."""
        return self._owners.get(browser_context_id) or self._owners.get(None)

    def reserve(
        self, session: SessionRecord, name: str, state: InitialState | None = None
    ) -> ContextRecord:
        """Return the context in which a tab is to be opened, which counts from now on.

        With ``state``, the context is new. If a new context exceeds the limit, the oldest named
        contexts without tabs are removed from the session. Raises `SessionProblem` if all of them
        have tabs, or if the context that is to be new has tabs.
        """
        if state is not None:
            self._remove(session, name)
        if name not in {DEFAULT, *session.contexts}:
            self._leaving += _remove_idle(session)
            self._new.add(session.context(name))
        context = session.context(name)
        if state is not None:
            context.begin_with(state)
        context.opening += 1
        return context

    def _remove(self, session: SessionRecord, name: str) -> None:
        """Remove the context with that name, whose place a new one takes."""
        context = session.contexts.get(name)
        is_profile = name == DEFAULT and session.settings.in_profile
        if is_profile or session.is_owners(name):
            raise SessionProblem(
                "The browser's own profile cannot begin with a login.", "Pass a name for context."
            )
        if context is None:
            return
        if context.opening or session.has_tabs_in(context):
            shown = f"Context {name!r}" if name else "The session's context"
            raise SessionProblem(
                f"{shown} has tabs already, so it cannot begin with a login.",
                "Pass a new name for context, or load the login into the context with "
                "storage{action: load, name}.",
            )
        self._new.discard(context)
        self._leaving.append(session.contexts.pop(name))

    async def release(self, session: SessionRecord, context: ContextRecord) -> None:
        """End the reservation for a tab; a new context without tabs is removed."""
        context.opening -= 1
        if session.has_tabs_in(context):
            self._new.discard(context)
        elif context in self._new and not context.opening:
            self._new.discard(context)
            del session.contexts[context.name]
            self._locks.pop(context, None)
            await self._close(context)

    async def dispose(self, session: SessionRecord) -> None:
        """Close a session's contexts, but not the browser's own profile."""
        for context in tuple(session.contexts.values()):
            async with self._locks[context]:  # it may be opening
                context_id = self._forget(context)
                if context_id is not None:
                    try:
                        await self._root.call(DisposeBrowserContext(browser_context_id=context_id))
                    except ProtocolError as error:
                        log.warning(
                            "context was not disposed", context=context_id, error=str(error)
                        )
            self._locks.pop(context, None)
        await self._remove_leaving()

    async def _remove_leaving(self) -> None:
        while self._leaving:
            context = self._leaving.pop()
            self._locks.pop(context, None)
            await self._close(context)

    async def _close(self, context: ContextRecord) -> None:
        """Dispose an unused context without waiting for the reply."""
        context_id = self._forget(context)
        if context_id is not None:
            with trio.CancelScope(shield=True):
                await self._root.begin(DisposeBrowserContext(browser_context_id=context_id))

    def _forget(self, context: ContextRecord) -> str | None:
        if context not in self._ids:
            return None
        context_id = self._ids.pop(context)
        if not context.is_owners:
            self._owners.pop(context_id, None)
        return context_id


def _remove_idle(session: SessionRecord) -> list[ContextRecord]:
    """Remove as many idle contexts from the session as a new context needs; return them."""
    named = [context for context in session.contexts.values() if context.name != DEFAULT]
    idle = [one for one in named if not one.opening and not session.has_tabs_in(one)]
    excess = max(len(named) + 1 - MOST_CONTEXTS, 0)
    if len(idle) < excess:
        raise SessionProblem(
            f"{session.id} has {MOST_CONTEXTS} named contexts with tabs in them.",
            "Close the tabs of one context, or open this tab in an existing context.",
        )
    for context in idle[:excess]:
        del session.contexts[context.name]
    return idle[:excess]
