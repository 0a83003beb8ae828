"""The messages between gateways, hosts and the directory."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import attrs
import outcome

from charlotte.actors.kernel.mailbox import Event
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.engine import SessionKey
from charlotte.errors import SessionProblem
from charlotte.tools.answer import Changed
from charlotte.tools.schema.tool import ListedTool

NAMESPACE = "charlotte"
"""The namespace of the actors in Ray."""

GATEWAYS = "gateways"
"""The group of the actors that all gateways of a cluster share."""


def directory_name(group: str) -> str:
    """Return the name of the directory's actor."""
    return f"{group}-directory"


def host_name(group: str, number: int | Literal[""]) -> str:
    """Return the name of a host's actor, or the beginning of all of them."""
    return f"{group}-host-{number}"


@attrs.frozen(kw_only=True)
class HostSettings:
    """The settings of a host: ``config`` by name; ``slots`` is its number of sessions."""

    name: str
    group: str
    config: Mapping[str, Any] = attrs.field(repr=False)
    slots: int

    def digests(self) -> Mapping[str, str]:
        """Return a digest of each setting, for comparison."""
        return {
            name: hashlib.sha256(repr(value).encode()).hexdigest()[:16]
            for name, value in self.config.items()
        }

    def other_settings(self, digests: Mapping[str, str]) -> Sequence[str]:
        """Return the names of the settings that differ from those with these digests."""
        mine = self.digests()
        return sorted(name for name in mine.keys() | digests if mine.get(name) != digests.get(name))


@attrs.frozen
class DirectAddress:
    """A WebSocket of a host: see `charlotte.cluster.direct_calls`."""

    url: str
    token: str = attrs.field(repr=False)


@attrs.frozen(kw_only=True)
class Hello:
    """A host's introduction: ``incarnation`` changes whenever Ray restarts the host.

    ``other_settings`` are the names of those settings that are not those of the gateway. An idle
    host serves no other gateway with its settings, and no session; it may have saved sessions
    without a gateway.
    ``direct`` is None if only Ray carries its calls.
    """

    incarnation: str
    node: str
    slots: int
    other_settings: Sequence[str] = ()
    is_idle: bool = False
    direct: DirectAddress | None = None


@attrs.frozen(kw_only=True)
class Opening:
    """A session to open: in a directory of its own if it ``is_private``.

    ``state`` is the packed session that it continues, if any; ``last_tab`` and ``last_snapshot``
    are the last numbers that the gateway knows. If its former place is ``lost``, its client may
    know later ones, which it has got by another gateway; a session that still runs there goes on.
    """

    key: SessionKey
    is_private: bool = True
    state: bytes | None = attrs.field(default=None, repr=False)
    last_tab: int = 0
    last_snapshot: int = 0
    lost: "Place | None" = None


@attrs.frozen(kw_only=True)
class Opened:
    """A session on a host; ``listed`` are its tools, of that ``version``.

    ``local_id`` is the session's id in the status of the host.
    """

    local_id: str
    listed: Sequence[ListedTool]
    version: int
    max_chars: int


@attrs.frozen(kw_only=True)
class Request:
    """A call: its ``number`` at the gateway, and those whose answers were ``delivered`` since.

    ``version`` is that of the tool list that the gateway knows. A program gets values.
    ``tab_budget`` is the limit of open tabs at the time of the call.
    """

    session: str = attrs.field(repr=False)
    tool: str
    arguments: Mapping[str, Any] = attrs.field(repr=False)
    number: int
    delivered: Sequence[int] = ()
    version: int = 0
    has_progress: bool = False
    is_program: bool = False
    tab_budget: TabBudget | None = None


@attrs.frozen(kw_only=True)
class Reply:
    """The outcome of a call, and the tool list if the gateway does not know it.

    ``reports`` counts the notices of the call's progress, which may arrive later.
    """

    result: outcome.Outcome[Any]
    reports: int = 0
    last_tab: int
    last_snapshot: int
    version: int
    tabs: int
    listed: Sequence[ListedTool] | None = None


class NotHere(SessionProblem):
    """The session of a request is not on this host any more; nothing was done."""


@attrs.frozen
class ProgressMade:
    """Progress of a call of the gateway: the arguments of `charlotte.progress.Report`."""

    number: int
    report: tuple[float, int | None, str | None]


@attrs.frozen
class ListChanged:
    """A list of a session changed."""

    session: str = attrs.field(repr=False)
    changed: Changed
    version: int
    listed: Sequence[ListedTool]


@attrs.frozen
class EventSeen:
    """An event of a session, or of the host if ``session`` is None."""

    session: str | None = attrs.field(repr=False)
    event: Event


@attrs.frozen
class StateSaved:
    """The new packed state of a session."""

    session: str = attrs.field(repr=False)
    state: bytes = attrs.field(repr=False)


@attrs.frozen
class DeliveriesWanted:
    """A request: which answers of a session has the gateway sent to the client?

    Another gateway serves the session now, and its answers must not repeat what those contained.
    """

    session: str = attrs.field(repr=False)


@attrs.frozen
class SessionEnded:
    """The client of a session has closed it, by any of its gateways."""

    session: str = attrs.field(repr=False)


Notice = ProgressMade | ListChanged | EventSeen | StateSaved | DeliveriesWanted | SessionEnded


@attrs.frozen(kw_only=True)
class News:
    """The answer to a poll: the load of the host, and notices in their order.

    ``status`` is None if the last one is fresh. ``is_idle`` is that of `Hello`.
    """

    sessions: int
    tabs: int
    notices: Sequence[Notice]
    status: Mapping[str, Any] | None = None
    is_idle: bool = False


@attrs.frozen
class Place:
    """The incarnation of a host."""

    host: str
    incarnation: str


@attrs.frozen(kw_only=True)
class Entry:
    """A session in the directory."""

    key: SessionKey
    place: Place
    is_private: bool = True
    state: bytes | None = attrs.field(default=None, repr=False)


@attrs.frozen(kw_only=True)
class HostReport:
    """The sessions of a host for the directory: each key, and whether the session is private."""

    place: Place
    node: str
    sessions: Sequence[tuple[SessionKey, bool]] = attrs.field(repr=False)


@attrs.frozen(kw_only=True)
class DrainState:
    """The state of a node's drain: it ``is_known`` if no gateway places sessions there any more.

    ``hosts`` are the names of the hosts that have reported from the node in the last half minute.
    """

    is_undone: bool
    is_known: bool
    hosts: Collection[str]
