"""Elements found by role or by text, and surveys of a page."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

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
    [found] = (await page.ask("searchText", "map", 10, []))["rows"]
    assert (found[1], found[5]) == ("img", "Map")
    assert (await page.ask("conditions", {"text": "Map"}))["text"]
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


_PAGE = """<main aria-label=Shop><h2>Prices</h2><div><p id=p>Tea costs <b>three</b> euros</p></div>
  <p hidden>Tea is out</p><button id=b>Tea</button><script>const tea = 1</script></main>"""


async def test_the_innermost_element_is_returned_with_heading_and_landmark(page: RawPage) -> None:
    await page.load(_PAGE)
    (row,) = (await page.ask("searchText", "TEA costs", 10, []))["rows"]
    assert (row[0], row[1], row[6], row[7]) == (await page.nid("#p"), "p", "Prices", 'main "Shop"')


async def test_listed_elements_are_omitted(page: RawPage) -> None:
    await page.load(_PAGE)
    button = await page.nid("#b")
    found = [(await page.ask("searchText", "tea", 10, listed))["rows"] for listed in ([], [button])]
    assert [[row[1] for row in rows] for rows in found] == [["p", "button"], ["p"]]


async def test_the_text_around_an_occurrence_is_returned(page: RawPage) -> None:
    await page.load(_PAGE)
    (row,) = (await page.ask("searchText", "costs", 10, [], 4))["rows"]
    assert row[8] == [["Tea ", "costs", " thr"]]


async def _rows(page: RawPage, html: str, **options: object) -> list[tuple[int, str]]:
    """Return the depth and the tag or text of each row below the body."""
    await page.load(html)
    cells = (await page.ask("survey", 0, options))["cells"]
    return [(cells[at], cells[at + 1]) for at in range(4, len(cells), 4)]


async def test_elements_and_text_are_listed_in_order(page: RawPage) -> None:
    assert await _rows(page, "<p>One <b>two</b>") == [(1, "p"), (2, "One "), (2, "b"), (3, "two")]


async def test_a_survey_of_a_dialog_in_a_shadow_root_knows_its_aria_widgets(page: RawPage) -> None:
    await page.load("<p>Behind</p><div id=host></div>")
    await page.run(
        """host.attachShadow({mode: 'open'}).innerHTML =
        '<dialog><i contenteditable aria-label=Note></i><b inert>inert</b></dialog>';
        host.shadowRoot.firstChild.showModal()"""
    )
    cells = (await page.ask("survey", 0, {}))["cells"]
    assert [cells[at] for at in range(1, len(cells), 4)] == ["dialog", "i"]
    assert "textbox" in str(cells[4:])


async def test_a_heading_stands_for_its_section(page: RawPage) -> None:
    await page.load("<h2 id=h>A</h2><p>in<h2>B</h2><p>out")
    answer = await page.ask("survey", await page.nid("#h"), {"section": True})
    texts = [cell for cell in answer["cells"] if isinstance(cell, str)]
    assert [text for text in texts if text in {"A", "in", "B", "out"}] == ["A", "in"]


async def _facts(page: RawPage, html: str) -> Json:
    """Return the facts of the first element below the body."""
    await page.load(html)
    cells = (await page.ask("survey", 0))["cells"]
    facts: Json = next(cell for cell in cells[4:] if hasattr(cell, "items"))
    return facts


async def test_an_element_has_facts(page: RawPage) -> None:
    for html, key, value in [
        ("<h2>a</h2>", "level", 2),
        ("<div role=heading aria-level=4>a</div>", "level", 4),
        ("<div role=heading>a</div>", "levelImplied", 1),
        ("<button aria-expanded=true>a</button>", "expanded", True),
    ]:
        assert (await _facts(page, html))[key] == value, html
