"""Tables, rows, lists, items and articles in captures and views, and the columns of cells."""

from charlotte.page.capture import join_frames, parse_answer
from charlotte.page.identity.id_book import IdBook
from charlotte.page.view import narrow_view
from tests.page.pages import Page, view_of
from tests.page.test_frames import frame, joined
from tests.page.test_patch import patch


def stock(*, with_structure: bool = True) -> Page:
    """Build a table whose rows have a name, a button in the second column, and a list."""
    page = Page()
    main = page.landmark("main")
    table = page.part("table", main) if with_structure else main
    for name in ("Milk", "Bread"):
        row = page.part("row", table) if with_structure else main
        page.text(name, row, cell=0)
        page.text("Delete", page.button("Delete", parent=row, cell=1))
        column = page.part("list", row, cell=2) if with_structure else main
        page.text("fresh", page.part("item", column) if with_structure else main)
    return page


def test_nodes_have_the_column_of_their_cell() -> None:
    columns = [(node.role, node.cell) for node in stock().capture().nodes][2:8]
    assert columns == [
        ("row", None),
        ("text", 0),
        ("button", 1),
        ("text", None),
        ("list", 2),
        ("item", None),
    ]


def test_columns_and_structure_of_a_frame_are_kept() -> None:
    main, child = Page(), Page(document="doc2")
    frame(main, cell=3)
    child.text("Milk", child.part("row", child.part("table")), cell=1)
    outer, table, row, line = join_frames(joined(main, child)).nodes
    assert (outer.cell, line.cell) == (3, 1)
    assert (table.parent, row.parent, line.parent) == (outer.nid, table.nid, row.nid)
    assert table.extra == {}


def test_moved_nodes_keep_their_column() -> None:
    before = stock()
    known, after = before.capture(), before.copy()
    capture = parse_answer(patch(known, after, [], [[0, len(known.nodes), 0, -30]]), known)
    assert [node.cell for node in capture.nodes] == [node.cell for node in known.nodes]


def test_a_view_has_the_nodes_of_its_capture_with_the_ids_of_their_records() -> None:
    page, book = Page(), IdBook()
    page.heading("Stock", parent=page.part("article"))
    page.add("f", "form", "Search", landmark=1)
    page.add("g", "group", "Filters")
    page.button("Find")
    page.add("c", "clickable", "Card")
    capture = page.capture()
    view = view_of(capture, book)
    assert view.nodes is capture.nodes
    article, heading, line, form, group, button, card = view.node_ids
    assert (article, line, group) == ("", "", "")
    assert heading == view.headings[0].id
    assert form == view.forms[0].id
    assert [button, card] == [element.id for element in view.interactive]


def test_a_part_of_a_view_has_the_lines_and_structure_inside_its_nodes() -> None:
    page, book = stock(), IdBook()
    page.text("Outside")
    view = view_of(page.capture(), book)
    table, *inside = (page.rows[index][0] for index in (1, 2, 4, 6, 7))

    part = narrow_view(view, book, inside, ["Milk", "Delete", "fresh"])

    roles = [node.role for node in part.nodes]
    assert roles == ["row", "text", "button", "text", "list", "item", "text"]
    assert part.node_ids == ("", "", part.interactive[0].id, "", "", "", "")
    assert table not in {node.nid for node in part.nodes}


def test_a_part_of_a_view_without_an_element_has_no_node_of_the_element() -> None:
    page, book = stock(), IdBook()
    view = view_of(page.capture(), book)
    part = narrow_view(view, book, {page.rows[2][0]}, ["Milk", "Delete", "fresh"])
    assert part.interactive == ()
    assert [node.name for node in part.nodes if node.name] == ["Milk", "Delete", "fresh"]
    assert {*part.node_ids} == {""}


def test_a_part_of_a_view_has_its_lines_outside_of_its_nodes() -> None:
    page, book = Page(), IdBook()
    for line in ("Outside", "First", "Second"):
        page.text(line)
    save = page.rows[page.button("Save")][0]
    for line in ("Between", "Third", "Outside"):
        page.text(line)
    view = view_of(page.capture(), book)
    part = narrow_view(view, book, {save}, ["First Second", "Save", "Between; Third"])
    assert [node.name for node in part.nodes] == ["First", "Second", "Save", "Between", "Third"]


def test_a_part_of_a_view_without_nodes_has_its_lines() -> None:
    page, book = stock(), IdBook()
    page.text("One")
    page.text("Two")
    view = view_of(page.capture(), book)
    part = narrow_view(view, book, {999}, ["One Two"])
    assert [node.name for node in part.nodes] == ["One", "Two"]
    assert part.node_ids == ("", "")
