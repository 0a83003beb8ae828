"""Rests from what a page streams: every message on its WebSockets is told to every session.

Some thousands of them a second fill the browser's only way to us, and every tab waits behind them.
Nobody needs these messages. They come with the Network domain, so that is given up for a while.
"""

from collections.abc import Callable
from contextlib import suppress

import trio

from charlotte.protocol import network, page
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription

WITHIN = 0.2
"""Seconds in which messages are counted."""

MOST = 300
MOST_CHARACTERS = 2_000_000
FIRST_REST = 2.0
LONGEST_REST = 30.0


async def rest_from_floods(session: Session, begin: Callable[[], object]) -> None:
    """While a page floods the session, hear nothing of its network; until the session ends.

    ``begin`` is called when that begins, and what was known of open requests is out of date. Each
    rest is twice as long as the one before, and over when a frame goes elsewhere.
    """
    rest = FIRST_REST
    with (
        suppress(SessionGone),
        session.events(*network.STREAMED, backlog=MOST) as messages,
        session.events(page.FrameStartedNavigating) as departures,
    ):
        while True:
            first = await messages.next()
            await trio.sleep(WITHIN)
            if not _is_flood(first, messages):
                rest = FIRST_REST
                continue
            begin()
            await session.begin(network.Disable())
            departures.now()
            with trio.move_on_after(rest):
                await departures.next()
            await session.begin(network.Enable())
            messages.now()
            rest = min(2 * rest, LONGEST_REST)


def _is_flood(first: network.Streamed, others: Subscription[network.Streamed]) -> bool:
    lengths = [one.length for one in (first, *others.now())]
    return others.take_lost() > 0 or sum(lengths) > MOST_CHARACTERS
