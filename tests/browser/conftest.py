"""What the tests of this directory have at hand."""

import pytest

from charlotte.browser.process import launch
from charlotte.browser.world.settle import Activity
from charlotte.protocol import page
from tests.browser.feeding import MAIN


@pytest.fixture(autouse=True)
def time_to_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes have time to start and to end, however busy the machine is."""
    for deadline in ("START_DEADLINE", "END_DEADLINE", "SWEEP_DEADLINE"):
        monkeypatch.setattr(launch, deadline, 60.0)


@pytest.fixture
def activity() -> Activity:
    return Activity(page.FrameInfo(MAIN, "L0", "http://a.test/", url_fragment="#top"))
