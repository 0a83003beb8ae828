"""The messages between a gateway and its hosts, as bytes: Ray pickles objects more slowly."""

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import outcome

from charlotte.actors.kernel.mailbox import Event
from charlotte.actors.state.session_settings import TabBudget
from charlotte.tools.schema.tool import ListedTool


def pack(value: object) -> bytes:
    """Return the form in which a value is sent."""
    return pickle.dumps(value)


def unpack(packed: bytes) -> Any:
    """Return what `pack` got."""
    return pickle.loads(packed)  # noqa: S301 - the actors of a cluster trust each other


@attrs.frozen(kw_only=True)
class Opening:
    """A session to open: in a directory of its own if it ``is_private``.

    ``state`` is the packed session that it continues, if any; ``last_tab`` and ``last_snapshot``
    are the last numbers that the gateway knows of its lost host.
    """

    name: str = attrs.field(repr=False)
    is_private: bool = True
    state: bytes | None = attrs.field(default=None, repr=False)
    last_tab: int = 0
    last_snapshot: int = 0


@attrs.frozen(kw_only=True)
class CallRequest:
    """A call: its ``number`` at the gateway, and those whose answers were ``delivered`` since.

    A program gets values. ``tab_budget`` is the limit of open tabs at the time of the call.
    """

    session: str = attrs.field(repr=False)
    tool: str
    arguments: Mapping[str, Any] = attrs.field(repr=False)
    number: int
    delivered: Sequence[int] = ()
    has_progress: bool = False
    is_program: bool = False
    wants_events: bool = False
    tab_budget: TabBudget | None = None


@attrs.frozen(kw_only=True)
class CallReply:
    """The outcome of a call, and the list of tools if it has changed since the last reply."""

    result: outcome.Outcome[Any]
    last_tab: int
    last_snapshot: int
    tabs: int
    listed: Sequence[ListedTool] | None = None


@attrs.frozen
class ProgressMade:
    """Progress of a call: the arguments of `charlotte.base.progress.Report`; none at the end."""

    number: int
    report: tuple[Any, ...]


@attrs.frozen
class Notice:
    """News of a session, or of the host without one: its packed state."""

    session: str | None = attrs.field(repr=False)
    news: Event | ProgressMade | bytes = attrs.field(repr=False)


@attrs.frozen
class HostNews:
    """The answer to a poll, with notices in their order."""

    node: str
    tabs: int
    notices: Sequence[Notice]
