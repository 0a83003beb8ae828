"""Placement of sessions: on live hosts with free slots, spread over the nodes."""

from collections import Counter
from collections.abc import Collection, Sequence

import attrs

from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import Opened, Place


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
