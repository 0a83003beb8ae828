"""What a modal dialog leaves of a page, and other things that come to the front."""

import pytest

from tests.browser.probe.rows import Row, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

PAGE = """<main>text <button>behind</button></main><div id=host><b>slotted</b></div>
<dialog id=one><h2>One</h2><button>in one</button></dialog>
<dialog id=two><button>in two</button></dialog>
<div popover id=menu><button>in menu</button></div>"""


async def after(page: RawPage, script: str) -> list[Row]:
    await page.load(PAGE)
    await page.run(script)
    return rows_of(await page.ask("capture"))


def names(rows: list[Row]) -> list[tuple[str, str]]:
    return [(row.kind, row.name) for row in rows]


async def test_behind_a_modal_dialog_there_is_nothing(page: RawPage) -> None:
    rows = await after(page, "one.showModal()")
    assert names(rows) == [("g", ""), ("h", "One"), ("t", "One"), ("t", "in one"),
                           ("i", "in one")]  # fmt: skip


async def test_the_whole_page_is_back_when_it_is_closed(page: RawPage) -> None:
    rows = await after(page, "one.showModal(); one.close()")
    assert ("i", "behind") in names(rows)
    assert ("i", "in one") not in names(rows)


async def test_of_two_modal_dialogs_the_later_one_counts(page: RawPage) -> None:
    rows = await after(page, "two.showModal(); one.showModal()")
    assert ("i", "in one") in names(rows)
    assert ("i", "in two") not in names(rows)


async def test_a_modal_dialog_in_a_shadow_root_keeps_its_aria_widgets(page: RawPage) -> None:
    inner = """<dialog><div role=switch tabindex=0 aria-checked=false>Wifi</div><slot></slot>
      <div contenteditable aria-label=Note></div><p inert>inert</p></dialog>"""
    rows = await after(
        page,
        f"""host.innerHTML = '<a tabindex=0 role=button>slotted</a>';
        host.attachShadow({{mode: 'open'}}).innerHTML = '<p><slot></slot></p>';
        const inside = host.shadowRoot.querySelector('p').attachShadow({{mode: 'open'}});
        inside.innerHTML = `{inner}`;
        inside.querySelector('dialog').showModal()""",
    )
    shown = [name for kind, name in names(rows) if kind == "i"]
    assert shown == ["Wifi", "slotted", "Note"]
    assert "inert" not in str(names(rows))


async def test_a_dialog_that_is_not_modal_stands_beside_the_rest(page: RawPage) -> None:
    found = names(await after(page, "one.show()"))
    assert ("i", "behind") in found
    assert ("i", "in one") in found


async def test_a_popover_is_there_while_it_is_shown(page: RawPage) -> None:
    assert ("i", "in menu") not in names(await after(page, "0"))
    assert ("i", "in menu") in names(await after(page, "menu.showPopover()"))


@pytest.mark.req("C-PR-24")
async def test_a_popover_button_is_expanded_while_the_popover_is_open(page: RawPage) -> None:
    await page.load("<button popovertarget=p>Menu</button><div popover id=p>x</div>")
    (row, *_) = [row for row in rows_of(await page.ask("capture")) if row.kind == "i"]
    assert row.extra["expanded"] is False
    await page.run("p.showPopover()")
    assert (await page.ask("describe", row.nid))["extra"]["expanded"] is True


WHERE = """<main><h1>Shop</h1><button id=a>A</button></main><p><button id=b>B</button></p>
<dialog id=d aria-label=Sure><button id=c>C</button></dialog>
<div id=r role=dialog aria-label=Aria hidden><button id=e>E</button></div>"""


async def hidden_class(page: RawPage, script: str) -> tuple[str, str, str]:
    """The names of what is behind, of what is hidden, and what is in front."""
    await page.load(WHERE)
    names = {await page.nid(f"#{name}"): name for name in "abce"}
    await page.run(script)
    answer = await page.ask("classifyHidden", 0, [*names, 999_999])
    behind, hidden = ("".join(names[nid] for nid in answer[part]) for part in ("behind", "hidden"))
    return behind, hidden, answer["front"]


async def test_what_is_not_listed_any_more_is_behind_or_hidden_or_gone(page: RawPage) -> None:
    behind = "document.querySelector('main').setAttribute('aria-hidden', 'true')"
    for script, expected in [
        ("0", ("", "ce", "")),
        ("d.showModal()", ("ab", "e", 'dialog "Sure"')),
        ("d.show()", ("", "e", "")),
        ("document.querySelector('main').inert = true", ("a", "ce", "")),
        (f"r.hidden = false; {behind}", ("a", "c", 'dialog "Aria"')),
        ("b.remove(); document.querySelector('main').style.display = 'none'", ("", "ace", "")),
    ]:
        assert await hidden_class(page, script) == expected, script


async def test_what_is_in_a_modal_dialog_of_a_shadow_root_is_not_behind_it(page: RawPage) -> None:
    answer = await hidden_class(
        page,
        """const host = document.querySelector('p'); host.attachShadow({mode: 'open'}).innerHTML =
        '<dialog aria-label=Deep><slot></slot></dialog>';
        host.shadowRoot.querySelector('dialog').showModal()""",
    )
    assert answer == ("a", "ce", 'dialog "Deep"')


async def test_a_page_that_is_nested_without_end_is_asked_all_the_same(page: RawPage) -> None:
    await page.load("<p id=a>A</p><div id=box hidden></div>")
    nid = await page.nid("#a")
    await page.run("""let deepest = document.createElement('b');
      deepest.append('needle', a);
      for (let n = 0; n < 2000; n += 1) {
        const around = document.createElement('b'); around.append(deepest); deepest = around }
      box.append(deepest); 0""")

    assert (await page.ask("classifyHidden", 0, [nid]))["hidden"] == [nid]
    assert (await page.ask("searchText", "needle", 10, []))["rows"] == []
    assert (await page.ask("query", "#box"))["total"] == 1
