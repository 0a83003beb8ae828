"""Reports of several gateways about the answers that they have sent."""

from functools import partial

import trio
from trio.testing import MockClock

from charlotte.cluster.deliveries import Deliveries


async def test_calls_at_the_same_time_wait_for_a_lost_and_a_silent_gateway(
    autojump_clock: MockClock,
) -> None:
    sent = list[str]()
    deliveries = Deliveries(ask=lambda gateway: gateway == "silent")
    for gateway in ("lost", "silent"):
        deliveries.keep(gateway, 1, partial(sent.append, gateway))
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                nursery.start_soon(deliveries.settle, "third")
    deliveries.note("silent", [1])
    assert sent == []
