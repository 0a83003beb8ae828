"""The beginning of a dry run, on a fake browser."""

import pytest
from trio.testing import MockClock

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.dry_running import end_if_over, run_dry
from charlotte.errors import InvalidArgument
from tests.actors.stage import Stage

THROTTLE = "Network.emulateNetworkConditions"


async def look_dry(tab: TabActor) -> None:
    await run_dry(tab, tab.look)


async def test_a_dry_run_that_cannot_begin_is_undone_by_the_next_call(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    target.refusals[THROTTLE] = "not allowed"
    with pytest.raises(InvalidArgument, match="not allowed"):
        await record.tab.ask(look_dry)
    assert not record.is_dirty
    assert stage.browser.received("Fetch.enable")

    del target.refusals[THROTTLE]
    await record.tab.ask(end_if_over)
    assert record.dry_run is None
    assert None in [sent.session for sent in stage.browser.received("Fetch.disable")]
