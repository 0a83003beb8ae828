"""Roles of elements."""

import pytest

from tests.browser.probe.rows import only, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<a href=1>a</a>", "link"),
        ("<button>a</button>", "button"),
        ("<input aria-label=a>", "textbox"),
        ("<input type=checkbox aria-label=a>", "checkbox"),
        ("<div role='unknown button' tabindex=0>a</div>", "button"),
        ("<select aria-label=a><option>b</select>", "combobox"),
    ],
)
async def test_a_widget_has_a_role(page: RawPage, html: str, role: str) -> None:
    assert (await only(page, html, "i")).role == role


@pytest.mark.parametrize(
    ("html", "roles"),
    [("<main>a</main>", ["main"]), ("<section>a</section>", []), ("<nav>a</nav>", ["navigation"])],
)
async def test_a_part_of_the_page_may_be_a_landmark(
    page: RawPage, html: str, roles: list[str]
) -> None:
    assert [row.role for row in await rows_in(page, html) if row.kind == "l"] == roles
