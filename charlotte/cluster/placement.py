"""Placement of sessions: on live hosts with free slots, spread over the nodes."""

from collections import Counter
from collections.abc import Collection, Sequence

from charlotte.cluster.host_link import HostLink


def choose_host(links: Sequence[HostLink], drained: Collection[str] = ()) -> HostLink | None:
    """Return the host for the next session: the emptiest one of the emptiest node, if any."""
    on_node = Counter[str]()
    for link in links:
        on_node[link.node] += link.sessions
    usable = [link for link in links if is_usable(link, drained) and link.free]
    return min(
        usable, key=lambda link: (on_node[link.node], link.sessions, link.name), default=None
    )


def is_usable(link: HostLink, drained: Collection[str] = ()) -> bool:
    """Return whether sessions can be placed on a host, slots permitting."""
    return link.is_live and link.node not in drained
