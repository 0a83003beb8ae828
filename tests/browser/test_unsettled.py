"""What the action began and is not waited for is told."""

import pytest

from tests.browser.stage import open_stage
from tests.browser.test_settle import settled


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ({"later": 1500}, "a timer of 1,500 ms is pending"),
        ({"animation": 1500, "later": 0}, "an animation of 1,500 ms is running"),
        ({"every": 100}, "a timer repeats every 100 ms"),
        ({"every": 100, "later": 900}, "a timer of 900 ms is pending"),
    ],
)
async def test_what_is_not_waited_for_is_told(left: dict[str, int], told: str) -> None:
    async with open_stage() as stage:
        stage.probe_answers({"settled": True, "waited": [], **left})
        assert (await settled(stage)).unsettled == told
