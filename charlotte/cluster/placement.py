"""Placement of sessions: on live hosts with free slots, spread over the nodes."""

from collections import Counter
from collections.abc import Collection, Sequence

import attrs

from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import Opened, Place
from charlotte.errors import SessionProblem

_RETRY = 10
"""Seconds after which a call may be repeated: a host starts in less."""


@attrs.frozen
class Placed:
    """A session on a host: ``place`` is where it is, although the link may have lost that host.

    ``state`` is its packed state, if the host has one.
    """

    link: HostLink
    place: Place
    opened: Opened
    state: bytes | None = attrs.field(default=None, repr=False)


def choose_host(
    links: Sequence[HostLink], drained: Collection[str] = (), lost: Place | None = None
) -> HostLink | None:
    """Return the host for the next session: the emptiest one of the emptiest node, if any.

    A session whose place was ``lost`` may still run there: that host is preferred if it is back.
    """
    usable = [link for link in links if is_usable(link, drained)]
    if back := next((link for link in usable if link.place == lost), None):
        return back
    on_node = Counter[str]()
    for link in links:
        on_node[link.node] += link.sessions
    return min(
        (link for link in usable if link.free),
        key=lambda link: (on_node[link.node], link.sessions, link.name),
        default=None,
    )


def is_usable(link: HostLink, drained: Collection[str] = ()) -> bool:
    """Return whether sessions can be placed on a host, slots permitting."""
    return link.is_live and link.node not in drained


def find_outage(
    links: Sequence[HostLink], drained: Collection[str], *, was_live: bool, host_cpus: int
) -> SessionProblem | None:
    """Return the error for calls that need a new session, while no host takes one.

    ``was_live``: a host was live before. A host needs ``host_cpus`` CPUs.
    """
    live = [link for link in links if link.is_live]
    usable = [link for link in live if is_usable(link, drained)]
    if any(not link.has_other_settings for link in usable):
        return None
    if usable:
        other = {name for link in usable if link.hello for name in link.hello.other_settings}
        problem = (
            f"Each live browser host has other settings ({', '.join(sorted(other))}) than this "
            "server, so it gets no new sessions. It is replaced once no server with its settings "
            "is left."
        )
        advice = "Stop the servers that have other settings."
    elif live:
        problem = "Each live browser host is on a node that is drained, so it gets no new sessions."
        advice = "Add a node, or run `charlotte drain NODE --undo`."
    else:
        since = "any more" if was_live else "yet"
        problem = (
            f"No browser host is live {since}: the cluster has {len(links)} hosts, and none "
            "answers."
        )
        advice = (
            f"`ray status` shows whether nodes are alive, and whether {host_cpus} CPUs and a "
            "`browser` are free for each host."
        )
    return SessionProblem(problem, f"Retry in {_RETRY} s. {advice}", {"retry_after_s": _RETRY})
