"""The sessions of the background server on disk, for the next server if this one is killed.

Tabs are written before an answer is sent, what sites have stored within a second after. A server
that ends by itself or is stopped removes both files.
"""

import json
import pickle
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import attrs
import structlog
import trio

from charlotte.actors.state.records import OWNER, SessionRecord
from charlotte.actors.state.saved_session import SavedSession, SavedTab
from charlotte.app import build_toolbox
from charlotte.browser.emulation import Device, EmulationState
from charlotte.browser.initial_state import InitialState
from charlotte.config import Config
from charlotte.errors import InvalidArgument
from charlotte.files import write
from charlotte.host_patterns import HostList
from charlotte.protocol.network import CookieParam
from charlotte.protocol.wire import wire

_TABS, _STORAGE = "tabs.json", "storage.json"
_DELAY = 0.5
"""Seconds in which further changes are written together."""

_NO_BOOKS = zlib.compress(pickle.dumps({}))

log = structlog.get_logger(__name__)

Body = dict[str, Any]


def tabs_of(session: SessionRecord) -> Body:
    """Return the tabs of a session that another browser can restore, as JSON.

    The hosts to which the session or its contexts have limited themselves are included.
    """
    tabs = [
        {"id": tab.id, "url": tab.address, "title": tab.title, "context": tab.context.name}
        for tab in session.tabs.values()
        if not tab.context.is_owner_profile
    ]
    only = session.settings.guard.only
    limits = {name: one.only for name, one in session.contexts.items() if one.only is not None}
    return {
        "tabs": tabs,
        "active": session.active,
        "only": only.as_json() if only is not None and only.is_narrowed else None,
        "limits": {name: limit.as_json() for name, limit in limits.items()},
    }


def contexts_of(session: SessionRecord) -> Body:
    """Return what sites have stored in the contexts of a session, as JSON.

    The values of a saved login stay in its encrypted store.
    """
    return {
        name: {"login": context.login}
        if context.login
        else {
            "cookies": wire.unstructure(context.cookies.all()),
            "items": dict(context.items.all()),
        }
        for name, context in session.contexts.items()
        if name != OWNER
    }


def read_context(body: Body) -> InitialState:
    """Return what sites have stored in a context."""
    items = {
        origin: [(name, value) for name, value in pairs]
        for origin, pairs in body.get("items", {}).items()
    }
    cookies = wire.structure(body.get("cookies", []), list[CookieParam])
    return InitialState(cookies=cookies, items=items, login=body.get("login"))


def remove_saved_state(directory: Path) -> None:
    """Remove the files, because the sessions have ended."""
    for name in (_TABS, _STORAGE):
        (directory / name).unlink(missing_ok=True)


@attrs.define(eq=False)
class SavedState:
    """The files, and the sessions of a lost server that no client has used since."""

    _directory: Path
    _sessions: Callable[[], Mapping[str, SessionRecord]]
    _last_tab: Callable[[], int]
    _config: Config = attrs.field(factory=Config)
    _lost_tabs: Body = attrs.field(factory=dict[str, Any], init=False)
    _lost_storage: Body = attrs.field(factory=dict[str, Any], init=False)
    last_tab: int = attrs.field(default=0, init=False)
    _written: str = attrs.field(default="", init=False)
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)

    def __attrs_post_init__(self) -> None:
        tabs = self._read(_TABS)
        self._lost_tabs, self._lost_storage = tabs.get("sessions", {}), self._read(_STORAGE)
        self.last_tab = int(tabs.get("last_tab", 0))

    def _read(self, name: str) -> Body:
        try:
            body: Body = json.loads((self._directory / name).read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            log.warning("saved sessions could not be read", file=name, error=str(error))
            return {}
        return body

    def find(self, name: str) -> SavedSession | None:
        """Return the session of a lost server with that name."""
        try:
            if name in self._lost_tabs:
                return self._read_session(name)
        except (AttributeError, InvalidArgument, LookupError, TypeError, ValueError) as error:
            log.warning("a saved session could not be read", session=name, error=str(error))
        return None

    def _read_session(self, name: str) -> SavedSession:
        tabs, contexts = self._lost_tabs[name], self._lost_storage.get(name, {})
        only, limits = tabs.get("only"), tabs.get("limits", {})
        width, height = self._config.viewport_size()
        desired = EmulationState(device=Device(width=width, height=height))
        return SavedSession(
            tabs=[
                SavedTab(
                    **{key: str(tab[key]) for key in ("id", "url", "title", "context")},
                    desired=desired,
                    books=_NO_BOOKS,
                    notices=(),
                    requests=0,
                    messages=0,
                )
                for tab in tabs["tabs"]
            ],
            active=tabs["active"],
            contexts={key: read_context(contexts.get(key, {})) for key in contexts | limits},
            settings={},
            enabled=build_toolbox(self._config).enabled,
            last_tab=self.last_tab,
            last_snapshot=0,
            only=HostList.read(*only) if only else None,
            limits={key: HostList.read(*limit) for key, limit in limits.items()},
        )

    def forget(self, name: str) -> None:
        """Leave a session of a lost server out, because it is open again or was ended."""
        self._lost_tabs.pop(name, None)
        self._lost_storage.pop(name, None)

    def lost(self) -> list[str]:
        """Return the names of the sessions of a lost server that no client has used since."""
        return [*self._lost_tabs]

    def save_tabs(self) -> None:
        """Write the tabs of all sessions, if they have changed; what sites store follows."""
        tabs = {name: tabs_of(record) for name, record in self._sessions().items()}
        text = json.dumps({"last_tab": self._last_tab(), "sessions": self._lost_tabs | tabs})
        if text != self._written:
            self._write(_TABS, text)
            self._written = text
        self._changed.set()

    async def save_storage(self) -> NoReturn:
        """Write what sites have stored, shortly after each change."""
        written = ""
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            await trio.sleep(_DELAY)
            stored = {name: contexts_of(record) for name, record in self._sessions().items()}
            text = await trio.to_thread.run_sync(json.dumps, self._lost_storage | stored)
            if text != written:
                await trio.to_thread.run_sync(self._write, _STORAGE, text)
                written = text

    def _write(self, name: str, text: str) -> None:
        write(self._directory / name, text.encode())
