"""URLs of links that are blocks or contain blocks."""

import pytest

from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, el, heading


def to(address: str, *inside: "Element | str", **facts: object) -> Element:
    return el("a", *inside, role="link", href=address, **facts)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (to("/a", "Alpha", block=1), "[Alpha](/a)"),
        (to("/a", el("div", "Alpha")), "[Alpha](/a)"),
        (to("/a", el("div", el("b", "Alpha"), " one")), "[**Alpha** one](/a)"),
        (to("/a", heading(3, "Mug"), el("div", "$12")), "### [Mug](/a)\n\n$12"),
        (to("/a", el("div", "New"), heading(3, "Mug")), "[New](/a)\n\n### Mug"),
        (to("/a", el("div", "Mug"), el("div", "$12")), "[Mug](/a)\n\n$12"),
        (to("/a", el("ul", el("li", "one"), el("li", "two"))), "- [one](/a)\n- two"),
        (to("/a", el("img", role="img", name="Home"), name="Home"), "[Home](/a)"),
        (to("/a", el("img", role="img"), name="Home", block=1), "[Home](/a)"),
    ],
    ids=["block", "around", "marked", "card", "badge", "no heading", "list", "image", "logo"],
)
def test_the_url_of_a_link_is_written_once_at_its_first_text(link: Element, expected: str) -> None:
    assert markdown(link) == expected


def test_block_links_keep_their_urls_in_tables_and_items() -> None:
    table = el("table", el("tr", el("td", to("/a", el("div", "Alpha")))))
    item = el("ul", el("li", to("/b", "Beta", block=1)))

    assert markdown(table, item) == "| [Alpha](/a) |\n| --- |\n\n- [Beta](/b)"


def test_urls_are_written_only_in_markdown_and_if_wanted() -> None:
    card = to("/a", heading(3, "Mug"), el("div", "$12"), name="Mug $12")

    assert markdown(card, links=False) == "### Mug\n\n$12"
    assert lines(card, to("/b", name="Icon", block=1)) == [
        '  HEADING level=3 "Mug"',
        '  TEXT "$12"',
    ]
