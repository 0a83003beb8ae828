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
"""Seconds of the page's clock: what is told late, because there is so much, was not sent late."""

MOST = 200
MOST_CHARACTERS = 2_000_000
FIRST_REST = 2.0
LONGEST_REST = 30.0
_BACKLOG = 1000


async def rest_from_floods(
    session: Session, begin: Callable[[], object], needed: Callable[[], bool] = lambda: False
) -> None:
    """While a page floods the session, hear nothing of its network; until the session ends.

    ``begin`` is called when that begins, and what was known of open requests is out of date. There
    is no rest while the domain is ``needed``, for what it does besides goes with it. Each
    rest is twice as long as the one just before, and over when a frame goes elsewhere.
    """
    rest, rested = FIRST_REST, -LONGEST_REST
    with (
        suppress(SessionGone),
        session.events(*network.STREAMED, backlog=_BACKLOG) as messages,
        session.events(page.FrameStartedNavigating) as departures,
    ):
        while True:
            await _flood(messages)
            if needed():
                await trio.sleep(FIRST_REST)
                messages.now()
                continue
            goes_on = trio.current_time() - rested < LONGEST_REST
            rest = min(2 * rest, LONGEST_REST) if goes_on else FIRST_REST
            begin()
            await session.begin(network.Disable())
            departures.now()
            with trio.move_on_after(rest):
                await departures.next()
            await session.begin(network.Enable())
            messages.now()
            rested = trio.current_time()


async def _flood(messages: Subscription[network.Streamed]) -> None:
    """Wait until there are too many messages, or too long ones, in too little time."""
    begun, count, characters = 0.0, 0, 0
    while count <= MOST and characters <= MOST_CHARACTERS:
        message = await messages.next()
        if message.timestamp > begun + WITHIN:
            begun, count, characters = message.timestamp, 0, 0
        count += 1
        characters += message.length
