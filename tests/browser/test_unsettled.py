"""Reports of activity that is not awaited."""

import pytest

from tests.browser.stage import open_stage
from tests.browser.test_settle import settled


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ({"later": 1500}, "a timer of 1,500 ms is pending"),
        ({"animation": 1500, "later": 0}, "an animation of 1,500 ms is running"),
        ({"every": 100}, "a timer repeats every 100 ms"),
        ({"every": 100, "later": 900}, "a timer of 900 ms is pending"),
    ],
)
async def test_activity_not_awaited_is_reported(left: dict[str, int], expected: str) -> None:
    async with open_stage() as stage:
        stage.probe_answers({"settled": True, "waited": [], **left})
        assert (await settled(stage)).unsettled == expected
