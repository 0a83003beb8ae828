"""The messages between a gateway and its hosts."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import outcome

from charlotte.actors.kernel.mailbox import Event
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.tools.schema.tool import ListedTool


@attrs.frozen(kw_only=True)
class Opening:
    """A session to open: in a directory of its own if it ``is_private``.

    ``state`` is the packed session that it continues, if any; ``last_tab`` and ``last_snapshot``
    are the last numbers that the gateway knows. If its former host ``is_lost``, that host may have
    used later ones.
    """

    name: str = attrs.field(repr=False)
    is_private: bool = True
    state: bytes | None = attrs.field(default=None, repr=False)
    last_tab: int = 0
    last_snapshot: int = 0
    is_lost: bool = False


@attrs.frozen(kw_only=True)
class Opened:
    """A session on a host; ``listed`` are its tools, of that ``version``.

    ``local_id`` is the session's id in the status of the host.
    """

    local_id: str
    listed: Sequence[ListedTool]
    version: int


@attrs.frozen(kw_only=True)
class CallRequest:
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
    wants_events: bool = False
    tab_budget: TabBudget | None = None


@attrs.frozen(kw_only=True)
class CallReply:
    """The outcome of a call, and the tool list if the gateway does not know it."""

    result: outcome.Outcome[Any]
    last_tab: int
    last_snapshot: int
    version: int
    tabs: int
    listed: Sequence[ListedTool] | None = None


@attrs.frozen
class ProgressMade:
    """Progress of a call: the arguments of `base.progress.Report`; None after the last one."""

    number: int
    report: tuple[float, int | None, str | None] | None


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


Notice = ProgressMade | EventSeen | StateSaved


@attrs.frozen(kw_only=True)
class HostNews:
    """The answer to a poll: notices in their order; ``status`` is None if the last one is fresh."""

    node: str
    tabs: int
    notices: Sequence[Notice]
    status: Mapping[str, Any] | None = None
