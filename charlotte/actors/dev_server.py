"""The watcher: an actor that serves directories, and reloads the tabs that show what has changed.

It knows no browser, only the tabs on record, so it lives on when the browser is started again.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from socket import socket

import attrs
import structlog
import trio

from charlotte.actors.state.dev_sites import Edit, SiteRecord
from charlotte.actors.state.records import Registry, SessionRecord, TabRecord
from charlotte.clock import now
from charlotte.dev.changes import follow_changes
from charlotte.dev.port import bind, port_of
from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.page import HandleJavaScriptDialog, Reload
from charlotte.protocol.runtime import TerminateExecution

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class _Run:
    """The server and the watch of one site."""

    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    ended: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class Sites:
    """One incarnation: what runs for each of the sites on record."""

    _nursery: trio.Nursery
    _runs: dict[SiteRecord, _Run] = attrs.field(factory=dict[SiteRecord, _Run])

    async def serve(self, session: SessionRecord, site: SiteRecord) -> None:
        """Serve a directory, instead of what the session had of it; raises `SessionProblem`."""
        if before := session.sites.pop(site.root, None):
            await self._end(before)
            site.port = site.port or before.port
        await self.start(session, site)
        session.sites[site.root] = site

    async def start(self, session: SessionRecord, site: SiteRecord) -> None:
        """Have a site's server run, and what watches its files."""
        session.check_open()
        listener = _bound(site.port)
        site.port = port_of(listener)
        self._runs[site] = run = _Run()
        self._nursery.start_soon(self._keep, session, site, listener, run)

    async def stop(self, session: SessionRecord, *sites: SiteRecord) -> None:
        """End some of a session's sites."""
        for site in sites:
            session.sites.pop(site.root, None)
            await self._end(site)

    async def _end(self, site: SiteRecord) -> None:
        if run := self._runs.pop(site, None):
            run.scope.cancel("stopped")
            await run.ended.wait()

    async def _keep(
        self, session: SessionRecord, site: SiteRecord, listener: socket, run: _Run
    ) -> None:
        """Serve a site and watch its files, until it is stopped or its session closes."""
        with run.scope, listener:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_serve, listener, site.root)
                nursery.start_soon(_end_with, session, run.scope)
                if site.watch:
                    await _watch(session, site)
        self._runs.pop(site, None)
        run.ended.set()


async def _end_with(session: SessionRecord, scope: trio.CancelScope) -> None:
    await session.closing.wait()
    scope.cancel("its session closes")


async def _serve(listener: socket, root: Path) -> None:
    """Serve a directory; the web server is only loaded when it is first wanted."""
    await import_module("charlotte.dev.serving").serve(listener, root)


def _bound(port: int) -> socket:
    try:
        return bind(port)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise SessionProblem(
            f"Port {port} of 127.0.0.1 cannot be taken: {reason}.",
            "Leave port out to get one that is free, or end what uses it.",
        ) from error


async def _watch(session: SessionRecord, site: SiteRecord) -> None:
    """Reload the tabs that show the site whenever its files change."""

    async def tell(files: tuple[str, ...]) -> None:
        for tab in [tab for tab in session.tabs.values() if site.shows(tab.url)]:
            await _renew(tab, files)

    try:
        await follow_changes(site.root, tell, poll=site.poll)
    except OSError as error:
        log.warning("files are watched no more", root=str(site.root), reason=str(error))


async def _renew(tab: TabRecord, files: tuple[str, ...]) -> None:
    """Reload a tab at once, whatever it waits for: that may be just what has changed.

    It is only told to. What becomes of it, the tab's own session hears.
    """
    tab.edits.append(Edit(files, now()))
    if tab.control is None:  # being restored, which loads it anew
        return
    try:
        if tab.hung:
            await tab.control.begin(TerminateExecution())
        if tab.dialog:  # of the page as it was; not every browser has it go with that
            await tab.control.begin(HandleJavaScriptDialog(accept=False))
        await tab.control.begin(Reload())
    except (ProtocolError, ConnectionLost) as error:
        log.debug("tab was not reloaded", tab=tab.id, error=str(error))


@asynccontextmanager
async def open_sites(registry: Registry) -> AsyncGenerator[Sites]:
    """Serve what is on record, and what else is asked for, until the block ends."""
    async with trio.open_nursery() as nursery:
        sites = Sites(nursery)
        for session in registry.sessions.values():
            for site in list(session.sites.values()):
                try:
                    await sites.start(session, site)
                except SessionProblem as problem:
                    log.warning("a site is served no more", url=site.url, reason=problem.message)
                    del session.sites[site.root]
        yield sites
        nursery.cancel_scope.cancel("sites closed")
