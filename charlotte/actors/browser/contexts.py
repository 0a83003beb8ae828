"""The browser contexts of all sessions in one incarnation of the browser, created on demand."""

from collections import defaultdict
from contextlib import suppress
from functools import partial

import attrs
import structlog
import trio

from charlotte.actors.state.context_record import DEFAULT, ContextRecord
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import ProfileRecord, Registry, note_refused
from charlotte.actors.state.session_settings import Settings
from charlotte.actors.tab.site_data import OpenHidden, hidden_page
from charlotte.base.errors import SessionProblem, TabNotFound
from charlotte.browser.process.browser_source import upstream_of
from charlotte.browser.world.site_storage import InitialState, Items, open_origin_page
from charlotte.guard.host_patterns import HostList
from charlotte.guard.socks_proxy import EGRESS_HOST, Route
from charlotte.guard.url_guard import Guard
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.target import (
    CreateBrowserContext,
    DisposeBrowserContext,
    GrantPermissions,
    SetDownloadBehavior,
    SetPermission,
    TargetInfo,
)

log = structlog.get_logger(__name__)

MOST_CONTEXTS = 20
"""Named contexts per session, because the browser keeps storage and a cache for each."""

_NO_HOSTS = HostList.read(())
_RESTORE_WAIT = 30.0
"""Seconds for a hidden page, whose renderer has to start on a busy machine: else items are lost."""

ContextOwner = tuple[SessionRecord, ContextRecord]


@attrs.define(eq=False)
class Contexts:
    """The browser's contexts by record; the id None stands for the browser's own profile.

    ``_owners`` are by the ids of isolated contexts. ``_foreign`` are the targets of pages in the
    profile that belong to no session, because a person opened them. ``_new`` are named contexts
    that have not had a tab yet. ``sandboxes`` are the proxies of the contexts of programs, which
    refuse all.
    """

    _root: CdpSession
    _registry: Registry
    _open_hidden: OpenHidden
    _nursery: trio.Nursery
    _ids: dict[ContextRecord, str | None] = attrs.field(factory=dict[ContextRecord, "str | None"])
    _owners: dict[str, ContextOwner] = attrs.field(factory=dict[str, ContextOwner])
    _foreign: set[str] = attrs.field(factory=set[str])
    _locks: defaultdict[ContextRecord, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[ContextRecord, trio.Lock](trio.Lock)
    )
    _new: set[ContextRecord] = attrs.field(factory=set[ContextRecord])
    sandboxes: dict[str, Route] = attrs.field(factory=dict[str, Route])

    async def get(self, session: SessionRecord, context: ContextRecord) -> str | None:
        """Return the browser's id of a context, which is created if it does not exist."""
        async with self._locks[context]:
            session.check_open()
            if context not in self._ids:
                await self._open(session, context)
            return self._ids[context]

    async def _open(self, session: SessionRecord, context: ContextRecord) -> None:
        if context.is_owner_profile:  # nothing of it belongs to the session
            self._ids[context] = None
            return
        context_id = None
        if context is not self._registry.profile:
            create = CreateBrowserContext(
                dispose_on_detach=True, **await self._open_route(session, context)
            )
            context_id = await self._root.call(create)
            self._owners[context_id] = session, context
        self._ids[context] = context_id
        try:
            await self._prepare(session, context, context_id)
        except BaseException:  # else a later call would use the context unprepared
            with trio.move_on_after(1.0, shield=True):
                await self._close(context)
            raise

    async def _open_route(self, session: SessionRecord, context: ContextRecord) -> dict[str, str]:
        """Open the context's proxy, if it has one; return the settings that lead to it."""
        settings = session.settings
        if not settings.has_egress:
            return {}
        route = Route(
            session.guard_of(context),
            upstream_of(settings.config),
            partial(note_refused, session, context),
        )
        await self._nursery.start(route.run)
        context.route = route
        return _proxy_settings(route, is_contained=settings.our_switches)

    async def open_sandbox(self, settings: Settings) -> str:
        """Create a context that reaches no host and keeps nothing; return its id.

        Its proxy refuses all. Where the proxy cannot be reached, the browser has no other way.
        """
        route = Route(Guard(only=_NO_HOSTS))
        await self._nursery.start(route.run)
        is_contained = settings.has_egress and settings.our_switches
        create = CreateBrowserContext(
            dispose_on_detach=True, **_proxy_settings(route, is_contained=is_contained)
        )
        try:
            context_id = await self._root.call(create)
        except BaseException:
            route.close()
            raise
        self.sandboxes[context_id] = route
        # Chromium keeps events_enabled for all contexts of a client, not for each context.
        deny = SetDownloadBehavior(
            behavior="deny", browser_context_id=context_id, events_enabled=True
        )
        await self._root.begin(deny)
        return context_id

    async def close_sandbox(self, context_id: str) -> None:
        """Close the context of a program, if it still exists, without waiting for the reply."""
        if route := self.sandboxes.pop(context_id, None):
            route.close()
            await self._root.begin(DisposeBrowserContext(browser_context_id=context_id))

    async def _prepare(
        self, session: SessionRecord, context: ContextRecord, context_id: str | None
    ) -> None:
        """Apply the session's settings, and restore what sites had stored in an earlier browser."""
        directory = session.settings.output_path
        if isinstance(context, ProfileRecord):
            directory = context.downloads
        downloads = SetDownloadBehavior(
            behavior="allowAndName" if session.settings.config.rules.allows_downloads else "deny",
            browser_context_id=context_id,
            download_path=str(directory),
            events_enabled=True,
        )
        await self._root.begin(downloads)
        if permissions := session.settings.config.permissions():
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
        context.pending.begin(context.items.by_origin, partial(self._write_items, context_id))

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

    def context(self, target: TargetInfo) -> ContextRecord | None:
        """Return the context of a target; the browser's profile also has an id."""
        if found := self._owners.get(target.browser_context_id or ""):
            return found[1]
        profile = self._registry.profile
        return profile if profile in self._ids else None

    async def owner(self, page: TargetInfo) -> ContextOwner | None:
        """Return session and context of a page that was not requested; None if it has no session.

        Raises `TabNotFound` if the page was opened by a tab that is closed.
        """
        context = self.context(page)
        if isinstance(context, ProfileRecord):
            session = await self._session_in_profile(context, page)
            return (session, context) if session else None
        return self._owners.get(page.browser_context_id or "")

    async def _session_in_profile(
        self, profile: ProfileRecord, page: TargetInfo
    ) -> SessionRecord | None:
        """Return the session of the page's opener; without an opener, the only session with tabs.

        If several have tabs, it is the session of the tab that requested a page, if any.
        """
        if opener := self._registry.by_target(page.opener_id or ""):
            return opener.session
        if page.opener_id and page.opener_id not in self._foreign:
            raise TabNotFound("The tab that opened the page was closed.")
        if not page.opener_id:
            tabs = self._registry.tabs_in(profile)
            is_one_session = len({tab.session.id for tab in tabs}) == 1
            requester = tabs[0] if is_one_session else await profile.requester()
            if requester:
                return requester.session
        self._foreign.add(page.target_id)
        return None

    def reserve(
        self,
        session: SessionRecord,
        name: str,
        state: InitialState | None = None,
        only: HostList | None = None,
    ) -> ContextRecord:
        """Return the context in which a tab is to be opened.

        With ``state`` or ``only``, the context is new. If a new context exceeds the limit, the
        oldest named contexts without tabs are removed from the session. Raises `SessionProblem` if
        all of them have tabs, or if the context that is to be new has tabs.
        """
        if state is not None or only is not None:
            self._remove(session, name, "with a login" if state is not None else "with only_hosts")
        if name not in {DEFAULT, *session.contexts}:
            self._remove_idle(session)
            self._new.add(session.context(name))
        context = session.context(name)
        if state is not None:
            context.begin_with(state)
        if only is not None:
            context.only = only
        return context

    def _remove(self, session: SessionRecord, name: str, beginning: str) -> None:
        """Remove the context with that name, whose place a new one takes."""
        context = session.contexts.get(name)
        is_profile = name == DEFAULT and self._registry.profile is not None
        if is_profile or session.is_owner_profile(name):
            raise SessionProblem(
                f"The browser's own profile cannot begin {beginning}.", "Pass a name for context."
            )
        if context is None:
            return
        if session.has_tabs_in(context):
            shown = f"Context {name!r}" if name else "The session's context"
            raise SessionProblem(
                f"{shown} has tabs already, so it cannot begin {beginning}.",
                "Pass a new name for context. A login can also be loaded into the context, with "
                "storage{action: load, name}.",
            )
        self._drop(session, context)

    def release(self, tab: TabRecord) -> None:
        """End the reservation for a tab; a new context without tabs is removed."""
        session, context = tab.session, tab.context
        session.opening.pop(tab.id, None)
        if tab.id in session.tabs:
            self._new.discard(context)
        elif context in self._new and not session.has_tabs_in(context):
            self._drop(session, context)

    async def dispose(self, session: SessionRecord) -> None:
        """Close a session's contexts, but not the browser's own profile."""
        own = (each for each in session.contexts.values() if each is not self._registry.profile)
        for context in tuple(own):
            async with self._locks[context]:  # it may be opening
                await self._close(context)
            self._locks.pop(context, None)

    def _remove_idle(self, session: SessionRecord) -> None:
        """Remove as many idle contexts from the session as a new context needs."""
        named = [context for context in session.contexts.values() if context.name != DEFAULT]
        idle = [one for one in named if not session.has_tabs_in(one)]
        excess = max(len(named) + 1 - MOST_CONTEXTS, 0)
        if len(idle) < excess:
            raise SessionProblem(
                f"{session.id} has {MOST_CONTEXTS} named contexts with tabs in them.",
                "Close the tabs of one context, or open this tab in an existing context.",
            )
        for context in idle[:excess]:
            self._drop(session, context)

    def _drop(self, session: SessionRecord, context: ContextRecord) -> None:
        """Remove a context without tabs from its session, and dispose it soon."""
        del session.contexts[context.name]
        self._new.discard(context)
        self._locks.pop(context, None)
        self._nursery.start_soon(self._close, context)

    async def _close(self, context: ContextRecord) -> None:
        """Dispose a context without waiting for the reply."""
        context_id = self._forget(context)
        if context_id is not None:
            with trio.CancelScope(shield=True):
                await self._root.begin(DisposeBrowserContext(browser_context_id=context_id))

    def _forget(self, context: ContextRecord) -> str | None:
        if context not in self._ids:
            return None
        context_id = self._ids.pop(context)
        if context.route is not None:
            context.route.close()
            context.route = None
        self._owners.pop(context_id or "", None)
        return context_id


def _proxy_settings(route: Route, *, is_contained: bool) -> dict[str, str]:
    """Return the settings of a context that lead to a proxy of this machine."""
    host = EGRESS_HOST if is_contained else "127.0.0.1"
    return {"proxy_server": f"socks5://{host}:{route.port}", "proxy_bypass_list": "<-loopback>"}
