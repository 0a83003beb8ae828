"""What is recorded of each kind of control."""

from pathlib import Path

import pytest

from tests.browser.probe.rows import named, only, only_in_each, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

ROLES = {
    "textbox": "text email tel url password date time datetime-local month week color",
    "button": "file submit reset button image",
    "searchbox": "search",
    "spinbutton": "number",
    "slider": "range",
    "checkbox": "checkbox",
    "radio": "radio",
}
"""The types of inputs of each role."""
INPUTS = [(kind, role) for role, kinds in ROLES.items() for kind in kinds.split()]
WIDGETS = """button link checkbox radio switch textbox searchbox combobox listbox slider spinbutton
  menuitem menuitemcheckbox menuitemradio tab"""


@pytest.mark.req("C-PR-15")
async def test_every_type_of_input_has_its_role_and_name(page: RawPage) -> None:
    texts = [f"<label for={kind}>Label</label><input id={kind} type={kind}>" for kind, _ in INPUTS]
    for (kind, role), row in zip(INPUTS, await only_in_each(page, texts), strict=True):
        assert (row.role, row.name) == (role, "Label"), kind
        assert row.says("k", "tag", "type") == {"k": "i", "tag": "input", "type": kind}


async def test_a_hidden_input_is_no_control(page: RawPage) -> None:
    assert await named(page, "<form aria-label=F><input type=hidden name=a></form>", "i") == []


async def test_an_unlabelled_file_input_keeps_its_name_when_a_file_is_chosen(page: RawPage) -> None:
    row = await only(page, "<input type=file>")
    document = await page.call("DOM.getDocument")
    node = await page.call("DOM.querySelector", nodeId=document["root"]["nodeId"], selector="input")
    await page.call("DOM.setFileInputFiles", files=[__file__], nodeId=node["nodeId"])
    after = await page.ask("describe", row.nid)
    assert after["name"] == row.name
    assert after["extra"]["value"] == Path(__file__).name


CONTROLS = [
    ("<button>Go</button>", "button", "Go"),
    ("<button aria-label='Close dialog'>x</button>", "button", "Close dialog"),
    ("<a href=/x>Link</a>", "link", "Link"),
    ("<textarea aria-label=T></textarea>", "textbox", "T"),
    ("<select aria-label=S><option>a</select>", "combobox", "S"),
    ("<select aria-label=S multiple><option>a</select>", "listbox", "S"),
    ("<select aria-label=S size=3><option>a</select>", "listbox", "S"),
    ("<input list=l aria-label=C><datalist id=l><option>a</datalist>", "combobox", "C"),
    ("<input type=checkbox role=switch aria-label=W>", "switch", "W"),
    ("<details><summary>More</summary>text</details>", "button", "More"),
    ("<div contenteditable aria-label=E>text</div>", "textbox", "E"),
    ("<div tabindex=0>Focusable</div>", "generic", "Focusable"),
    (
        "<svg width=9 height=9><a href=/x aria-label=L><rect width=9 height=9 /></a></svg>",
        "link",
        "L",
    ),
    *((f"<div role={role} aria-label=N>x</div>", role, "N") for role in WIDGETS.split()),
    ("<div role=button tabindex=0>  Two\n words </div>", "button", "Two words"),
]


async def test_a_control_is_known_by_its_tag_or_its_role(page: RawPage) -> None:
    rows = await only_in_each(page, [html for html, _, _ in CONTROLS], "i")
    for (html, role, name), row in zip(CONTROLS, rows, strict=True):
        assert (row.role, row.name) == (role, name), html


async def test_items_of_composite_widgets_are_controls(page: RawPage) -> None:
    html = """
      <div role=listbox aria-label=L><div role=option aria-selected=true>One</div></div>
      <ul role=tree aria-label=T><li role=treeitem aria-expanded=false>Two</li></ul>
      <div role=tablist><button role=tab aria-selected=false>Three</button></div>
      <div role=menu aria-label=M><div role=menuitem>Four</div></div>"""
    assert await named(page, html, "i") == [
        ("listbox", "L"),
        ("option", "One"),
        ("treeitem", "Two"),
        ("tab", "Three"),
        ("menuitem", "Four"),
    ]


@pytest.mark.req("C-PR-14")
async def test_a_label_is_the_accessible_name_or_what_can_be_read(page: RawPage) -> None:
    for html, name in [
        ("<button aria-label='Close it'>x</button>", "Close it"),
        ("<button><i aria-hidden=true>menu</i></button>", "menu"),
        ("<label for=f>Photo</label><input id=f type=file style=display:none>", "Photo"),
        (
            "<div style=height:5000px></div><p style=content-visibility:auto><button>far</button>",
            "far",
        ),
        ("<button>Do&shy;nau</button>", "Donau"),
        ("<input placeholder='Your name'>", "Your name"),
        ("<div contenteditable>text</div>", ""),
        ("<div tabindex=0><img alt=Cart src=data:, width=9 height=9></div>", "Cart"),
    ]:
        assert (await only(page, html, "i")).name == name, html


async def test_what_is_hidden_is_not_in_a_label(page: RawPage) -> None:
    for html, name in [
        ("<div tabindex=0>Menu<div style=display:none>Secret item</div></div>", "Menu"),
        ("<div tabindex=0>Menu<div style=visibility:hidden>Secret <b>item</b></div></div>", "Menu"),
        (
            "<div tabindex=0>Menu<details><summary>More</summary>Secret item</details></div>",
            "Menu More",
        ),
        ("<a style=cursor:pointer>Menu<i hidden>Secret item</i></a>", "Menu"),
    ]:
        row = next(row for row in await rows_in(page, html) if row.kind in "ic")
        assert row.name == name, html


async def test_what_is_hidden_is_not_beside_anything(page: RawPage) -> None:
    row = await only(page, "<p>Shown <i hidden>Secret</i> <input></p>", "i")
    assert row.extra["near"] == "Shown"


@pytest.mark.parametrize(
    "html",
    [
        "<p><input type=checkbox> One <i hidden>no</i><br><input type=checkbox> <b>Two</b>",
        "<div>Head<br>One <input><br><br>Two <input><select></select></div>",
    ],
)
async def test_the_text_beside_a_control_ends_at_line_breaks(page: RawPage, html: str) -> None:
    rows = [row for row in await rows_in(page, html) if row.kind == "i"]
    assert [row.extra["near"] for row in rows[:2]] == ["One", "Two"]


async def test_the_head_right_before_a_cell_is_beside_what_is_in_it(page: RawPage) -> None:
    rows = await rows_in(
        page, "<table><tr><th>Priority<td><select></select><th>Status<td><select></select></table>"
    )
    assert [row.extra["near"] for row in rows if row.kind == "i"] == ["Priority", "Status"]


async def test_helpers_without_name_and_size_are_not_listed(page: RawPage) -> None:
    for html in [
        "<div tabindex=0></div>",
        "<input style='position:absolute;width:1px;height:1px;padding:0;border:0;opacity:0'>",
    ]:
        assert [row for row in await rows_in(page, html) if row.kind == "i"] == [], html


async def test_what_cannot_be_used_is_no_control(page: RawPage) -> None:
    for html in [
        "<a>no address</a>",
        "<div tabindex=-1>only by script</div>",
        "<div role=tabpanel tabindex=0>focused to be read</div>",
        "<div role=dialog tabindex=0 aria-label=Sure>focused to be read</div>",
        "<label>Only a label</label>",
        "<div role=option>without a listbox</div>",
        "<p>text</p>",
        "<span contenteditable=false>not editable</span>",
        "<video></video>",
    ]:
        assert await named(page, html, "i") == [], html


async def test_only_the_root_of_editable_content_is_a_control(page: RawPage) -> None:
    html = "<div contenteditable aria-label=E>a <b contenteditable>b</b> <a href=/x>c</a></div>"
    assert await named(page, html) == [("textbox", "E"), ("link", "c")]
    row = (await rows_in(page, html))[0]
    assert row.says("editable", "value") == {"editable": 1, "value": "a b c"}


@pytest.mark.req("C-PR-18")
async def test_the_value_is_what_is_there_now(page: RawPage) -> None:
    for html, value in [
        ("<input value=abc>", "abc"),
        ("<input>", None),
        ("<input type=number value=7>", "7"),
        ("<input type=range value=30>", "30"),
        ("<input type=date value=2024-02-03>", "2024-02-03"),
        ("<input type=color value=#ff0000>", "#ff0000"),
        ("<input type=checkbox value=yes>", None),
        ("<input type=submit value=Send>", None),
        ("<textarea>one\ntwo</textarea>", "one\ntwo"),
        ("<select><option>a<option selected value=2>Two</select>", "Two"),
        ("<select multiple><option selected>a<option>b<option selected>c</select>", "a, c"),
        ("<div role=slider tabindex=0 aria-valuenow=4>", "4"),
        ("<div role=slider tabindex=0 aria-valuenow=4 aria-valuetext=low>", "low"),
        ("<div role=combobox tabindex=0>Red</div>", "Red"),
    ]:
        assert (await only(page, html)).extra.get("value") == value, html


async def test_typed_text_is_the_value(page: RawPage) -> None:
    await page.load("<input value=old>")
    await page.run("document.querySelector('input').value = 'new'")
    (row,) = (await page.ask("capture"))["nodes"]
    assert row[5]["value"] == "new"


@pytest.mark.req("C-PR-19")
async def test_a_select_lists_its_visible_options(page: RawPage) -> None:
    html = "<select><option hidden>no<option>  One <optgroup label=g><option label=Two>2</select>"
    assert (await only(page, html)).extra["options"] == ["One", "Two"]


@pytest.mark.parametrize(
    ("style", "select"),
    [
        (".off { display: none }", "<option class=off>no<option>One"),
        (".off { display: none }", "<optgroup class=off label=g><option>no</optgroup><option>One"),
        (".x option[class=off] { display: none }", "<option>One<option class=off>no"),
        ("option { display: block }", "<option hidden>One"),
        ("", "<option style=display:none>no<option class=off>One"),
    ],
)
async def test_options_that_style_hides_are_left_out(
    page: RawPage, style: str, select: str
) -> None:
    html = f"<style>{style}</style><select class=x>{select}</select>"
    assert (await only(page, html)).extra["options"] == ["One"]


async def test_all_options_are_listed(page: RawPage) -> None:
    options = "".join(f"<option>{number}" for number in range(70))
    row = await only(page, f"<select multiple>{options}</select>")
    assert row.extra["options"] == [str(number) for number in range(70)]
    assert row.extra["multiple"] == 1


async def test_limits_are_listed_if_they_apply(page: RawPage) -> None:
    for html, limits in [
        ("<input type=number min=1 max=9 step=2>", {"min": "1", "max": "9", "step": "2"}),
        ("<input type=date min=2024-01-01>", {"min": "2024-01-01"}),
        ("<input min=1>", {}),
        (
            "<div role=slider tabindex=0 aria-valuemin=0 aria-valuemax=5 aria-valuenow=2>",
            {"min": "0", "max": "5"},
        ),
    ]:
        assert (await only(page, html)).says("min", "max", "step") == limits, html


async def test_fields_with_one_name_or_none_have_the_names_that_the_page_gives_them(
    page: RawPage,
) -> None:
    rows = await rows_in(
        page,
        """<select name=operator></select><input id=day><input name=port aria-label=Port>
        <input name=from aria-label=Date><input name=to id=end aria-label=Date>""",
    )
    assert [row.extra.get("own") for row in rows] == ["operator", "day", None, "from", "to end"]


async def test_a_title_is_listed_if_the_name_does_not_contain_it(page: RawPage) -> None:
    for html, expected in [
        ("<button title='Delete row'><svg></svg></button>", None),
        ("<button title=Save>Save all</button>", None),
        ("<button title='Save the document'>Save</button>", "Save the document"),
        ("<a href=/x title=Settings>*</a>", "Settings"),
        ("<a href=/x title='Article on ships'>ships</a>", None),
    ]:
        assert (await only(page, html)).extra.get("title") == expected, html


@pytest.mark.req("C-ID-04")
async def test_the_position_counts_siblings_of_the_same_role(page: RawPage) -> None:
    html = "<p><button>a</button><a href=/x>b</a><button>c</button></p><p><button>d</button></p>"
    found = [
        (row.name, row.extra.get("sib", 0)) for row in await rows_in(page, html) if row.kind == "i"
    ]
    assert found == [("a", 0), ("b", 0), ("c", 1), ("d", 0)]


async def test_icons_of_private_characters_are_no_names(page: RawPage) -> None:
    for markup, name in [
        ("<button title=Undo>&#xf0e2;</button>", "Undo"),
        ("<button>&#xf0c7; Save</button>", "Save"),
        ("<button>&#xf0c7;</button>", ""),
    ]:
        assert (await only(page, markup)).name == name, markup
