"""Change lines of two outlines."""

from collections.abc import Iterable

import attrs
import pytest

from charlotte.answers.text.changes import compare
from charlotte.answers.text.lines import Line, Mark
from charlotte.answers.text.outline import Outline
from charlotte.page.model import Bounds
from tests.answers.text.outlines import changes, control, head, heading, item, line, outline, row


def test_a_changed_text_is_written_with_the_text_it_replaced() -> None:
    old = outline(heading("Books"), "3 of 12 books", control("btn-1", "Order"))
    new = outline(heading("Books"), "4 of 12 books", control("btn-1", "Order"))
    assert changes(old, new) == ["~ 3 of 12 books → 4 of 12 books"]


def test_a_long_changed_text_is_shortened_around_the_difference() -> None:
    start, end = "The quick brown fox jumps over " * 5, "and runs into the dark forest " * 5
    [change] = changes(outline(f"{start}1 dog {end}"), outline(f"{start}2 dogs {end}"))
    part = "…brown fox jumps over {} and runs into the…"
    assert change == f"~ {part.format('1 dog')} → {part.format('2 dogs')}"


def test_a_text_that_has_no_word_of_a_long_text_in_its_place_is_new() -> None:
    old = outline("Welcome to our shop, which has had everything that readers need since 1912.")
    new = outline("Your order number 4711 was placed; a message was sent to the given address.")
    assert changes(old, new) == [f"- {old.lines[0].text}", f"+ {new.lines[0].text}"]


def test_texts_that_moved_are_a_remark_if_nothing_else_changed() -> None:
    texts = ["Adrift", "Anchor", "Ash", "Atlas"]
    moved = outline("Ash", "Adrift", "Anchor", "Atlas")
    assert changes(outline(*texts), moved) == ["! moved: Ash now first"]
    assert changes(outline(*texts, "0"), outline(*moved.lines, "1")) == ["~ 0 → 1"]


def test_cards_that_moved_are_a_remark_beside_an_announcement() -> None:
    cards = [control(f"btn-{name}", name) for name in ("Ash", "Elm", "Oak")]
    old, new = outline(*cards, "Ready"), outline(cards[2], *cards[:2], "Oak was dropped")
    assert "! moved: Oak now first" in changes(old, new)


def test_a_card_that_moved_to_another_list_is_a_remark() -> None:
    todo, done = [item(f"Card {n}", group=1) for n in "abc"], [item("Card d", group=2)]
    old = outline(heading("To do"), *todo, heading("Done"), *done)
    new = outline(heading("To do"), *todo[1:], heading("Done"), *done, item("Card a", group=2))
    assert changes(old, new) == ["! moved: Card a now under # Done"]


def test_a_card_that_becomes_the_only_one_of_a_list_has_moved() -> None:
    cards = [item(f"Card {name}", depth=1) for name in "abc"]
    old = outline(head('[list "To do"]'), *cards[:2], head('[list "Doing"]', "Card c"))
    new = outline(head('[list "To do"]', "Card b"), head('[list "Doing"]'), cards[2], cards[0])
    assert changes(old, new) == ['! moved: Card a now under [list "Doing"]']


def test_a_number_in_another_place_is_a_change() -> None:
    old = outline("Free", "1", "Taken", "2")
    new = outline("Free", "2", "Taken", "1")
    assert changes(old, new) == ["~ 1 → 2", "~ 2 → 1"]


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ({}, {"state": {"enabled": False}}, "[disabled]"),
        ({"state": {"enabled": False}}, {}, "[not disabled]"),
        ({"state": {"expanded": False}}, {"state": {"expanded": True}}, "[expanded]"),
        ({"value": "a"}, {"value": "Kindred"}, '[= "Kindred"]'),
        ({"value": "a"}, {"placeholder": "Title"}, '[= ""]'),
        ({"placeholder": "Title"}, {"value": "a"}, '[= "a"]'),
        ({"state": {"expanded": True}}, {}, "[not expanded]"),
        ({"state": {"checked": False}}, {"state": {"checked": True}}, "[x]"),
        ({"state": {"checked": True}}, {"state": {"checked": False}}, "[ ]"),
        ({"state": {"required": True}}, {}, "[not required]"),
        ({"revision": 1}, {"revision": 2}, "[another value]"),
        ({"label": "Hide"}, {"label": "Show"}, '"Show"'),
        ({"state": {"pressed": False}}, {"state": {"pressed": True}}, "[on]"),
        ({"options": ("S",)}, {"options": ("S", "M")}, '[options "S", "M"]'),
        ({"state": {"sort": "none"}}, {"state": {"sort": "ascending"}}, "[sorted ascending]"),
    ],
)
def test_a_changed_control_has_what_changed(
    old: dict[str, object], new: dict[str, object], change: str
) -> None:
    before, after = (control("inp-1", **{"label": "A", **each}) for each in (old, new))  # type: ignore[arg-type]
    assert changes(outline("Text", before), outline("Text", after)) == [f"~ inp-1 {change}"]


def test_values_that_were_filled_in_are_counted_and_others_are_written() -> None:
    names = ("inp-1", "inp-2", "inp-3", "chk-4")
    old = outline(*(control(name, "") for name in names))
    new = outline(
        control("inp-1", "", value="Ann"),
        control("inp-2", "", value="Lee"),
        control("inp-3", "", value="1234 5"),
        control("chk-4", "", state={"checked": True}),
    )
    given = {"inp-1": "Ann", "inp-2": "Lee", "inp-3": "12345", "chk-4": True}
    assert changes(old, new, given=given) == ["~ … 3 fields as given", '~ inp-3 [= "1234 5"]']


def test_a_control_that_moved_to_another_line_is_no_change() -> None:
    button = control("btn-1", "Save")
    old = outline(line("Name", button), "Other text")
    new = outline("Other text", "Name", button)
    assert changes(old, new) == []


def test_the_focus_of_the_element_acted_on_is_no_change() -> None:
    old = outline(control("btn-1", "Order"), control("btn-2", "Cancel"))
    focused = {"state": {"focused": True}}
    new = outline(control("btn-1", "Order", **focused), control("btn-2", "Cancel"))
    assert changes(old, new, acted_on="btn-1") == []
    assert changes(old, new) == ["~ btn-1 [focused]"]
    assert changes(new, old) == ["~ btn-1 [not focused]"]


def _hover_page(*hidden: str) -> Outline:
    boxes = {"btn-1": Bounds(500, 10, 20, 20), "btn-2": Bounds(500, 60, 20, 20)}
    copy = (
        control(name, "Copy", bounds=box, state={"visible": False} if name in hidden else {})
        for name, box in boxes.items()
    )
    return outline(control("clk-1", "Row", bounds=Bounds(0, 0, 600, 40)), *copy)


def test_a_button_that_shows_while_the_mouse_is_over_its_row_is_no_change() -> None:
    old, new = _hover_page("btn-1"), _hover_page("btn-2")
    assert changes(old, new, acted_on="clk-1") == []
    assert changes(old, new) == ["~ btn-1 [not hidden]", "~ btn-2 [hidden]"]


def test_a_button_that_shows_elsewhere_is_a_change() -> None:
    old, new = _hover_page("btn-2"), _hover_page()
    assert changes(old, new, acted_on="clk-1") == ["~ btn-2 [not hidden]"]


def test_a_line_of_a_control_that_gets_a_mark_has_changed() -> None:
    mute = control("btn-1", "Mute")
    new = outline(line(Mark("[invisible]"), mute))
    assert changes(outline(line(mute)), new) == ['~ [invisible] btn-1 "Mute"']


def test_an_invisible_helper_that_catches_the_focus_is_no_change() -> None:
    helper = control("clk-1", bounds=Bounds(0, 0, 1, 1), state={"focused": True})
    assert changes(outline("Books"), outline("Books", helper)) == []
    assert changes(outline("Books", helper), outline("Books")) == []


def test_a_changed_row_has_its_first_cell_and_the_changed_cells() -> None:
    button = control("btn-1", "Order")
    old = outline(row("Title", "Author", "Stock"), row("Low Water", "Bo Marsh", "0", button))
    new = outline(row("Title", "Author", "Stock"), row("Low Water", "Bo Marsh", "4", button))
    assert changes(old, new) == ["~ | Low Water | 0 → 4"]


def test_a_cell_that_becomes_empty_is_written_as_an_empty_text() -> None:
    old, new = outline(row("Low Water", "sold out")), outline(row("Low Water", ""))
    assert changes(old, new) == ['~ | Low Water | sold out → ""']


def test_a_row_with_another_name_is_another_row_although_its_controls_have_the_same_ids() -> None:
    def page(*names: str) -> Outline:
        lines = [row(control(f"chk-{n}", "Select"), name, "4") for n, name in enumerate(names)]
        return outline("Crew", *lines)

    assert changes(page("Bo Marsh", "Ed Lee"), page("Ida Poe", "Ed Lee")) == [
        '- | chk-0 "Select" | Bo Marsh | 4',
        '+ | chk-0 "Select" | Ida Poe | 4',
    ]


def test_a_table_with_other_rows_has_the_number_of_the_old_ones_and_the_new_ones() -> None:
    old, new = (
        outline(*(row(f"{name} {n}", "Ann Lee") for n in range(6))) for name in ("River", "Garden")
    )
    assert changes(old, new) == [
        '- … 6 rows, "River 0" to "River 5"',
        *(f"+ | Garden {n} | Ann Lee" for n in range(6)),
    ]


def test_texts_without_a_common_word_are_no_change_of_each_other() -> None:
    old = outline("Books", "1-10 of 12", control("btn-1", "Next"), "The end")
    new = outline("Books", control("rad-1", "One"), "Rating 1 of 5", "The end")
    assert changes(old, new) == [
        "- 1-10 of 12",
        '- btn-1 "Next"',
        '+ rad-1 "One"',
        "+ Rating 1 of 5",
    ]


def test_a_heading_in_a_dialog_does_not_replace_the_heading_of_the_page() -> None:
    title = line(Mark("#"), "Confirm deletion", kind="heading", depth=1)
    new = outline(head("[dialog]"), title)
    assert changes(outline(heading("Tide tables")), new) == [
        "- # Tide tables",
        "+ [dialog]",
        "+   # Confirm deletion",
    ]


def test_texts_in_different_structures_are_no_change_of_each_other() -> None:
    old = outline("Bookings", head('[dialog "Delete"]'), line("Delete all bookings?", depth=1))
    new = outline("Bookings", "All bookings deleted")
    assert changes(old, new) == ['- [dialog "Delete"], 1 line', "+ All bookings deleted"]


def _books(count: int = 30) -> list[Line]:
    names = [f"{chr(97 + index * 7 % 26)}{index:04d} novel" for index in range(count)]
    return [
        row(name, str(index * 37 % 11), control(f"btn-{index:04x}", "Order"))
        for index, name in enumerate(names)
    ]


def _by_name(rows: list[Line]) -> list[Line]:
    return sorted(rows, key=lambda each: str(each.cells[0][0]))


def test_a_sorted_table_is_one_remark() -> None:
    top = head('[table "Books", 30 rows]', group=1)
    rows = _books()
    new = outline(top, row("Title", "Stock"), *_by_name(rows))
    first = ", ".join(str(each.cells[0][0]) for each in _by_name(rows)[:3])
    expected = f'! table "Books" reordered: 31 rows, now first: Title, {first}'
    assert changes(outline(top, row("Title", "Stock"), *rows), new) == [expected]


def test_figures_that_change_in_a_sorted_table_are_changes() -> None:
    rows = _books()
    changed = row(rows[4].cells[0][0], "99", rows[4].cells[2][0])
    new = outline(*_by_name([*rows[:4], changed, *rows[5:]]))
    found = changes(outline(*rows), new)
    assert len(found) == 2
    assert found[0].startswith("! table reordered: 30 rows, now first: ")
    assert found[1] == f"~ | {changed.cells[0][0]} | 5 → 99"


def _stations(query: str, names: Iterable[str]) -> list[Line]:
    numbered = {name: control(f"lnk-{name}{query}", str(ord(name[0]))) for name in names}
    return [row(link, f"{name} signal", "day") for name, link in numbered.items()]


def test_a_sorted_table_whose_links_got_other_ids_is_a_remark_and_the_new_ids() -> None:
    old, new = _stations("", "hbagcefd"), _stations("-2", "abcdefgh")
    found = changes(outline(*old), outline(*new))
    assert (
        found[0] == "! table reordered: 8 rows, now first: a signal, b signal, c signal, d signal"
    )
    assert found[1:] == [f'~ | lnk-{name}-2 "{ord(name)}"' for name in "abcdefgh"]


def test_other_ids_in_a_row_are_no_news_of_the_content() -> None:
    old, new = _stations("", "ab"), _stations("-2", "ab")
    assert not compare(outline(*old), outline(*new), scope="content")


def test_heads_of_columns_with_other_ids_are_one_line() -> None:
    old, new = (
        attrs.evolve(row("id", *(control(f"lnk-{n}{query}", n) for n in names)), is_head=True)
        for query, names in (("", ("kind", "crew", "day")), ("-2", ("kind", "crew", "day ▼")))
    )
    rows = _stations("", "ab")
    assert changes(outline(old, *rows), outline(new, *rows)) == [
        '~ | id | lnk-kind-2 "kind" | lnk-crew-2 "crew" | lnk-day "day" → lnk-day ▼-2 "day ▼"'
    ]


def test_heads_without_a_common_word_are_other_rows() -> None:
    old, new = (attrs.evolve(row(*names), is_head=True) for names in (("a", "b"), ("c", "d")))
    assert changes(outline(old), outline(new)) == ["- | a | b", "+ | c | d"]


def test_a_row_that_moved_is_named() -> None:
    rows = [item(name) for name in ("Ash", "Elm", "Fir", "Oak")]
    new = outline(rows[0], rows[2], rows[3], rows[1])
    assert changes(outline(*rows), new) == ["! list reordered: Elm now after Oak"]


def test_parts_of_a_line_that_moved_are_a_change_of_the_line() -> None:
    links = [control(f"lnk-{n}", name) for n, name in enumerate(("Ash", "Elm", "Fir"))]
    old, new = (
        outline("Trees", head('[nav "Open"]', *order))
        for order in (links, [links[0], links[2], links[1]])
    )
    assert changes(old, new) == ['~ lnk-1 "Elm" lnk-2 "Fir" → lnk-2 "Fir" lnk-1 "Elm"']


def test_texts_of_a_line_in_another_order_are_a_change() -> None:
    a, b = control("btn-1", "Left"), control("btn-2", "Right")
    old, new = outline(line("Ash", a, "Elm", b)), outline(line("Elm", a, "Ash", b))
    assert changes(old, new) == ['~ Ash btn-1 "Left" Elm → Elm btn-1 "Left" Ash']


def test_a_filtered_table_is_one_remark() -> None:
    rows = _books()
    found = changes(outline(*rows), outline(*rows[3:6]))
    assert found == ["! table filtered: 27 rows removed, 3 remain"]


def test_a_line_that_has_the_name_of_a_removed_line_replaces_it() -> None:
    old = outline("Menu", control("btn-1", "Browse"), row(control("lnk-2", "Ash"), "4"))
    new = outline("Menu", control("btn-3", "Browse"), row(control("lnk-4", "Ash"), "5"))
    assert changes(old, new) == ['+ btn-3 "Browse"', '~ | lnk-4 "Ash" | 4 → 5']


def test_a_number_beside_titles_that_changed_replaces_a_number() -> None:
    old = outline(head('[nav "Path"]', "Maps"), heading("Blue Compass"), "£59.88")
    new = outline(head('[nav "Path"]', "Books"), heading("Low Anchor"), "£45.67")
    assert changes(old, new) == [
        "~ Maps → Books",
        "~ Blue Compass → Low Anchor",
        "~ £59.88 → £45.67",
    ]


def test_a_control_that_leaves_a_line_is_removed() -> None:
    change = control("lnk-1", "Change")
    old, new = outline(line("Address", change)), outline(line("Address"))
    assert changes(old, new) == ['- lnk-1 "Change"']
    assert changes(new, old) == ['+ lnk-1 "Change"']


def test_a_row_with_the_control_of_another_row_does_not_replace_a_removed_row() -> None:
    kept, removed = control("btn-9", "Save"), control("btn-0", "Save")
    found = changes(outline(row("ash", kept), row(removed)), outline(row(kept)))
    assert '- | btn-0 "Save"' in found


def test_of_a_long_line_only_the_controls_with_new_ids_are_written() -> None:
    texts = [f"Words of the text before link number {n}" for n in range(4)]
    links = [control(f"lnk-{n}", f"Link {n}") for n in range(4)]
    pieces = [piece for pair in zip(texts, links, strict=True) for piece in pair]
    old = outline("Start", line(*pieces))
    new = outline("Start", line(*pieces[:-1], control("lnk-9", "Link 3")))
    assert changes(old, new) == ['+ lnk-9 "Link 3"']


def test_another_page_of_a_table_has_its_rows_and_counts_the_others() -> None:
    rows = _books()
    found = changes(outline(*rows[:10]), outline(rows[0], *rows[12:20], rows[1]))
    assert found[:-1] == [f"+ {each.text}" for each in rows[12:20]]
    assert found[-1].startswith("- … 8 rows, ")


def test_of_controls_of_a_structure_only_those_that_are_gone_are_removed() -> None:
    pages = [control(f"btn-{n}", f"Page {n}") for n in (1, 2, 3)]
    old, new = (outline("Books", head("[nav]", *some)) for some in (pages, pages[:2]))
    assert changes(old, new) == ['- btn-3 "Page 3"']
    assert changes(new, old) == ['+ btn-3 "Page 3"']


def test_a_calendar_that_opens_is_summarised() -> None:
    days = [control(f"btn-{day:x}d", str(day)) for day in range(1, 36)]
    weeks = [row(*days[start : start + 7], depth=1) for start in range(0, 35, 7)]
    new = outline("Date", head('[dialog "Choose a date"]'), *weeks)
    assert changes(outline("Date"), new) == [
        '+ [dialog "Choose a date"]',
        '+   … 35 buttons, btn-1d "1" to btn-23d "35"',
    ]


def test_a_menu_that_opens_is_written_and_one_that_closes_is_counted() -> None:
    links = [control(f"lnk-{n:02d}", f"Entry {n:02d} of the menu") for n in range(15)]
    shut, opened = outline("Books"), outline("Books", line(*links))
    assert changes(shut, opened) == [
        "+ " + " ".join(f'lnk-{n:02d} "Entry {n:02d} of the menu"' for n in range(15))
    ]
    assert changes(opened, shut) == [
        '- … 15 links, "Entry 00 of the menu" to "Entry 14 of the menu"'
    ]


def test_many_options_that_open_are_summarised() -> None:
    options = [control(f"clk-{n:02d}", f"Country number {n}", role="option") for n in range(60)]
    assert changes(outline("Country"), outline("Country", *options)) == [
        '+ … 60 options, clk-00 "Country number 0" to clk-59 "Country number 59"'
    ]


def test_equal_changes_of_many_controls_are_one_line() -> None:
    boxes = [[control(f"chk-{n}", "", state={"checked": x}) for n in range(8)] for x in (0, 1)]
    assert changes(outline(*boxes[0]), outline(*boxes[1])) == [
        "~ … 8 checkboxes [x], chk-0 to chk-7"
    ]
    assert changes(outline(*boxes[0]), outline(*boxes[1][:3], *boxes[0][3:])) == [
        f"~ chk-{n} [x]" for n in range(3)
    ]


def test_a_structure_that_is_gone_is_counted() -> None:
    old = outline(
        "Books",
        head("[form frm-1]"),
        line("Fill in all fields.", depth=1),
        *(line(control(f"inp-{n}", f"Field {n}"), depth=1) for n in range(6)),
    )
    assert changes(old, outline("Books")) == ["- [form frm-1], 1 line, 6 controls"]


def test_a_new_structure_has_its_content_indented() -> None:
    button = control("btn-1", "Save")
    new = outline("Books", head("[form frm-1]"), line(button, depth=1))
    assert changes(outline("Books"), new) == ["+ [form frm-1]", '+   btn-1 "Save"']


def test_a_cut_delta_keeps_what_is_urgent() -> None:
    added = [f"Paragraph number {n} of many" for n in range(100)]
    old = outline(control("btn-1", "Order"), "Intro of the page")
    new = outline(*added, control("btn-1", "Order", state={"enabled": False}), "Intro of the page")
    kept, rest = compare(old, new).cut(500)
    assert kept[-1] == "~ btn-1 [disabled]"
    assert kept[0] == "+ Paragraph number 0 of many"
    assert len(kept) + len(rest) == 101
    assert sum(len(text) + 1 for text in kept) <= 500
