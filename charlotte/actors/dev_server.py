"""The development server: an actor that serves directories and reloads tabs when files change.

It works on tab records, not on the browser, so it survives restarts of the browser.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from socket import create_server, socket

import attrs
import structlog
import trio

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.actors.state.sites import Edit, SiteRecord
from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.base.log import now
from charlotte.dev.changes import follow_changes
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.page import HandleJavaScriptDialog, Reload
from charlotte.protocol.runtime import TerminateExecution

log = structlog.get_logger(__name__)


def bind(port: int = 0) -> socket:
    """Listen on a port of this machine, 0 for any free one; raises ``OSError`` if it is in use."""
    return create_server(("127.0.0.1", port))


def port_of(listener: socket) -> int:
    """Return the port of a listener."""
    port: int = listener.getsockname()[1]
    return port


@attrs.define(eq=False)
class _Run:
    """The running server and watcher of one site."""

    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    ended: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class Sites:
    """State of the development server: the runs of all sites."""

    _nursery: trio.Nursery
    _runs: dict[SiteRecord, _Run] = attrs.field(factory=dict[SiteRecord, _Run])

    async def serve(self, session: SessionRecord, site: SiteRecord) -> None:
        """Serve a directory and replace the session's earlier site of that directory.

        Raises `SessionProblem` if the port is in use.
        """
        if before := session.sites.pop(site.root, None):
            await self._end(before)
            site.port = site.port or before.port
        await self.start(session, site)
        session.sites[site.root] = site

    async def start(self, session: SessionRecord, site: SiteRecord) -> None:
        """Start the server and the watcher of a site."""
        session.check_open()
        try:
            listener = bind(site.port)
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise SessionProblem(
                f"Port {site.port} of 127.0.0.1 cannot be taken: {reason}.",
                "Omit port to get a free port, or end the program that uses it.",
            ) from error
        site.port = port_of(listener)
        self._runs[site] = run = _Run()
        self._nursery.start_soon(self._run, session, site, listener, run)

    async def stop(self, session: SessionRecord, *sites: SiteRecord) -> None:
        """Stop some of a session's sites."""
        for site in sites:
            session.sites.pop(site.root, None)
            await self._end(site)

    async def _end(self, site: SiteRecord) -> None:
        if run := self._runs.pop(site, None):
            run.scope.cancel("stopped")
            await run.ended.wait()

    async def _run(
        self, session: SessionRecord, site: SiteRecord, listener: socket, run: _Run
    ) -> None:
        """Serve a site and watch its files, until it is stopped or its session closes."""
        with run.scope, listener:
            async with trio.open_nursery() as nursery:
                # The web server is imported only when a site is served.
                serving = import_module("charlotte.dev.file_server")
                nursery.start_soon(serving.serve, listener, site.root)
                if site.watch:
                    nursery.start_soon(_watch, session, site)
                await session.closing.wait()
                run.scope.cancel("the session closes")
        self._runs.pop(site, None)
        run.ended.set()


async def _watch(session: SessionRecord, site: SiteRecord) -> None:
    """Reload the tabs that show the site whenever its files change."""

    async def reload_tabs(files: tuple[str, ...]) -> None:
        for tab in [tab for tab in session.tabs.values() if site.shows(tab.url)]:
            await _reload(tab, files)

    try:
        await follow_changes(site.root, reload_tabs, poll=site.poll)
    except OSError as error:
        log.warning("files are watched no more", root=str(site.root), reason=str(error))


async def _reload(tab: TabRecord, files: tuple[str, ...]) -> None:
    """Reload a tab, even if its page is blocked, because the change may unblock it.

    No reply is awaited; the tab's own session follows the navigation.
    """
    tab.news.add(Edit(files, now()))
    if tab.control is None or tab.takeover is not None:  # a restore loads the page again
        return
    try:
        if tab.hung:
            await tab.control.begin(TerminateExecution())
        if tab.dialog:  # not every browser closes the dialog when the page reloads
            await tab.control.begin(HandleJavaScriptDialog(accept=False))
        await tab.control.begin(Reload())
    except (ProtocolError, ConnectionLost) as error:
        log.debug("tab was not reloaded", tab=tab.id, error=str(error))


@asynccontextmanager
async def open_sites(registry: Registry) -> AsyncGenerator[Sites]:
    """Serve the recorded sites and further sites until the block ends."""
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
