"""The states of controls."""

from typing import Any

import pytest

from tests.browser.probe.rows import only, only_in_each, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

STATES = """disabled hidden focused checked expanded selected pressed required invalid readonly sort
  current"""


CASES: list[tuple[str, dict[str, Any]]] = [
    ("<button>x</button>", {}),
    ("<button disabled>x</button>", {"disabled": 1}),
    ("<fieldset disabled><input></fieldset>", {"disabled": 1}),
    ("<fieldset disabled><legend><input></legend></fieldset>", {}),
    ("<div role=button aria-disabled=true>x</div>", {"disabled": 1}),
    ("<input type=checkbox>", {"checked": False}),
    ("<input type=checkbox checked>", {"checked": True}),
    ("<input type=radio name=a checked>", {"checked": True}),
    ("<div role=checkbox aria-checked=mixed>x</div>", {"checked": "mixed"}),
    ("<input type=checkbox role=switch checked>", {"checked": True}),
    ("<div role=radio>x</div>", {"checked": False}),
    ("<button aria-expanded=false>x</button>", {"expanded": False}),
    ("<button aria-expanded=true>x</button>", {"expanded": True}),
    ("<details><summary>x</summary></details>", {"expanded": False}),
    ("<details open><summary>x</summary></details>", {"expanded": True}),
    ("<div role=tab aria-selected=true>x</div>", {"selected": True}),
    ("<button aria-pressed=mixed>x</button>", {"pressed": "mixed"}),
    ("<button aria-pressed=false>x</button>", {"pressed": False}),
    ("<a href=/x aria-current=page>x</a>", {"current": "page"}),
    ("<button aria-current=true>x</button>", {"current": True}),
    ("<a href=/x aria-current=false>x</a>", {}),
    ("<a href=/x aria-current=nonsense>x</a>", {}),
    ("<input required>", {"required": 1}),
    ("<div role=textbox aria-required=true>x</div>", {"required": 1}),
    ("<input aria-invalid=true>", {"invalid": 1}),
    ("<input aria-invalid=false>", {}),
    ("<input type=email value=nonsense aria-invalid=false>", {}),
    ("<input type=number min=5 value=3>", {"invalid": 1}),
    ("<input pattern=a+ value=b>", {"invalid": 1}),
    ("<fieldset aria-disabled=true><button>x</button></fieldset>", {"disabled": 1}),
    ("<div aria-disabled=true><p aria-disabled=false><button>x</button></div>", {}),
    ("<select disabled><option>x</select>", {"disabled": 1}),
    ("<div role=menuitemcheckbox aria-checked=mixed>x</div>", {"checked": "mixed"}),
    ("<details open><summary role=button>x</summary></details>", {"expanded": True}),
    ("<select required><option value=''>-</select>", {"required": 1}),
    ("<input type=email value=nonsense>", {"invalid": 1}),
    ("<input type=email value=a@b.c>", {}),
    ("<input readonly>", {"readonly": 1}),
    ("<textarea aria-readonly=true></textarea>", {"readonly": 1}),
]


@pytest.mark.req("C-PR-20", "C-PR-23", "C-PR-24", "C-PR-25", "C-PR-26", "C-PR-27")
async def test_states_come_from_properties_and_from_aria(page: RawPage) -> None:
    texts = [html for html, _ in CASES]
    rows = await only_in_each(page, texts, "i")
    assert [
        (html, row.says(*STATES.split())) for html, row in zip(texts, rows, strict=True)
    ] == CASES


async def test_the_head_of_a_column_says_how_that_is_sorted(page: RawPage) -> None:
    for head, states in [
        ("<th aria-sort=descending tabindex=0>x", {"sort": "descending"}),
        ("<th aria-sort=none><button>x</button>", {"sort": "none"}),
        ("<th aria-sort=other><div><button>x</button></div>", {"sort": "other"}),
        ("<th aria-sort=ascending onclick=f()>x", {"sort": "ascending"}),
        ("<th aria-sort=sideways><button>x</button>", {}),
        ("<th><button aria-sort=ascending>x</button>", {}),
    ]:
        row = await only(page, f"<table><tr>{head}<tr><td aria-sort=other>y</table>", "ic")
        assert row.says(*STATES.split()) == states, head


async def test_the_head_of_a_column_is_found_in_a_shadow_root(page: RawPage) -> None:
    await page.load("<div id=host></div>")
    await page.run("""host.attachShadow({mode: 'open'}).innerHTML =
        '<table><tr><th aria-sort=ascending><button>x</button></table>'""")
    (row,) = [row for row in rows_of(await page.ask("capture")) if row.kind == "i"]
    assert row.extra["sort"] == "ascending"


@pytest.mark.req("C-PR-23")
async def test_a_half_checked_box_is_mixed(page: RawPage) -> None:
    await page.load("<input type=checkbox>")
    await page.run("document.querySelector('input').indeterminate = true")
    (row,) = rows_of(await page.ask("capture"))
    assert row.extra["checked"] == "mixed"


async def test_a_required_field_fails_once_it_was_submitted_empty(page: RawPage) -> None:
    html = "<form action=javascript:0><input required><button>Send</button></form>"
    field = next(row for row in await rows_in(page, html) if row.role == "textbox")
    assert "invalid" not in field.extra
    await page.run("document.querySelector('button').click()")
    assert (await page.ask("describe", field.nid))["extra"]["invalid"] == 1


@pytest.mark.req("C-PR-22")
async def test_only_the_focused_control_is_focused_also_in_a_shadow_root(page: RawPage) -> None:
    fields = "<input id=a><input id=b>"
    for root in ("document.body", "document.body.attachShadow({mode: 'open'})"):
        await page.load("<body>")
        await page.run(f"const r = {root}; r.innerHTML = '{fields}'; r.querySelector('#b').focus()")
        rows = rows_of(await page.ask("capture"))
        assert ["focused" in row.extra for row in rows] == [False, True]


@pytest.mark.req("C-PR-13", "C-PR-21")
async def test_a_control_without_size_is_hidden_and_has_no_box(page: RawPage) -> None:
    row = await only(page, "<button style='width:0;height:0;padding:0;border:0'>x</button>")
    assert (row.box, row.extra["hidden"]) == (None, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<button style=display:contents>Export</button>",
        "<label style=display:contents><input type=checkbox hidden> Agree</label>",
        "<x-row style=display:contents role=option></x-row>",
        "<button style=display:contents><i hidden>no</i>plain <b>text</b></button>",
    ],
)
async def test_an_element_without_a_box_is_where_its_text_is(page: RawPage, html: str) -> None:
    await page.load(html)
    await page.run(
        """const host = document.querySelector('x-row');
        if (host) host.attachShadow({mode: 'open'}).append('row')"""
    )
    css = "body > :not(input):not(style)"
    answer = await page.ask("target", await page.nid(css), {})
    assert "error" not in answer
    hit = f"document.elementFromPoint({answer['x']}, {answer['y']}).closest('{css}') !== null"
    assert await page.run(hit)


async def test_a_transparent_checkbox_is_there(page: RawPage) -> None:
    row = await only(page, "<input type=checkbox style='opacity:0'>")
    assert row.box is not None
    assert "hidden" not in row.extra


async def test_a_link_around_a_float_has_the_box_of_what_it_holds(page: RawPage) -> None:
    row = await only(page, "<a href=/x><span style='float:left;width:40px;height:30px'></span></a>")
    assert row.box is not None
    assert row.box[2:] == [40, 30]


@pytest.mark.req("C-PR-13", "C-PR-21")
async def test_a_hidden_file_input_is_recorded_as_hidden(page: RawPage) -> None:
    for style in ["display:none", "visibility:hidden"]:
        row = await only(page, f"<label>Photo <input type=file style={style}></label>")
        assert (row.extra["type"], row.box, row.extra["hidden"]) == ("file", None, 1), style


async def test_a_label_stands_for_a_checkbox_of_which_nothing_is_drawn(page: RawPage) -> None:
    for html in [
        "<label>Dark <input type=checkbox checked></label>",
        "<input type=checkbox checked id=x><label for=x>Dark</label>",
        "<label><i><input type=checkbox checked></i><b>Dark</b><s hidden>light</s></label>",
        "<label><input type=checkbox checked aria-label=Dark>Anything</label>",
        "<label for=x hidden>No</label><input type=checkbox checked id=x><label for=x>Dark</label>",
    ]:
        for style in [
            "display:none",
            "visibility:hidden",
            "appearance:none;opacity:0;width:0;height:0;margin:0;border:0;position:absolute",
        ]:
            row = await only(
                page, f"<style>input {{ {style} }} label {{ cursor: pointer }}</style>{html}"
            )
            box = await page.run("""(() => {
        const { x, y, width, height } = [...document.querySelectorAll('label')].at(-1)
            .getBoundingClientRect()
        return [x, y, width, height].map(Math.round) })()""")
            assert (row.kind, row.role, row.name, row.box) == ("i", "checkbox", "Dark", box), (
                style,
                html,
            )
            assert row.says("checked", "hidden") == {"checked": True}, (style, html)


async def test_a_checkbox_without_anything_drawn_is_not_listed(page: RawPage) -> None:
    for where in ["<p>", "<p hidden>", "<p style=visibility:hidden>"]:
        label = "<label for=x></label>" if where == "<p>" else "<label for=x>Dark</label>"
        assert (
            await rows_in(page, f"{where}<input type=checkbox id=x style=display:none>{label}")
            == []
        ), where


@pytest.mark.req("C-PR-11")
async def test_boxes_are_relative_to_the_viewport(page: RawPage) -> None:
    await page.load(
        """<body style='height:3000px;margin:0'><style>input { position: absolute; left: 20px;
        top: 900px; width: 50px; height: 30px; border: 0; padding: 0 }</style><input>"""
    )
    assert rows_of(await page.ask("capture"))[0].box == [20, 900, 50, 30]
    await page.run("scrollTo(0, 500)")
    capture = await page.ask("capture")
    assert rows_of(capture)[0].box == [20, 400, 50, 30]
    assert capture["scroll"] == [0, 500, 0, 2280]
