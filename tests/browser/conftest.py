"""What the tests of activities have at hand."""

import pytest

from charlotte.browser.settle import Activity
from charlotte.protocol import page
from tests.browser.feeding import MAIN


@pytest.fixture
def activity() -> Activity:
    return Activity(page.FrameInfo(MAIN, "L0", "http://a.test/", url_fragment="#top"))
