"""Installation, and the numbers of elements."""

from typing import Any

import pytest

from charlotte.browser.probe import TITLE_BINDING, init_main_source, probe_source
from charlotte.page.capture import parse_answer
from charlotte.page.identity.records import Scene
from tests.browser.probe.rows import named, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_installing_it_twice_changes_nothing(page: RawPage) -> None:
    await page.load("<button>a</button>")
    before = await page.ask("capture")
    await page.run_beside(probe_source())
    after = await page.ask("capture")
    assert (after["document"], after["nodes"]) == (before["document"], before["nodes"])


async def test_a_new_document_has_a_new_name(page: RawPage) -> None:
    await page.load("a")
    first = (await page.ask("capture"))["document"]
    await page.load("a")
    assert (await page.ask("capture"))["document"] != first


async def test_the_page_sees_nothing_of_it(page: RawPage) -> None:
    await page.load("<button id=b>a</button>")
    seen = await page.run(
        "[b.computedRole, b.computedName, globalThis.charlotte, 'computedRole' in b]"
    )
    assert seen == [None, None, None, False]
    assert (await page.ask("capture"))["nodes"][1][2:4] == ["button", "a"]


def test_the_sources_are_the_same_object_every_time() -> None:
    assert probe_source() is probe_source()
    assert init_main_source() is init_main_source()


def test_the_source_is_ascii_so_that_the_browser_holds_a_byte_for_each_character() -> None:
    assert probe_source().isascii()
    assert "\\u2022" in probe_source()


async def test_numbers_stay_with_their_elements(page: RawPage) -> None:
    rows = await rows_in(page, "<button id=a>a</button><p><button id=b>b</button></p>")
    numbers = {row.name: row.nid for row in rows if row.kind == "i"}
    await page.run(
        """a.textContent = 'renamed'; document.querySelector('p').append(a);
        b.before(document.createElement('button'))"""
    )
    after = [row for row in rows_of(await page.ask("capture")) if row.kind == "i"]
    assert [row.name for row in after] == ["", "b", "renamed"]
    assert after[1].nid == numbers["b"]
    assert after[2].nid == numbers["a"]
    assert after[0].nid not in numbers.values()


async def test_a_replaced_element_gets_a_new_number(page: RawPage) -> None:
    (row,) = [row for row in await rows_in(page, "<button>a</button>") if row.kind == "i"]
    await page.run("document.body.innerHTML = '<button>a</button>'")
    (new,) = [row for row in rows_of(await page.ask("capture")) if row.kind == "i"]
    assert new.nid != row.nid
    assert await page.ask("describe", row.nid) == {"error": "gone"}


async def test_an_element_that_comes_back_has_its_old_number(page: RawPage) -> None:
    await page.load("<button id=a>a</button>")
    number = await page.nid("#a")
    await page.run("globalThis.kept = a; a.remove()")
    assert await page.ask("describe", number) == {"error": "gone"}
    await page.run("document.body.append(kept)")
    assert await page.nid("#a") == number
    assert (await page.ask("describe", number))["name"] == "a"


@pytest.mark.req("B-REF-03")
async def test_numbers_but_no_removed_elements_survive_garbage_collection(page: RawPage) -> None:
    await rows_in(page, "<button>a</button>" * 501)
    await page.run("(globalThis.removed = new WeakRef(document.body.lastChild)).deref().remove()")
    before = rows_of(await page.ask("capture"))
    for _ in range(3):
        await page.call("HeapProfiler.collectGarbage")
    assert await page.run("removed.deref() === undefined")
    assert rows_of(await page.ask("capture")) == before
    last = before[-1]
    assert (await page.ask("describe", last.nid))["nid"] == last.nid


async def test_numbers_and_elements_are_translated_for_other_callers(page: RawPage) -> None:
    await page.load("<button id=a>a</button>")
    tag = await page.run_beside(
        "charlotte.element(charlotte.nid(document.querySelector('button'))).localName"
    )
    assert tag == "button"
    assert await page.run_beside("charlotte.element(12345)") is None


CLOBBERED = """
<img name=title><img name=readyState><img name=querySelectorAll><form name=documentElement></form>
<form name=activeElement></form><form name=body></form><iframe name=innerWidth></iframe>
<form aria-label=Trap action=/go method=post><input name=action><input name=method>
<input name=attributes><input name=parentNode><input name=childNodes><input name=firstChild>
<input name=firstElementChild><input name=nextElementSibling><input name=nextSibling>
<input name=localName><input name=tagName><input name=nodeType><input name=getAttribute>
<input name=hasAttribute><input name=id><input name=className><input name=computedRole>
<input name=computedName><input name=getBoundingClientRect><input name=checkVisibility>
<input name=matches><input name=querySelector><input name=elements><input name=innerText>
<input name=textContent><input name=shadowRoot><input name=assignedSlot><input name=isConnected>
<input name=contains><input name=labels><button name=submit>Go</button></form><p>after</p>
"""


async def test_a_page_that_hides_the_properties_of_its_forms_is_read_all_the_same(
    page: RawPage,
) -> None:
    await page.load(f"<title>Hostile</title>{CLOBBERED}")
    capture = await page.ask("capture")
    rows = rows_of(capture)
    form = next(row for row in rows if row.name == "Trap")
    inside = [row for row in rows if row.kind == "i"]
    assert (capture["title"], capture["ready"], "skipped" in capture) == (
        "Hostile",
        "complete",
        False,
    )
    assert form.says("action", "method") == {"action": "http://site.test/go", "method": "POST"}
    assert len(inside) == CLOBBERED.count("<input") + 1
    assert {row.extra["form"] for row in inside} == {form.nid}
    assert {row.above and row.above.nid for row in inside} == {form.nid}
    assert rows[-1].name == "after"
    assert "x" in await page.ask("target", inside[-1].nid)
    assert (await page.ask("describe", form.nid))["name"] == "Trap"
    assert (await page.ask("query", "form[action]"))["rows"][0][1] == "form"


async def test_overridden_builtins_do_not_matter(page: RawPage) -> None:
    await page.load("<button>a</button>")
    await page.run(
        """Element.prototype.getAttribute = Map.prototype.get = Array.prototype.push =
        JSON.stringify = WeakMap.prototype.get = () => { throw new Error('trap'); }"""
    )
    assert [row.role for row in rows_of(await page.ask("capture"))] == ["text", "button"]


async def test_depth_beyond_reason_is_skipped_and_counted(page: RawPage) -> None:
    await page.load("<h1>top</h1>")
    await page.run(
        """let at = document.body;
        for (let depth = 0; depth < 900; depth += 1) {
          at = at.appendChild(document.createElement('b'));
        }
        document.body.append('end')"""
    )
    capture = await page.ask("capture")
    assert capture["skipped"] == 1
    assert [row.name for row in rows_of(capture)] == ["top", "top", "end"]


async def test_documents_that_are_not_html_do_no_harm(page: RawPage) -> None:
    foreign = "<math><mi>x</mi></math><svg><foreignObject><b>y</b></foreignObject></svg>"
    await page.load("<iframe></iframe>")
    assert await named(page, foreign) == []
    await page.run("document.documentElement.remove()")
    assert await page.ask("searchText", "x", 9, []) == {"rows": []}
    capture = await page.ask("capture")
    assert (capture["nodes"], capture["lang"], capture["elements"]) == ([], "", 0)


BUY = "<button>Buy</button>"


async def test_the_place_of_a_twin_is_its_row_below_the_same_heading(page: RawPage) -> None:
    for one, other, same in [
        (f"<h2>Cart</h2><p>Tea {BUY}<p>Oil {BUY}", f"<h2>Kept</h2><p>Tea {BUY}<p>Oil {BUY}", False),
        (f"<h2>Cart</h2><p>Oil {BUY}<p>Tea {BUY}", f"<h2>Cart</h2><p>Tea {BUY}<p>Rum {BUY}", True),
        (
            f"<div><h3>Oil</h3>{BUY}</div><div><h3>Tea</h3>{BUY}</div>",
            f"<div><h3>Rum</h3>{BUY}</div><div><h3>Tea</h3>{BUY}</div>",
            True,
        ),
        (
            f"<h2>Shop</h2><div>{BUY}<h3>Oil</h3></div><div>{BUY}<h3>Tea</h3></div>",
            f"<h2>Shop</h2><div>{BUY}<h3>Tea</h3></div><div>{BUY}<h3>Oil</h3></div>",
            True,
        ),
        (
            f"<h2>Shop</h2><div>{BUY}<h3>Oil</h3></div><div>{BUY}<h3>Tea</h3></div>",
            f"<h2>Kept</h2><div>{BUY}<h3>Oil</h3></div><div>{BUY}<h3>Tea</h3></div>",
            False,
        ),
    ]:
        """The heading of another row is not over this one."""
        places: list[Any] = []
        for html in (one, other):
            rows = [row for row in await rows_in(page, html) if row.role == "button"]
            places.append({row.extra["place"] for row in rows if "Tea" in row.extra["near"]})
        assert all(len(each) == 1 for each in places), one
        assert (places[0] == places[1]) is same, one


async def test_a_changed_column_head_is_sent_once_and_no_row_again(page: RawPage) -> None:
    rows = "".join(f"<tr><td>Item {n}<td><button>Buy</button>" for n in range(50))
    await page.load(f"<table><tr><th>Name<th id=head>Order{rows}</table>")
    before = parse_answer(await page.run_beside("charlotte.capture()"))
    await page.run("head.firstChild.data = 'Basket'; 0")
    answer = await page.run_beside(f"charlotte.capture({{known: '{before.answer}'}})")

    now = parse_answer(answer, before)
    button = next(node for node in now.nodes if node.role == "button")
    assert Scene(before).identity(button).column == ("#1", "Order")
    assert Scene(now).identity(button).column == ("#1", "Basket")
    assert "button" not in answer


async def test_the_probe_cannot_be_replaced(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    script = "const before = charlotte; charlotte = 1; charlotte === before"
    assert await page.run_beside(script) is True


async def test_an_opaque_origin_has_no_storage(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert await page.run_beside("charlotte.stored(0)") == ""


async def test_the_title_is_reported_whenever_it_changes(page: RawPage) -> None:
    await page.call("Runtime.addBinding", name=TITLE_BINDING, executionContextName="charlotte")
    await page.load("<title>One</title>")
    await page.run("document.title = 'Two'")
    await page.run("new Promise((resolve) => setTimeout(resolve, 300))")
    titles = [
        event["params"]["payload"]
        for event in page.cdp.events
        if event.get("method") == "Runtime.bindingCalled"
    ]
    assert titles[-2:] == ["One", "Two"]
