"""What an action began is told from what the page began just before it."""

import re

import trio
from trio.testing import MockClock

from charlotte.browser.settle import checkpoint, settle
from tests.browser.stage import open_stage


async def test_what_began_before_the_action_is_none_of_its(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        since = checkpoint(stage.activity)
        await trio.sleep(0.2)
        await settle(stage.activity, stage.world.ask, since)
        (asked,) = stage.browser.received("Runtime.evaluate")
        age = int(re.findall(r'"age": (\d+)', asked.params["expression"])[0])
        assert 200 < age <= 205  # a timer that the page began 10 ms before is none
