"""Excerpts of long pages: what every section keeps, what is counted, and what is written once."""

import attrs

from charlotte.answers.text.cut import (
    count_characters,
    excerpt,
    fold_known,
    split_margins,
    summarize,
    write_section,
)
from charlotte.answers.text.lines import Mark
from tests.answers.text.outlines import control, head, heading, item, line, outline, row


def test_a_page_that_fits_is_not_cut() -> None:
    page = outline(heading("Books"), "3 books")
    assert list(excerpt(page, 100).texts) == ["# Books", "3 books"]
    assert not excerpt(page, 100).rest


def test_a_long_table_leaves_room_for_what_follows_it() -> None:
    rows = [row(f"Station {number}", "North", group=7) for number in range(200)]
    part = excerpt(outline(heading("Stations"), *rows, "1 to 200 of 5,000"), 1000)
    assert part.texts[0] == "# Stations"
    assert part.texts[1] == "| Station 0 | North"
    assert part.texts[-2] == f"… {len(part.rest)} more rows"
    assert part.texts[-1] == "1 to 200 of 5,000"
    assert len("\n".join(part.texts)) <= 1000


def test_a_dialog_is_complete_however_long_the_page_is() -> None:
    dialog = [line("Delete it?", depth=1), line(control("btn-1", "Delete"), depth=1)]
    texts = [f"A line of the article with the number {number}" for number in range(100)]
    part = excerpt(outline(*texts, head('[dialog "Sure?"]'), *dialog), 600)
    assert part.texts[-3:] == ['[dialog "Sure?"]', "  Delete it?", '  btn-1 "Delete"']


def test_an_alert_is_not_cut() -> None:
    texts = [f"A line of the article with the number {number}" for number in range(100)]
    part = excerpt(outline(*texts, alerts=("A line of the article with the number 99",)), 600)
    assert part.texts[-1].endswith("number 99")


def test_a_cut_names_the_headings_that_are_left_out() -> None:
    lines = [entry for name in "ABCDEF" for entry in (heading(name), "x" * 190)]
    [*_, cut] = excerpt(outline(*lines), 600).texts
    assert cut.endswith('more lines under "D", "E", "F"')


def test_a_long_text_is_shortened_and_complete_in_the_rest() -> None:
    part = excerpt(outline("word " * 400), 600)
    [shown] = part.texts
    assert shown.endswith("…")
    assert [each.text for each in part.rest] == [("word " * 400).strip()]


def test_margins_that_are_known_take_one_line() -> None:
    links = [
        line(control(f"lnk-{number}", f"A long name {number}"), depth=1) for number in range(9)
    ]
    page = outline(head("[header]"), *links, "Welcome", head("[footer]"), line("Imprint", depth=1))
    header, footer = split_margins(page.lines)
    known = {write_section(header), write_section(footer)}
    folded = fold_known(page.lines, [header, footer], known)
    assert [each.written for each in folded] == [
        "[header] … 9 controls as before",
        "Welcome",
        "[footer]",
        "  Imprint",
    ]
    assert fold_known(page.lines, [header, footer], {"[header]"}) == page.lines


def test_a_summary_counts_the_controls_below_structures_and_headings() -> None:
    page = outline(
        heading("Books"), item("Silent Tide", control("btn-1", "Order")), control("lnk-2", "More")
    )
    assert summarize(page) == ["# Books", "… 2 controls"]


def test_the_outline_of_a_page_contains_the_headings_of_articles() -> None:
    story = line(Mark("#"), "Story", kind="item", mark="* ")
    card = item(Mark("###"), "Card", "5 EUR")
    note = (Mark("#"), "Note"), (control("btn-1", "Open"),)
    short = attrs.evolve(item("Note"), source=note)

    page = outline(heading("News", 2), story, line("Text", depth=1), item("Plain"), card, short)

    assert summarize(page) == ["## News", "# Story", "# Note", "… 1 control"]


def test_the_characters_of_few_lines_are_counted() -> None:
    assert count_characters(outline("12345", "123").lines) == "10"


def test_the_characters_of_rows_that_are_not_built_are_estimated() -> None:
    rows = [row(f"Station {number}", "North") for number in range(5_000)]
    for each in rows:
        each.expected = 10

    assert count_characters(rows) == "about 55,000"
