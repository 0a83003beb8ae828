"""Values of form controls."""

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("html", "value"),
    [
        ("<input value=a>", "a"),
        ("<textarea>a</textarea>", "a"),
        ("<select><option>a<option selected>b</select>", "b"),
        ("<input type=range min=0 max=10 value=3>", "3"),
        ("<div role=slider tabindex=0 aria-valuenow=3></div>", "3"),
    ],
)
async def test_a_control_has_a_value(page: RawPage, html: str, value: str) -> None:
    assert (await only(page, html, "i")).extra["value"] == value


async def test_an_empty_control_has_no_value(page: RawPage) -> None:
    assert "value" not in (await only(page, "<input>", "i")).extra
