"""Landmarks, headings, forms, labelled containers; what is left out."""

import pytest

from tests.browser.probe.rows import named, only, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_capture_describes_the_document(page: RawPage) -> None:
    await page.load("<html lang=de><title> A  title </title><p>x")
    capture = await page.ask("capture")
    facts = {key: capture[key] for key in ("title", "ready", "lang", "viewport", "scroll")}
    assert facts == {
        "title": "A title",
        "ready": "complete",
        "lang": "de",
        "viewport": [1280, 720],
        "scroll": [0, 0, 0, 0],
    }
    assert capture["url"].startswith("data:text/html")
    assert capture["elements"] == 4  # html, head, body, p: what is in the head is not looked at


@pytest.mark.req("C-PR-09")
async def test_all_landmarks_are_found(page: RawPage) -> None:
    html = """<header>a</header><nav aria-label=Main>b</nav><main>c
      <section aria-label=Part>d</section><form aria-label=Sign>e</form><search>f</search></main>
      <aside>g</aside><footer>h</footer>"""
    assert await named(page, html) == [
        ("banner", ""),
        ("navigation", "Main"),
        ("main", ""),
        ("region", "Part"),
        ("form", "Sign"),
        ("search", ""),
        ("complementary", ""),
        ("contentinfo", ""),
    ]


async def test_header_and_footer_of_a_part_are_no_landmarks(page: RawPage) -> None:
    html = (
        "<main><article><header>a</header><footer>b</footer></article><section>c</section></main>"
    )
    assert await named(page, html) == [("main", "")]


async def test_landmarks_are_known_by_role_but_regions_need_a_name(page: RawPage) -> None:
    html = """<div role=navigation>a</div><div role=region>b</div><div role=form>c</div>
      <div role=region aria-label=R>d</div><nav role=presentation>e</nav>"""
    assert await named(page, html) == [("navigation", ""), ("region", "R")]


@pytest.mark.req("C-PR-10")
async def test_headings_have_levels(page: RawPage) -> None:
    html = "<h1>a</h1><h6 aria-level=9>b</h6><p role=heading aria-level=3>c</p><p role=heading>d"
    rows = [row for row in await rows_in(page, html) if row.kind == "h"]
    assert [(row.name, row.extra["level"]) for row in rows] == [
        ("a", 1),
        ("b", 6),
        ("c", 3),
        ("d", 2),
    ]


async def test_a_heading_that_says_nothing_is_left_out(page: RawPage) -> None:
    assert await named(page, "<h1></h1><h2><img alt=Logo src=data:,></h2>", "h") == [
        ("heading", "Logo")
    ]


async def test_a_focusable_heading_is_both(page: RawPage) -> None:
    row = await only(page, "<h3 tabindex=0>x</h3>")
    assert (row.kind, row.role, row.extra["level"]) == ("i", "heading", 3)


@pytest.mark.req("C-PR-29")
async def test_controls_know_their_form_wherever_they_stand(page: RawPage) -> None:
    html = "<form id=f action=/go method=post><input></form><button form=f>Go</button><input>"
    form, field, button, alone = await rows_in(page, html.replace("Go", ""))
    assert form.says("method", "action", "named", "landmark") == {
        "method": "POST",
        "action": "http://site.test/go",
    }
    assert (field.extra["form"], button.extra["form"]) == (form.nid, form.nid)
    assert "form" not in alone.extra


@pytest.mark.req("C-PR-28")
async def test_a_form_that_only_closes_a_dialog_is_sent_nowhere(page: RawPage) -> None:
    html = "<dialog open><form method=dialog action=/go><button>Close</button></form></dialog>"
    form = await only(page, html, "f")
    assert form.says("method", "action") == {}


async def test_a_named_form_is_a_landmark(page: RawPage) -> None:
    row = await only(page, "<form aria-label=Login></form>")
    assert row.says("k", "named", "landmark", "method") == {
        "k": "f",
        "named": 1,
        "landmark": 1,
        "method": "GET",
    }


async def test_what_submits_is_known_by_its_type(page: RawPage) -> None:
    for control, submits in [
        ("<button>x</button>", True),
        ("<input type=submit>", True),
        ("<input type=image alt=x>", True),
        ("<button type=button>Submit</button>", False),
        ("<input type=reset>", False),
        ("<div role=button>Submit</div>", False),
    ]:
        row = await only(page, f"<form>{control}</form>", "i")
        assert ("submits" in row.extra) is submits, control


async def test_labelled_containers_are_rows_only_when_they_have_a_name(page: RawPage) -> None:
    html = """<fieldset><legend>Address</legend></fieldset><fieldset>x</fieldset>
      <ul aria-label=Basket><li>a</ul><ul><li>b</ul><table><caption>Prices</caption></table>
      <div role=group aria-labelledby=t><b id=t>Colours</b></div><div role=dialog>c</div>"""
    assert await named(page, html, "g") == [
        ("group", "Address"),
        ("list", "Basket"),
        ("table", "Prices"),
        ("group", "Colours"),
        ("dialog", ""),
    ]


async def test_rows_know_what_they_lie_in(page: RawPage) -> None:
    html = """<main><form aria-label=F><fieldset><legend>G</legend>
      <a href=/x><h2>T</h2></a></fieldset></form></main>"""
    rows = [row for row in await rows_in(page, html) if row.kind != "t"]
    assert [(row.role, row.above and row.above.role) for row in rows] == [
        ("main", None),
        ("form", "main"),
        ("group", "form"),
        ("link", "group"),
        ("heading", "link"),
    ]


async def test_lines_belong_to_landmarks_forms_and_groups_not_to_controls(page: RawPage) -> None:
    html = "out<main>in<fieldset><legend>L</legend><p>item</fieldset><button>go</button></main>"
    lines = [row for row in await rows_in(page, html) if row.kind == "t"]
    assert [(row.name, row.above and row.above.role) for row in lines] == [
        ("out", None),
        ("in", "main"),
        ("L", "group"),
        ("item", "group"),
        ("go", "main"),
    ]


async def test_landmarks_count_what_lies_in_them_and_in_no_deeper_one(page: RawPage) -> None:
    html = """<p>a<main><p>b<p>c<ul><li>d</ul><img alt=e width=9 height=9><nav><ol><li>f</ol></nav>
      <table><tr><td>g</table><p hidden>h</main><table><tr><td>i</table>"""
    await page.load(html)
    capture = await page.ask("capture")
    counts = {row.role: row.extra["counts"] for row in rows_of(capture) if row.kind == "l"}
    assert capture["counts"] == {"paragraphs": 1, "lists": 0, "images": 0, "tables": 1}
    assert counts == {
        "main": {"paragraphs": 2, "lists": 1, "images": 1, "tables": 1},
        "navigation": {"paragraphs": 0, "lists": 1, "images": 0, "tables": 0},
    }


async def test_nothing_is_recorded_of_what_is_hidden(page: RawPage) -> None:
    for style in [
        "style=display:none",
        "style=visibility:hidden",
        "style=content-visibility:hidden",
        "hidden",
        "hidden=until-found",
        "inert",
    ]:
        html = f"<div {style}>text<h1>a</h1><a href=/x>b</a><nav>c</nav><p>d<form>e</form></div>"
        assert await rows_in(page, html) == [], style


async def test_a_visible_part_of_an_invisible_one_is_there(page: RawPage) -> None:
    html = "<nav style=visibility:hidden>a<button style=visibility:visible>b</button></nav>"
    assert await named(page, html, "ilt") == [("text", "b"), ("button", "b")]


async def test_a_container_without_a_box_of_its_own_is_there(page: RawPage) -> None:
    html = "<nav style=display:contents><a href=/x>a</a></nav>"
    assert await named(page, html) == [("navigation", ""), ("link", "a")]


async def test_of_closed_details_only_the_summary_is_there(page: RawPage) -> None:
    html = "<details><summary>More</summary>text<button>x</button></details>"
    assert await named(page, html, "it") == [("button", "More"), ("text", "More")]


async def test_shadow_roots_and_slots_take_their_place_in_the_order(page: RawPage) -> None:
    await page.load("<h1>first</h1><div id=host><button>slotted</button></div><h2>last</h2>")
    await page.run(
        """host.attachShadow({mode: 'open'}).innerHTML =
        '<nav aria-label=Shadow><a href=/x>before</a> <slot></slot> <b role=button>after</b>'"""
    )
    rows = [row for row in rows_of(await page.ask("capture")) if row.kind != "t"]
    assert [row.name for row in rows] == ["first", "Shadow", "before", "slotted", "after", "last"]
    assert [row.above and row.above.name for row in rows[2:5]] == ["Shadow"] * 3


@pytest.mark.parametrize(
    ("role", "style"),
    [
        ("option", "opacity: 0; transform: scaleY(0)"),
        ("menuitemradio", "width: 0; transform: scale(0)"),
        ("option", "font-size: 0; line-height: 0"),
    ],
)
async def test_choices_without_a_place_are_left_out_until_their_list_opens(
    page: RawPage, role: str, style: str
) -> None:
    choices = "".join(f"<div role={role}><i></i><b>{word}</b></div>" for word in ("Fig", "Plum"))
    await page.load(f"<p>Fruit<div id=list role=listbox style='{style}'>{choices}</div>")
    names = [row.name for row in rows_of(await page.ask("capture"))]
    assert not {"Fig", "Plum"} & {*names}
    await page.run("list.removeAttribute('style')")
    names = [row.name for row in rows_of(await page.ask("capture")) if row.role == role]
    assert names == ["Fig", "Plum"]


ROLES = """
<header></header><footer></footer><main></main><nav></nav><aside></aside><form></form>
<search></search><a href=x></a><button></button><textarea></textarea><select></select>
<select multiple></select><select size=2></select><h1></h1><h2></h2><h3></h3><h4></h4><h5></h5>
<h6></h6><fieldset></fieldset><ul></ul><ol></ol><menu></menu><article></article><figure></figure>
<dialog open></dialog><details></details><section aria-label=x></section><section></section>
""" + "".join(
    f"<input type={kind}>"
    for kind in ("text", "email", "search", "number", "range", "checkbox", "radio", "submit")
)


async def test_the_roles_of_tags_are_the_ones_the_browser_computes(page: RawPage) -> None:
    await page.load(f"{ROLES}<input list=l><datalist id=l></datalist>")
    await page.run_beside("globalThis.all = [...document.querySelectorAll('body :not(datalist)')]")
    browsers = await page.run_beside("all.map(element => element.computedRole)")
    ours = await page.run_beside(
        "all.map(element => JSON.parse(charlotte.describe(charlotte.nid(element))).role)"
    )
    unnamed = {"generic", "list", "article", "figure", "group"}  # no rows without a name
    compared = [
        (ours, theirs) for ours, theirs in zip(ours, browsers, strict=True) if theirs not in unnamed
    ]
    assert [theirs for _, theirs in compared] == [ours for ours, _ in compared]
    assert len(compared) >= 30
