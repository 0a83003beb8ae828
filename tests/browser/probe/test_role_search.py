"""Elements by role, controls or not."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def names(page: RawPage, role: str, text: str = "", within: int = 0) -> list[str]:
    rows = (await page.ask("searchRole", role, text, 10, within))["rows"]
    assert all(row[5] == role for row in rows)
    return [row[6] for row in rows]


async def test_cells_of_a_table_without_heads_have_their_usual_roles(page: RawPage) -> None:
    await page.load("<table><tr><td>Fox<td>2<tr hidden><td>Owl</table><div role=row>Own</div>")
    assert await names(page, "cell") == ["Fox", "2"]
    assert await names(page, "row") == ["Fox | 2", "Own"]


async def test_an_own_role_counts_before_the_tag(page: RawPage) -> None:
    await page.load("<li role=presentation>No</li><ul><li>Yes</ul><td role=listitem>")
    assert await names(page, "listitem") == ["Yes"]


async def test_images_and_dialogs_are_named_by_attributes(page: RawPage) -> None:
    image = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    await page.load(f"<img alt=Map src='{image}'><div role=dialog aria-label=Login>Password</div>")
    assert await names(page, "img") == ["Map"]
    assert await names(page, "dialog", "passw") == ["Login"]


async def test_cells_with_a_label_are_named_by_it(page: RawPage) -> None:
    await page.load("""<table role=grid><tr><td role=gridcell aria-labelledby=day>
      <a id=day aria-label="May 20">20</a> Yoga<td role=gridcell>21</table>""")
    assert await names(page, "gridcell") == ["May 20", "21"]
    assert await names(page, "gridcell", "yoga") == ["May 20"]


async def test_a_search_within_an_element_leaves_out_the_element(page: RawPage) -> None:
    await page.load("<ul><li id=a>One<ul><li>Two</ul></ul><ul><li>Three</ul>")
    assert await names(page, "listitem", within=await page.nid("#a")) == ["Two"]


async def test_what_is_behind_a_dialog_is_left_out(page: RawPage) -> None:
    await page.load("<ul><li>Out</ul><dialog id=d><ul><li>In</ul></dialog>")
    await page.run("d.showModal()")
    assert await names(page, "listitem") == ["In"]


async def test_a_role_with_special_characters_finds_nothing(page: RawPage) -> None:
    await page.load("<ul><li>One</ul>")
    assert await names(page, '"],*') == []
