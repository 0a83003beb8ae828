"""Sessions that shells, MCP clients and programs share, by name."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import NoReturn

import attrs
import structlog
import trio

from charlotte.actors.state.news import Client, acting_as
from charlotte.api.app import Charlotte
from charlotte.api.session import Session
from charlotte.api.session_files import SessionFiles
from charlotte.base.errors import CharlotteError
from charlotte.config.config import Config

_MOST_CLIENTS = 256
"""Clients that are remembered; the others begin again with their next call."""
_DELAY = 0.6
"""Seconds after a call or an event until cookies and localStorage are copied and written."""

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class SharedSession:
    """A session that is open; ``scope`` ends it, after a time without a call.

    ``changed`` is set when the session may have to be written.
    """

    name: str
    session: Session
    scope: trio.CancelScope
    users: int = 0
    last_used: float = attrs.field(factory=trio.current_time)
    changed: trio.Event = attrs.field(factory=trio.Event)
    saving: trio.Lock = attrs.field(factory=trio.Lock)
    closed: trio.Event = attrs.field(factory=trio.Event)
    _saved_tabs: object = None

    def take_changed_tabs(self) -> bool:
        """Return whether tabs, addresses or allowed hosts have changed since the last call."""
        record = self.session.record
        tabs = tuple((tab.id, tab.address) for tab in record.tabs.values())
        limits = tuple((name, context.only) for name, context in record.contexts.items())
        before, self._saved_tabs = (
            self._saved_tabs,
            (tabs, record.active, record.settings.guard.only, limits),
        )
        return before != self._saved_tabs


@attrs.define(eq=False)
class SharedSessions:
    """The sessions of the background server, which are opened on first use."""

    _charlotte: Charlotte
    _config: Config
    saved: SessionFiles
    _nursery: trio.Nursery
    shared: dict[str, SharedSession] = attrs.field(factory=dict[str, SharedSession])
    _opening: dict[str, trio.Lock] = attrs.field(factory=dict[str, trio.Lock])
    _clients: dict[tuple[str, str], Client] = attrs.field(factory=dict[tuple[str, str], Client])

    def __attrs_post_init__(self) -> None:
        self._charlotte.skip_numbers(*self.saved.last_numbers)

    def client(self, name: str, identity: str) -> Client:
        """Return the client of a session with an identity, a new one if it is unknown."""
        key = name, identity
        self._clients[key] = client = self._clients.pop(key, None) or Client(identity)
        while len(self._clients) > _MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]
        return client

    @asynccontextmanager
    async def use(self, name: str, identity: str, cwd: Path) -> AsyncGenerator[SharedSession]:
        """Hold a session open for a client, which may use the files in its working directory."""
        async with self._opening.setdefault(name, trio.Lock()):
            if name not in self.shared:
                error = await self._nursery.start(self._keep, name)
                if error is not None:
                    raise error
            shared = self.shared[name]
            shared.users += 1
            shared.scope.deadline = inf
        try:
            with acting_as(self.client(name, identity)):
                if not self._config.root:
                    shared.session.use_roots([cwd])
                yield shared
        finally:
            shared.users -= 1
            shared.last_used = trio.current_time()
            if not shared.users:
                shared.scope.deadline = shared.last_used + self._config.idle
            shared.changed.set()
            if shared.take_changed_tabs():
                with trio.move_on_after(2.0, shield=True):
                    await self._save(shared)

    async def _keep(
        self, name: str, *, task_status: trio.TaskStatus[CharlotteError | None]
    ) -> None:
        """Keep a session open until it is ended or idle; reports why it cannot be opened."""
        shared: SharedSession | None = None
        try:
            async with self._charlotte.open_session(saved=self.saved.lost.get(name)) as session:
                self.saved.lost.pop(name, None)
                scope = trio.CancelScope(deadline=trio.current_time() + self._config.idle)
                self.shared[name] = shared = SharedSession(name, session, scope)
                task_status.started(None)
                await self._serve(shared)
        except CharlotteError as error:
            if shared is not None:
                raise
            task_status.started(error)
        finally:
            if shared is not None:
                shared.closed.set()

    async def _serve(self, shared: SharedSession) -> None:
        """Write a session after changes, until it ends."""
        with shared.scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._save_changes, shared)
                async for _ in shared.session.events():
                    shared.changed.set()
        async with shared.saving:
            del self.shared[shared.name]
            self.saved.remove(shared.name)

    async def _save_changes(self, shared: SharedSession) -> NoReturn:
        while True:
            await shared.changed.wait()
            shared.changed = trio.Event()
            await trio.sleep(_DELAY)
            await self._save(shared)

    async def _save(self, shared: SharedSession) -> None:
        """Write a session that is open; a thread compresses what it knows of ids."""

        def save() -> None:
            self.saved.save(shared.name, self._charlotte.save(shared.session))

        async with shared.saving:
            if self.shared.get(shared.name) is not shared:
                return
            try:
                await trio.to_thread.run_sync(save)
            except RuntimeError:  # a record has changed meanwhile
                save()
            except CharlotteError as error:
                log.warning("a session could not be saved", session=shared.name, error=str(error))

    async def end(self, name: str) -> bool:
        """End a session, also one of a lost server; return whether there was one."""
        if shared := self.shared.get(name):
            shared.scope.cancel("ended by a client")
            await shared.closed.wait()
            return True
        was_lost = name in self.saved.lost
        self.saved.remove(name)
        return was_lost
