"""Activity just before an action is not evidence."""

import re

import trio
from trio.testing import MockClock

from charlotte.browser.settle import checkpoint, settle
from tests.browser.stage import open_stage


async def test_activity_before_the_action_is_not_evidence(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        since = checkpoint(stage.activity)
        await trio.sleep(0.2)
        await settle(stage.activity, stage.world.ask, since)
        (asked,) = stage.browser.received("Runtime.evaluate")
        age = int(re.findall(r'"age": (\d+)', asked.params["expression"])[0])
        assert 200 < age <= 205  # excludes a timer that began 10 ms before
