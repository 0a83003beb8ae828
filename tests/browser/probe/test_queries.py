"""Focus, boxes, descriptions, queries, scroll positions and settling."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def focus(page: RawPage, html: str, css: str, *, clear: bool = False) -> Json:
    await page.load(html)
    return await page.ask("focusText", await page.nid(css), clear)


async def test_the_caret_goes_to_the_end(page: RawPage) -> None:
    assert await focus(page, "<input value=abc>", "input") == {"line": "one"}
    caret = "[document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert await page.run(caret) == [3, 3]


async def test_what_is_typed_then_replaces_or_follows(page: RawPage) -> None:
    for html, read in [
        ("<input type=email id=x value=old>", "x.value"),
        ("<textarea id=x>old</textarea>", "x.value"),
        ("<div contenteditable id=x>o<b>ld</b></div>", "x.textContent"),
        ("<div role=combobox id=x><input value=old></div>", "x.firstChild.value"),
    ]:
        for clear, text in [(True, "new"), (False, "oldnew")]:
            assert "error" not in await focus(page, html, "#x", clear=clear), (clear, html)
            await page.call("Input.insertText", text="new")
            assert await page.run(read) == text, (clear, html)


async def test_digits_typed_into_a_number_do_so_too(page: RawPage) -> None:
    for clear, value in [(True, "2"), (False, "12")]:
        await focus(page, "<input type=number id=x value=1>", "#x", clear=clear)
        await page.call("Input.insertText", text="2")
        assert await page.run("x.value") == value, clear


async def test_the_text_of_an_editor_in_a_shadow_root_is_selected(page: RawPage) -> None:
    await page.load("<div id=host></div>")
    await page.run("host.attachShadow({mode: 'open'}).innerHTML = '<div contenteditable>old</div>'")
    focused = await page.ask("focusText", await page.nid("[contenteditable]"), 1)
    assert focused == {"editor": "own"}
    await page.call("Input.insertText", text="new")
    assert await page.run("host.shadowRoot.textContent") == "new"


async def test_focusing_brings_the_control_into_view(page: RawPage) -> None:
    await focus(page, "<div style=height:3000px></div><input>", "input")
    assert (await page.ask("scroll"))["y"] > 0


async def test_what_takes_no_text_is_refused_with_the_reason(page: RawPage) -> None:
    for html, error in [
        ("<button id=x>x</button>", "not editable"),
        ("<input id=x type=checkbox>", "not editable"),
        ("<input id=x disabled>", "disabled"),
        ("<input id=x readonly>", "readonly"),
        ("<div contenteditable aria-readonly=true id=x>x</div>", "readonly"),
        ("<input id=x style=display:none>", "hidden"),
    ]:
        assert (await focus(page, html, "#x"))["error"] == error, html


async def test_anything_focusable_can_be_given_the_focus(page: RawPage) -> None:
    await page.load("<button id=a>a</button><p id=b>b</p>")
    assert await page.ask("focus", await page.nid("#a")) == {}
    assert await page.run("document.activeElement.id") == "a"
    assert await page.ask("focus", await page.nid("#b")) == {"error": "not focusable"}
    assert await page.ask("focus", 99) == {"error": "gone"}


async def test_a_box_is_where_the_element_is_now(page: RawPage) -> None:
    await page.load(
        "<p id=a style='position:absolute;margin:0;left:5px;top:6px;width:7px;height:8px'>"
    )
    number = await page.nid("#a")
    assert await page.ask("box", number) == {"box": [5, 6, 7, 8]}
    await page.run("a.hidden = true")
    assert await page.ask("box", number) == {"box": 0}
    await page.run("a.remove()")
    assert await page.ask("box", number) == {"error": "gone"}


async def test_a_description_is_the_present_row(page: RawPage) -> None:
    await page.load("<button id=a>Save</button>")
    number = await page.nid("#a")
    await page.run("a.textContent = 'Saving'; a.disabled = true")
    answer = await page.ask("describe", number)
    assert [answer[key] for key in ("nid", "role", "name")] == [number, "button", "Saving"]
    assert answer["extra"]["disabled"] == 1


async def test_a_description_of_a_hidden_element_is_marked(page: RawPage) -> None:
    await page.load("<button id=a>Save</button>")
    number = await page.nid("#a")
    await page.run("a.style.display = 'none'")
    answer = await page.ask("describe", number)
    assert (answer["box"], answer["extra"]["hidden"]) == (0, 1)


async def test_anything_found_by_a_query_can_be_described(page: RawPage) -> None:
    await page.load("<p>text</p><h2>head</h2><main>main</main><a href=/x><p>in</p></a>")
    roles = [
        (await page.ask("describe", row[0]))["role"]
        for row in (await page.ask("query", "p, h2, main"))["rows"]
    ]
    assert roles == ["clickable", "heading", "main", "clickable"]


@pytest.mark.req("P-14")
async def test_a_query_looks_into_open_shadow_roots(page: RawPage) -> None:
    await page.load("<b>one</b><div id=host></div>")
    await page.run(
        """host.attachShadow({mode: 'open'}).innerHTML = '<b>two</b><div></div>';
        host.shadowRoot.lastChild.attachShadow({mode: 'open'}).innerHTML = '<b>  three \\n3 </b>'"""
    )
    answer = await page.ask("query", "b")
    assert [row[1:3] for row in answer["rows"]] == [["b", "one"], ["b", "two"], ["b", "three 3"]]
    assert answer["total"] == 3


async def test_a_query_answers_with_as_many_as_asked_for_and_says_how_many_there_are(
    page: RawPage,
) -> None:
    await page.load("<b>" + "x" * 200 + "</b>" * 1 + "<b>y</b>" * 9)
    answer = await page.ask("query", "b", 2)
    assert (len(answer["rows"]), answer["total"]) == (2, 10)
    assert answer["rows"][0][2] == "x" * 80 + "…"


async def test_a_wrong_selector_is_an_answer(page: RawPage) -> None:
    await page.load("x")
    answer = await page.ask("query", "a[")
    assert answer["error"] == "selector"
    assert "a[" in answer["message"]


async def test_scroll_positions_of_the_page_and_of_elements(page: RawPage) -> None:
    await page.load(
        """<body style='margin:0;height:2000px'>
        <div id=d style='height:50px;width:50px;overflow:auto'>
        <div style='height:300px;width:50px'></div></div>"""
    )
    await page.run("scrollTo(0, 100); d.scrollTop = 30")
    assert await page.ask("scroll") == {"x": 0, "y": 100, "max_x": 0, "max_y": 1280}
    answer = await page.ask("scroll", await page.nid("#d"))
    assert (answer["y"], answer["max_y"]) == (30, await page.run("d.scrollHeight - d.clientHeight"))
    assert await page.ask("scroll", 999) == {"error": "gone"}


async def test_a_quiet_page_is_settled_after_two_frames(page: RawPage) -> None:
    await page.load("<p>still</p>")
    await page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    quiet: Json = {"settled": True, "waited": [], "later": 0, "every": 0, "animation": 0}
    assert await page.ask("settle") == quiet


@pytest.mark.parametrize("root", ["host", "host.attachShadow({mode: 'open'})"])
async def test_it_waits_for_mutations_to_end(page: RawPage, root: str) -> None:
    await page.load("<div id=host></div>")
    await page.run(
        f"""const p = {root}.appendChild(document.createElement('p'));
        self.count = 0;
        const more = () => {{ p.title = count += 1; if (count < 8) requestAnimationFrame(more); }};
        requestAnimationFrame(more)"""
    )
    answer = await page.ask("settle", {"cap": 10_000})
    assert (answer["settled"], answer["waited"]) == (True, ["mutations"])
    assert await page.run("count") == 8


async def test_what_a_live_region_no_longer_says_is_in_the_answer(page: RawPage) -> None:
    await page.load("<p role=alert id=a></p><p role=status id=s></p>")
    await page.ask("capture")
    await page.run("setTimeout(() => { a.textContent = 'Saved'; s.textContent = 'Ready' })")
    await page.run("new Promise((done) => setTimeout(() => { a.textContent = ''; done() }, 200))")

    assert (await page.ask("settle", {"age": 400}))["vanished"] == ["Saved"]
    assert "vanished" not in await page.ask("settle", {"age": 1})


@pytest.mark.parametrize("root", ["host", "host.attachShadow({mode: 'open'})"])
async def test_it_waits_for_transitions_that_end_soon(page: RawPage, root: str) -> None:
    await page.load("<div id=host></div>")
    await page.run(
        f"""self.root = {root}; root.innerHTML = '<p style="transition: opacity .2s linear">x';
        getComputedStyle(root.firstChild).opacity; root.firstChild.style.opacity = 0"""
    )
    answer = await page.ask("settle")
    assert (answer["settled"], "animations" in answer["waited"]) == (True, True)
    assert await page.run("getComputedStyle(root.firstChild).opacity") == "0"


async def test_a_page_that_never_rests_is_given_up_at_the_cap(page: RawPage) -> None:
    await page.load("<p id=p>0</p>")
    await page.run("const more = () => { p.title += 1; requestAnimationFrame(more); }; more()")
    answer = await page.ask("settle", {"frames": 2, "cap": 100})
    assert (answer["settled"], answer["waited"]) == (False, ["mutations"])


async def test_the_heading_over_a_text_is_one_that_can_be_seen(page: RawPage) -> None:
    await page.load(
        "<h1>People</h1><dialog><h2>New person</h2></dialog>"
        "<section hidden><h2>Other tab</h2></section><div>Saved Bea</div>"
    )
    ((*_, heading, _landmark, _said),) = (await page.ask("searchText", "saved", 10, []))["rows"]
    assert heading == "People"


_BOX = """<div id=box style="height: 100px; width: 300px; overflow: auto">
  <p id=p style="height: 1000px">Text</p></div>"""


_LONG = "style='height: 300px; overflow: auto'><p style='height: 900px'>"
_COVER = "<div style='position: fixed; inset: 0'>"


@pytest.mark.parametrize(
    ("front", "script", "moved"),
    [
        (f"<dialog id=d {_LONG}", "d.showModal()", "d"),
        (f"{_COVER}<nav {_LONG}</nav><nav id=d {_LONG}</nav></div>", "d.style.zoom = 2", "d"),
        (f"{_COVER}Wait</div>", "0", "document.scrollingElement"),
        (f"<aside {_LONG}</aside>", "0", "document.scrollingElement"),
        (f"<main id=d {_LONG}</main>", "d.style.height = '100vh'; d.previousSibling.remove()", "d"),
    ],
)
async def test_what_is_in_front_scrolls_before_the_page(
    page: RawPage, front: str, script: str, moved: str
) -> None:
    await page.load(f"<div style='height: 5000px'></div>{front}")
    await page.run(script)
    answer = await page.ask("scrollBy", 0, "y", {"px": 50})
    most = (await page.ask("scroll", answer["scroller"]))["max_y"]
    assert await page.run(f"{moved}.scrollHeight - {moved}.clientHeight") == most
    assert answer["turn"] == 50


async def test_an_element_is_brought_into_view(page: RawPage) -> None:
    await page.load("<div style='height: 5000px'></div><p id=p>Text</p>")
    number = await page.nid("#p")
    assert await page.ask("reveal", number, "center", "nearest") == {"moved": True}
    assert await page.ask("reveal", number, "center", "nearest") == {"moved": False}


async def test_the_scrollers_at_a_point_are_listed(page: RawPage) -> None:
    await page.load(_BOX)
    assert await page.ask("scrollersAt", 50, 50) == {"around": [await page.nid("#box")]}
