"""Saved sessions: what a session needs to continue in a browser on another machine.

A saved session is a bounded copy of records: no browser is asked for it. The books of ids are
pickled as they are, so that no id of an element changes its meaning after the move.
"""

import pickle
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import structlog

from charlotte.actors.state.logs import FoundLists
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.actors.state.restore_policy import plan_restore
from charlotte.base.errors import ellipsize
from charlotte.browser.emulation import EmulationState
from charlotte.browser.world.site_storage import InitialState
from charlotte.guard.host_patterns import HostList

_MOST_BOOKS = 3_000_000
"""Bytes of the compressed books of all tabs together."""
_MOST_ITEMS = 2_000_000
"""Characters of localStorage of all contexts together."""
_SETTINGS = (
    "answers",
    "max_chars",
    "auto_snapshot",
    "snapshot_depth",
    "dialog_auto_dismiss",
    "action_detail",
    "require_tab_id",
    "clickable",
)
_LISTS = ("findings", "lines", "deltas", "views")

log = structlog.get_logger(__name__)


@attrs.frozen(kw_only=True)
class SavedTab:
    """A tab: ``books`` are those of its ids, ``requests`` its last number."""

    id: str
    url: str
    title: str
    context: str
    desired: EmulationState
    books: bytes
    notices: Sequence[str]
    requests: int


@attrs.frozen(kw_only=True)
class SavedSession:
    """A session: ``left_out`` names the parts that exceeded the limit; ``enabled`` are its tools.

    ``only`` are the hosts that the session may reach, ``limits`` those of contexts with fewer.
    """

    tabs: Sequence[SavedTab]
    active: str | None
    contexts: Mapping[str, InitialState] = attrs.field(repr=False)
    settings: Mapping[str, Any]
    enabled: frozenset[str]
    last_tab: int
    last_snapshot: int
    left_out: Sequence[str] = ()
    only: HostList | None = None
    limits: Mapping[str, HostList] = attrs.field(factory=dict[str, HostList])

    def pack(self) -> bytes:
        """Return the session as bytes."""
        return zlib.compress(pickle.dumps(self, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> SavedSession:
    """Return the session of `SavedSession.pack`; the bytes come from a host of this cluster."""
    saved: SavedSession = pickle.loads(zlib.decompress(packed))  # noqa: S301 - our own bytes
    return saved


def save_session(
    record: SessionRecord, enabled: frozenset[str], last_tab: int, last_snapshot: int
) -> SavedSession:
    """Return a copy of a session; raises `RuntimeError` if a record changes meanwhile."""
    left_out = list[str]()
    tabs, room = list[SavedTab](), _MOST_BOOKS
    for tab in tuple(record.tabs.values()):
        saved = _save_tab(tab)
        room -= len(saved.books)
        if room < 0:
            left_out.append(f"{tab.id} ({ellipsize(tab.url, 200)})")
        else:
            tabs.append(saved)
    return SavedSession(
        tabs=tabs,
        active=record.active if any(tab.id == record.active for tab in tabs) else None,
        contexts=_save_contexts(record, left_out),
        settings={name: getattr(record.settings, name) for name in _SETTINGS},
        enabled=enabled,
        last_tab=last_tab,
        last_snapshot=last_snapshot,
        left_out=left_out,
        only=record.settings.guard.only,
        limits={name: one.only for name, one in record.contexts.items() if one.only is not None},
    )


def _save_tab(tab: TabRecord) -> SavedTab:
    books = {
        "ids": attrs.evolve(tab.ids, memory=None),
        "dom": tab.dom,
        "refs": tab.news.everyone.refs,
    }
    lists = {name: FoundLists[Any](numbers=getattr(tab, name).numbers) for name in _LISTS}
    # Scripts and credentials follow from the configuration.
    desired = attrs.evolve(tab.desired, scripts=(), credentials=(), fills_storage=False)
    return SavedTab(
        id=tab.id,
        url=tab.address,
        title=tab.title,
        context=tab.context.name,
        desired=desired,
        books=zlib.compress(pickle.dumps(books | lists, pickle.HIGHEST_PROTOCOL), 1),
        notices=tab.notices,
        requests=tab.request_log.added,
    )


def _save_contexts(record: SessionRecord, left_out: list[str]) -> Mapping[str, InitialState]:
    room = _MOST_ITEMS
    contexts = dict[str, InitialState]()
    for context in tuple(record.contexts.values()):
        items = dict[str, list[tuple[str, str]]]()
        for origin, stored in reversed([*context.items.by_origin.items()]):  # the newest first
            size = sum(len(name) + len(value) for name, value in stored)
            if size > room:
                left_out.append(f"localStorage of {origin}")
            else:
                items[origin] = stored
                room -= size
        contexts[context.name] = InitialState(
            cookies=context.cookies.all(), items=dict(reversed(items.items())), login=context.login
        )
    return contexts


def restore_contexts(record: SessionRecord, saved: SavedSession) -> None:
    """Set settings and contexts of a new session, which has no tabs yet."""
    for name, value in saved.settings.items():
        setattr(record.settings, name, value)
    for name, state in saved.contexts.items():
        context = record.context(name)
        context.begin_with(state)
        context.only = saved.limits.get(name)
    if (only := saved.only) is not None:
        limit = record.settings.guard.only or only  # this server may allow less
        record.narrow(limit.within(*only.groups))


def restore_tabs(registry: Registry, record: SessionRecord, saved: SavedSession) -> list[TabRecord]:
    """Return records of the saved tabs, which `Browser.bring_back` opens."""
    tabs = [_restore_tab(registry, record, tab) for tab in saved.tabs]
    plan_restore([(tab.restore, tab.url) for tab in tabs])
    if tabs and saved.left_out:
        first = next((tab for tab in tabs if tab.id == saved.active), tabs[0])
        first.notify([f"The session was too large to restore: {'; '.join(saved.left_out)}."])
    return tabs


def _restore_tab(registry: Registry, record: SessionRecord, saved: SavedTab) -> TabRecord:
    tab = registry.tab_record(saved.id, record, record.context(saved.context))
    tab.url, tab.title, tab.restore.is_saved = saved.url, saved.title, True
    desired, kept = tab.desired, saved.desired
    tab.desired = attrs.evolve(
        desired, device=kept.device, conditions=kept.conditions, headers=kept.headers
    )
    books = pickle.loads(zlib.decompress(saved.books))  # noqa: S301 - our own bytes
    everyone, ids = tab.news.everyone, books.pop("ids")  # some client was shown what is in them
    everyone.shown, everyone.refs = ids.everyone, books.pop("refs")
    tab.ids = attrs.evolve(ids, memory=tab.ids.memory)
    for name, book in books.items():
        setattr(tab, name, book)
    tab.notify(saved.notices)
    tab.request_log.added = saved.requests
    return tab
