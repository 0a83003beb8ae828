"""Modal dialogs: fields behind one take neither text nor values, and answers name the dialog."""

import pytest

from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FIELDS = """<input type=date aria-label=Day><input type=range aria-label=Volume>
<input aria-label=Name><select aria-label=Size><option>S<option>M</select>"""
NATIVE = f"""{FIELDS}<button onclick="d.showModal()">Ask</button>
<dialog id=d aria-label="Sure?"><button onclick="d.close()">OK</button></dialog>"""
OVERLAY = f"""{FIELDS}<button onclick="o.hidden = false">Ask</button>
<div id=o hidden style="position: fixed; inset: 0; background: white">
<div role=dialog aria-modal=true aria-label="Sure?"><input aria-label=Reason>
<button onclick="o.hidden = true">OK</button></div></div>
<input aria-label=Popup style="position: fixed; right: 9px; bottom: 9px; z-index: 9">"""

INTO = [
    ("Day", "type", {"text": "2026-05-01"}),
    ("Volume", "type", {"text": "7"}),
    ("Name", "type", {"text": "Ada"}),
    ("Name", "key", {"key": "a"}),
    ("Size", "select", {"value": "M"}),
]


def values(tab: Tab) -> list[str]:
    return list(tab.js("[...document.querySelectorAll('input,select')].map((e) => e.value)"))


def refusals(tab: Tab, label: str, tool: str, arguments: Message) -> tuple[Message, str]:
    """Open the dialog, and use a field behind it; return the error and the id of its button."""
    field = tab.find(label)
    tab.click("Ask")
    before = values(tab)
    error = tab.refused(tool, element_id=field, **arguments)
    assert values(tab) == before
    return error, tab.find("OK")


def test_a_field_behind_a_modal_dialog_is_refused(tab: Tab) -> None:
    for label, tool, arguments in INTO:
        for page in [NATIVE, OVERLAY]:
            with case(label, tool, arguments, page):
                tab.open(page)
                error, button = refusals(tab, label, tool, arguments)
                assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
                assert 'Sure?"' in error["message"]
                assert button in error["suggestion"]


def test_fill_form_fills_nothing_behind_a_dialog(tab: Tab) -> None:
    tab.open(NATIVE)
    fields = [{"element_id": tab.find("Day"), "value": "2026-05-01"}]
    tab.click("Ask")

    error = tab.refused("fill_form", fields=fields)

    assert 'is covered by dialog#d "Sure?"' in error["message"]


def test_fields_in_a_dialog_and_in_front_of_it_take_text(tab: Tab) -> None:
    tab.open(OVERLAY)
    tab.click("Ask")

    tab.type("Reason", "because")
    tab.type("Popup", "here")

    assert tab.js("[...document.querySelectorAll('input')].map((e) => e.value).slice(3)") == [
        "because",
        "here",
    ]


def test_find_mentions_matches_behind_a_dialog(tab: Tab) -> None:
    tab.open(NATIVE)
    tab.click("Ask")

    *listed, note = tab.call("find", text="Name", type="text_input")
    lines = tab.reply("find", text="Name", type="text_input", answers="text").texts

    assert note["type"] == "note"
    assert note["text"].startswith("1 match is behind dialog")
    assert lines[-1].startswith("! 1 match is behind dialog")
    assert lines[-1].endswith('"Sure?": close the dialog first.')
    assert "Name" not in [element["label"] for element in listed]
    assert [element["label"] for element in tab.call("find", text="OK")] == ["OK"]


VIEWS = """<div id=app></div><script>const views = {
  list: () => '<h1>Orders</h1>' + Array.from({length: 40}, (_, n) =>
    `<p><a href=/o/${n}>Order ${n}</a> of day ${n} <button>Edit ${n}</button></p>`).join('')
    + '<button onclick="go(`one`)">Open</button>',
  one: () => '<h1>Order 7</h1><p>Paid in cash by Ada.</p><button>Print</button><a href=/>All</a>'
    + '<label>Note <input></label><label>Tip <input></label>'
    + '<button onclick="go(`list`)">Close</button>',
};
const go = (name) => { history.pushState(0, '', '?' + name); app.innerHTML = views[name]() };
go('list')</script>"""


def test_a_replaced_view_is_returned_as_a_page_if_that_is_shorter(tab: Tab) -> None:
    for text, detail in [("Open", "summary"), ("Close", "minimal")]:
        with case(text, detail):
            tab.open(VIEWS, detail="minimal")
            if text == "Close":
                tab.click("Open")
            answer = tab.click(text)
            assert "delta" not in answer
            assert answer["detail"] == detail
            assert "removed" in answer["instead_of_delta"]
            assert "structure" in answer


FRAMED = f"""<iframe srcdoc='{FIELDS.replace(chr(10), "")}' width=600 height=300></iframe>
<button onclick="d.showModal()">Ask</button><button onclick="o.hidden = false">Warn</button>
<dialog id=d aria-label="Sure?"><button onclick="d.close()">OK</button></dialog>
<div id=o hidden style="position: fixed; inset: 0"><div role=dialog aria-modal=true
aria-label="Sure?"><button onclick="o.hidden = true">OK</button></div></div>"""


def test_a_field_in_a_frame_behind_a_modal_dialog_of_the_page_is_refused(tab: Tab) -> None:
    tab.open(FRAMED)
    for opens in ["Ask", "Warn"]:
        for label, tool, arguments in INTO:
            with case(opens, label, tool):
                field = tab.find(label)
                tab.click(opens)
                error = tab.refused(tool, element_id=field, **arguments)
                assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
                assert 'Sure?"' in error["message"]
                tab.click("OK")
    tab.type("Name", "Ada")

    fields = [{"element_id": tab.find("Name"), "value": "Eve"}]
    tab.click("Warn")
    assert 'Sure?"' in tab.refused("fill_form", fields=fields)["message"]
    values = "[...document.querySelector('iframe').contentDocument.querySelectorAll('input')]"
    assert tab.js(f"{values}.map((each) => each.value)")[2] == "Ada"
