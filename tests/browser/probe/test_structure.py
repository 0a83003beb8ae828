"""Tables, rows, lists, items and articles in a capture, and the columns of cells."""

import json

import pytest

from charlotte.page.capture import parse_answer
from tests.browser.probe.rows import Row, captures_after, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


def outline(rows: list[Row]) -> list[str]:
    """Return the rows, indented by depth: role, part, column and name or text."""
    return [_depth(row) * " " + _title(row) for row in rows]


def _depth(row: Row) -> int:
    return 0 if row.above is None else _depth(row.above) + 1


def _title(row: Row) -> str:
    column = f"@{row.extra['cell']}" if "cell" in row.extra else ""
    part = f" as {row.extra['as']}" if "as" in row.extra else ""
    return f"{row.role}{part}{column} {row.name}".strip()


async def outline_of(page: RawPage, html: str) -> list[str]:
    return outline(await rows_in(page, html))


async def test_a_table_has_rows_and_its_texts_and_controls_have_columns(page: RawPage) -> None:
    html = """<table><thead><tr><th>Book<th><th>Price</thead>
      <tr><td colspan=2>Ulysses<td>9 <button>Buy</button></table>"""
    assert await outline_of(page, html) == [
        "table",
        " head",
        "  text@0 Book",
        "  text@2 Price",
        " row",
        "  text@0 Ulysses",
        "  text@2 9 Buy",
        "  button@2 Buy",
    ]


async def test_a_row_of_headers_is_a_head(page: RawPage) -> None:
    for html, roles in [
        ("<table><tr><th>a<th>b<tr><th>c<td>d</table>", ["head", "row"]),
        ("<table><thead><tr><td>a<td>b</thead><tr><td>c<td>d</table>", ["head", "row"]),
        ("<table><tr><td>a<tr><th role=rowheader>b</table>", ["row", "row"]),
        (
            """<div role=table><div role=row><i role=columnheader>a</i></div>
            <div role=row><i role=cell>b</i></div></div>""",
            ["head", "row"],
        ),
    ]:
        rows = await rows_in(page, html)
        assert [row.role for row in rows if row.kind == "s"] == ["table", *roles], html


async def test_a_cell_covers_its_columns_in_the_rows_below(page: RawPage) -> None:
    html = """<table><tr><td>a<td rowspan=2 colspan=2>b<td>c<tr><td>d<td>e<tr><td>f<td>g</table>"""
    lines = [row for row in await rows_in(page, html) if row.kind == "t"]
    assert [(row.name, row.extra["cell"]) for row in lines] == [
        ("a", 0),
        ("b", 1),
        ("c", 3),
        ("d", 0),
        ("e", 3),
        ("f", 0),
        ("g", 1),
    ]


async def test_structure_has_neither_a_name_nor_a_box(page: RawPage) -> None:
    (table, *_) = await rows_in(page, "<table id=t><tr><td>x</table>")
    assert (table.kind, table.role, table.name, table.box) == ("s", "table", "", None)


async def test_hidden_and_excluded_cells_count_as_columns(page: RawPage) -> None:
    html = "<table><tr><td hidden>a<td aria-hidden=true>b<td>c</table>"
    assert (await outline_of(page, html))[-1] == "  text@2 c"


async def test_items_of_nested_lists_are_inside_the_outer_item(page: RawPage) -> None:
    html = "<ul><li>Fruit<ol><li>Apple<li>Pear</ol><li>Nuts</ul>"
    assert await outline_of(page, html) == [
        "list",
        " item",
        "  text Fruit",
        "  list",
        "   item",
        "    text Apple",
        "   item",
        "    text Pear",
        " item",
        "  text Nuts",
    ]


async def test_terms_and_descriptions_are_parts_of_a_list(page: RawPage) -> None:
    html = "<dl><div><dt>Size<dd>XL</div></dl>"
    assert await outline_of(page, html) == ["list", " term", "  text Size", " item", "  text XL"]


async def test_a_list_in_a_cell_has_its_column_but_its_items_have_none(page: RawPage) -> None:
    html = "<table><tr><td>a<td>b<ul><li>c <a href=/c>d</a></ul><p>e</table>"
    assert await outline_of(page, html) == [
        "table",
        " row",
        "  text@0 a",
        "  text@1 b",
        "  list@1",
        "   item",
        "    text c d",
        "    link d",
        "  text@1 e",
    ]


async def test_a_table_in_a_cell_has_columns_of_its_own(page: RawPage) -> None:
    html = "<table><tr><td>a<td><table><tr><td>b</table>c</table>"
    assert await outline_of(page, html) == [
        "table",
        " row",
        "  text@0 a",
        "  table@1",
        "   row",
        "    text@0 b",
        "  text@1 c",
    ]


async def test_roles_make_tables_lists_and_articles(page: RawPage) -> None:
    html = """<div role=grid><div role=rowgroup><div role=row><div><div role=rowheader>a</div>
      <div role=gridcell>b</div></div></div></div></div>
      <div role=list><div role=listitem>c</div></div>
      <div role=feed><div role=article>d</div></div>"""
    assert await outline_of(page, html) == [
        "table",
        " row",
        "  text@0 a",
        "  text@1 b",
        "list",
        " item",
        "  text c",
        "article",
        " text d",
    ]


async def test_tables_and_lists_for_layout_are_no_structure(page: RawPage) -> None:
    for role in ["presentation", "none"]:
        html = f"""<table role={role}><tr><td>a<td><ul><li>b</ul></table>
      <ul role={role}><li>c</ul>"""
        assert await outline_of(page, html) == ["text a", "list", " item", "  text b", "text c"], (
            role
        )


async def test_another_role_makes_a_part_none(page: RawPage) -> None:
    html = "<ul role=tablist><li role=tab>a</ul><ul><li role=menuitem>b<li role=presentation>c</ul>"
    assert await outline_of(page, html) == [
        "tab a",
        " text a",
        "list",
        " menuitem b",
        "  text b",
        " text c",
    ]


async def test_a_named_list_is_a_group_and_nothing_else(page: RawPage) -> None:
    html = "<ul aria-label=Fruit><li>a</ul><table><caption>Stock</caption><tr><td>b</table>"
    assert await outline_of(page, html) == [
        "list Fruit",
        " item",
        "  text a",
        "table Stock",
        " text Stock",
        " row",
        "  text@0 b",
    ]


async def test_a_row_that_takes_clicks_or_focus_is_marked_as_a_row(page: RawPage) -> None:
    html = """<table><tr onclick=1><td>a<td>b <button>Go</button>
      <tr tabindex=0><td>c</table><ul><li onclick=1>d</ul>"""
    assert await outline_of(page, html) == [
        "table",
        " clickable as row a b",
        "  text@0 a",
        "  text@1 b Go",
        "  button@1 Go",
        " clickable as row c",
        "  text@0 c",
        "list",
        " clickable as item d",
        "  text d",
    ]


async def test_a_control_in_an_item_is_no_item(page: RawPage) -> None:
    (_, _, button) = await rows_in(page, "<ul><li><button aria-label=x></button></ul>")
    assert "as" not in button.extra


async def test_an_article_contains_its_heading_and_controls(page: RawPage) -> None:
    html = "<article><h2>News</h2><p>Text</p><button>More</button></article>"
    assert await outline_of(page, html) == [
        "article",
        " heading News",
        "  text News",
        " text Text",
        " text More",
        " button More",
    ]


async def test_structure_without_visible_contents_is_left_out(page: RawPage) -> None:
    for html in [
        "<ul hidden><li>a</ul>",
        "<ul style=visibility:hidden><li>a</ul>",
        "<ul aria-hidden=true><li>a</ul>",
        "<details><summary>s</summary><ul><li>a</ul></details>",
        "<ul><li></ul>",
        "<table><tr><td></table>",
        "<button>b<ul><li>a</ul></button>",
    ]:
        assert [row for row in await rows_in(page, html) if row.kind == "s"] == [], html


async def test_a_list_without_a_box_has_visible_items(page: RawPage) -> None:
    html = "<ul style=display:contents><li style=display:contents>a</ul>"
    assert await outline_of(page, html) == ["list", " item", "  text a"]


async def test_slotted_items_are_inside_the_list_of_the_shadow_root(page: RawPage) -> None:
    html = """<div><template shadowrootmode=open><ul><slot></slot></ul></template>
      <li>a</div>"""
    assert await outline_of(page, html) == ["list", " item", "  text a"]


_TABLE = "<table><tbody id=rows>" + "".join(
    f"<tr><td>Book {number}<td><button>Order</button>" for number in range(6)
)


async def test_structure_follows_changes_of_the_page(page: RawPage) -> None:
    for script in [
        "rows.insertAdjacentHTML('afterbegin', '<tr><td>New<td><ul><li>a<li>b</ul>')",
        "rows.rows[2].remove()",
        "rows.innerHTML = rows.innerHTML",
        "rows.rows[1].cells[0].firstChild.data = ''",
        "rows.rows[1].cells[0].colSpan = 3",
        "rows.rows[1].cells[0].rowSpan = 2",
        "rows.rows[1].hidden = true",
        "rows.rows[1].tabIndex = 0",
        "rows.parentElement.role = 'none'",
        "rows.parentElement.ariaLabel = 'Stock'",
        "rows.append(rows.rows[0])",
    ]:
        await page.load(_TABLE)
        now, fresh = await captures_after(page, script)
        assert now.nodes == fresh.nodes, script


async def test_all_lines_of_a_block_have_its_column(page: RawPage) -> None:
    html = "<p>one<br>two</p><table><tr><td><td>three<br>four</table>"
    await page.load(html)
    nodes = parse_answer(json.dumps(await page.ask("capture"))).nodes
    lines = [(node.name, node.cell) for node in nodes if node.kind == "t"]
    assert lines == [("one", None), ("two", None), ("three", 1), ("four", 1)]


async def test_a_change_of_one_text_of_a_table_is_one_line(page: RawPage) -> None:
    await page.load(_TABLE.replace("<button>Order</button>", ""))
    known = (await page.ask("capture"))["answer"]
    await page.run("rows.rows[3].cells[0].firstChild.data = 'Other'")
    ((_, gone, rows),) = (await page.ask("capture", {"known": known}))["splices"]
    assert (gone, [row[1:] for row in rows]) == (1, [["Other", 0]])
