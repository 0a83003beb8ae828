"""find{row}, and the rows that distinguish equal results."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PETS = (("Gus", "Lima"), ("Lost dog 41", "Oslo"), ("Lost dog 4", "Rome"), ("Ann", "Lima"))
BUTTON = "<button onclick='document.title = this.dataset.of' data-of='{name}'>Delete</button>"


def made_of(before: str, row: str, after: str) -> str:
    rows = (
        row.format(
            number=number, name=name, city=city, button=BUTTON.format(name=name), place=number + 2
        )
        for number, (name, city) in enumerate(PETS)
    )
    return before + "".join(rows) + after


TABLE = made_of("<table>", "<tr><td>{number}<td>{name}<td>{city}<td>{button}", "</table>")
CARDS = made_of(
    "<main style='display: flex'>",
    "<div class=card><h3>{name}</h3><p>{city}</p><ul><li><a href='/t'>cute</a></ul>{button}</div>",
    "</main>",
)
PLACES = {
    "table": TABLE,
    "table in a layout table": f"<table><tr><td>{BUTTON.format(name='outer')}<td>{TABLE}</table>",
    "grid": made_of(
        "<div role=grid>",
        "<div role=row><div role=gridcell><b>{name}</b></div>"
        "<div role=gridcell>{button}</div></div>",
        "</div>",
    ),
    "grid with a fixed column": (
        made_of(
            "<div role=grid><div>",
            "<div role=row aria-rowindex={place}><div role=gridcell>{button}</div></div>",
            "</div><div>",
        )
        + made_of(
            "",
            "<div role=row aria-rowindex={place}><div role=gridcell>{name}</div></div>",
            "</div></div>",
        )
    ),
    "list": made_of("<ul>", "<li><p>{name}</p><div><div>{button}</div></div>", "</ul>"),
    "tree": made_of(
        f"<ul role=tree><li role=treeitem>{BUTTON.format(name='root')} All<ul role=group>",
        "<li role=treeitem><span>{name}</span>{button}",
        "</ul></ul>",
    ),
    "cards": CARDS,
    "rows without semantics": made_of(
        "<div>",
        "<div style='display: flex'><div class=c><i><a href='/a'>{name}</a></i></div>"
        "<div class=c><i>{button}</i></div></div>",
        "</div>",
    ),
    "row of fields": made_of(
        "<table>", "<tr><td><input aria-label=Name value='{name}'><td>{button}", "</table>"
    ),
}


def found_in(tab: Tab, **filters: Any) -> list[dict[str, Any]]:
    return [*tab.call("find", **filters)]


def test_find_returns_the_controls_of_the_row_with_a_text(tab: Tab) -> None:
    for page in PLACES.values():
        with case(page):
            tab.open(page)
            first, *others = found_in(tab, row="Lost dog 4", role="button")
            tab.call("click", element_id=first["id"])
            assert tab.js("document.title") == "Lost dog 4"
            assert len(others) == 1, "the row whose text only begins so comes after"


def test_a_row_is_combined_with_a_text_and_a_type(tab: Tab) -> None:
    tab.open(CARDS)

    [button] = found_in(tab, row="Lost dog 41", text="delete")
    assert button["label"] == "Delete"
    [link] = found_in(tab, row="Lost dog 41", type="link")
    assert link["label"] == "cute"


def test_the_cells_of_a_row_are_found_by_their_role(tab: Tab) -> None:
    tab.open(TABLE)

    cells = found_in(tab, row="Lost dog 41", role="cell")

    assert [cell["text"] for cell in cells] == ["1", "Lost dog 41", "Oslo", "Delete"]


def test_a_text_that_is_in_no_row_is_listed_with_its_place(tab: Tab) -> None:
    tab.open(f"<h1>Lost dog 5</h1>{TABLE}")

    [text] = tab.call("find", row="Lost dog 5", role="button")

    assert (text["type"], text["text"]) == ("text", "Lost dog 5")


def test_equal_texts_are_distinguished_by_their_rows(tab: Tab) -> None:
    tab.open(TABLE)

    _, others = tab.reply("find", text="Lima", answers="text").text.split("\n", 1)

    assert '"Lima" [td, in row "0 | Gus"]' in others
    assert '"Lima" [td, in row "3 | Ann"]' in others
