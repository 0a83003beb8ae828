"""Rows of tables, lists, trees and cards, and the elements that belong to them."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_TREE = """<ul role=tree><li role=treeitem id=docs>Docs <button id=all>Open</button><ul role=group>
  <li role=treeitem id=a>Plan <button id=open-a>Open</button></li>
  <li role=treeitem id=b>Notes <button id=open-b>Open</button></li></ul></ul>"""


async def rows_of(page: RawPage, selector: str, text: str | None = None) -> dict[str, list[str]]:
    """Return the texts of the rows of the elements that are in rows, by id."""
    ids = await page.run(f"[...document.querySelectorAll('{selector}')].map((one) => one.id)")
    nids = [await page.nid(f"#{name}") for name in ids]
    answer = await page.ask("rowsAround", nids, text)
    pairs = zip(ids, answer["of"], strict=True)
    return {name: answer["rows"][index][1] for name, index in pairs if index >= 0}


async def test_an_element_belongs_to_the_nearest_row_of_a_kind(page: RawPage) -> None:
    await page.load(_TREE)
    assert await rows_of(page, "button", "docs") == {"all": ["Docs", "Plan Open Notes Open"]}
    assert await rows_of(page, "button", "notes") == {"open-b": ["Notes"]}


async def test_an_item_is_a_row_of_its_own(page: RawPage) -> None:
    await page.load(_TREE)
    assert set(await rows_of(page, "[role=treeitem], button", "plan")) == {"a", "open-a"}


async def test_the_cells_of_a_row_without_semantics_are_no_rows(page: RawPage) -> None:
    rows = "".join(
        f"<div style='display: flex'><p class=c><i><a id=n{n} href='#{n}'>Name {n}</a></i></p>"
        f"<p class=c><i><button id=b{n}>Buy</button></i></p></div>"
        for n in range(3)
    )
    await page.load(f"<section>{rows}</section>")
    assert set(await rows_of(page, "a, button", "name 1")) == {"n1", "b1"}


async def test_stacked_parts_of_the_same_shape_are_rows(page: RawPage) -> None:
    card = "<div class=card><b>{0}</b><button id={0}>Move</button></div>"
    columns = [card.format(f"{name}1") + card.format(f"{name}2") for name in ("x", "y")]
    page_of = "<div style='display: flex'><div class=c>{}</div><div class=c>{}</div></div>"
    await page.load(page_of.format(*columns))
    assert set(await rows_of(page, "button", "y2")) == {"y2"}


async def test_a_text_in_a_row_and_in_one_of_its_items_belongs_to_both(page: RawPage) -> None:
    card = (
        "<div class=card><h3>{0}</h3><ul><li>{0} <a id=t{1} href='#'>tag</a></ul>"
        "<i><button id=b{1}>Buy</button></i></div>"
    )
    await page.load(card.format("Fox", 1) + card.format("Owl", 2))
    assert set(await rows_of(page, "a, button", "fox")) == {"t1", "b1"}


async def test_a_section_of_the_page_is_no_row(page: RawPage) -> None:
    long = "word " * 500
    await page.load(
        f"<article><p>Fox {long}</p><button id=b>Buy</button></article><article></article>"
    )
    assert await rows_of(page, "button", "fox") == {}


async def test_values_of_fields_are_part_of_a_row_but_no_passwords(page: RawPage) -> None:
    await page.load(
        "<ul><li><input value=Fox><input type=password value=Secret><button id=b>Save</button></ul>"
    )
    assert await rows_of(page, "button", "fox") == {"b": ["Fox"]}
    assert await rows_of(page, "button", "secret") == {}


async def test_without_a_text_the_row_says_more_than_the_element(page: RawPage) -> None:
    await page.load(
        "<div class=card><h3>Fox</h3><ul><li><a id=t href='#'>cute</a></ul></div>"
        "<div class=card><h3>Owl</h3><ul><li><a href='#'>cute</a></ul></div>"
    )
    assert await rows_of(page, "#t") == {"t": ["Fox", "cute"]}
