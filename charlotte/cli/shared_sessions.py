"""Sessions that shells, MCP connections and programs share, by name."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import trio

from charlotte.actors.state.baselines import Client, acting_as
from charlotte.actors.state.records import SessionRecord
from charlotte.app import Charlotte
from charlotte.cli.saved_state import SavedState
from charlotte.config import Config
from charlotte.errors import CharlotteError
from charlotte.session import Session

_MOST_CLIENTS = 256
"""Clients whose baselines are kept; the others begin again with their next call."""


@attrs.define(eq=False)
class SharedSession:
    """A session that is open; it ends after ``idle`` seconds without a call, or with ``ended``."""

    name: str
    session: Session
    users: int = 0
    last_used: float = attrs.field(factory=trio.current_time)
    ended: trio.Event = attrs.field(factory=trio.Event)
    closed: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class SharedSessions:
    """The sessions of the background server, which are opened on first use."""

    _charlotte: Charlotte
    _config: Config
    _directory: Path
    _nursery: trio.Nursery
    shared: dict[str, SharedSession] = attrs.field(factory=dict[str, SharedSession])
    state: SavedState = attrs.field(init=False)
    _opening: dict[str, trio.Lock] = attrs.field(factory=dict[str, trio.Lock])
    _clients: dict[tuple[str, str], Client] = attrs.field(factory=dict[tuple[str, str], Client])

    def __attrs_post_init__(self) -> None:
        charlotte = self._charlotte
        self.state = SavedState(
            self._directory, self._records, lambda: charlotte.last_tab, self._config
        )
        charlotte.skip_numbers(self.state.last_tab, 0)

    def _records(self) -> Mapping[str, SessionRecord]:
        return {name: one.session.record for name, one in self.shared.items()}

    def client(self, name: str, identity: str) -> Client:
        """Return the client of a session with an identity, a new one if it is unknown."""
        key = name, identity
        self._clients[key] = client = self._clients.pop(key, None) or Client(identity)
        while len(self._clients) > _MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]
        return client

    @asynccontextmanager
    async def use(self, name: str, client: Client, cwd: Path) -> AsyncGenerator[SharedSession]:
        """Hold a session open for a client, which may use the files in its working directory."""
        async with self._opening.setdefault(name, trio.Lock()):
            if name not in self.shared:
                error = await self._nursery.start(self._keep, name)
                if error is not None:
                    raise error
            shared = self.shared[name]
            shared.users += 1
        try:
            with acting_as(client):
                if not self._config.root:
                    shared.session.use_roots([cwd])
                yield shared
        finally:
            shared.users -= 1
            shared.last_used = trio.current_time()
            self.state.save_tabs()

    async def _keep(
        self, name: str, *, task_status: trio.TaskStatus[CharlotteError | None]
    ) -> None:
        """Keep a session open until it is ended or idle; reports why it cannot be opened."""
        saved = self.state.find(name)
        shared: SharedSession | None = None
        try:
            async with self._charlotte.open_session(saved=saved) as session:
                self.state.forget(name)
                shared = SharedSession(name, session)
                self.shared[name] = shared
                task_status.started(None)
                await self._wait_until_idle(shared)
                del self.shared[name]
                self.state.save_tabs()
        except CharlotteError as error:
            if shared is not None:
                raise
            task_status.started(error)
        finally:
            if shared is not None:
                shared.closed.set()

    async def _wait_until_idle(self, shared: SharedSession) -> None:
        idle = self._config.idle
        while shared.users or trio.current_time() < shared.last_used + idle:
            wait = idle if shared.users else shared.last_used + idle - trio.current_time()
            with trio.move_on_after(wait):
                await shared.ended.wait()
                return

    async def end(self, name: str) -> bool:
        """End a session, also one of a lost server; return whether there was one."""
        if name in self.shared:
            shared = self.shared[name]
            shared.ended.set()
            await shared.closed.wait()
            return True
        was_lost = name in self.state.lost()
        self.state.forget(name)
        self.state.save_tabs()
        return was_lost
