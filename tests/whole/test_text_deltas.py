"""Deltas in the text form, as an agent reads them."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

COUNTER = """<title>Books</title><h1>Books</h1><p id=count>3 of 12 books</p>
<button onclick="count.textContent = '4 of 12 books'">More</button>
<button>Nothing</button>"""


def act(tab: Tab, tool: str, name: str, **arguments: Any) -> list[str]:
    """Call a tool on the element with that name; return the lines of its text answer."""
    element = tab.find(name)
    return tab.reply(tool, element_id=element, answers="text", **arguments).text.split("\n")


def click(tab: Tab, name: str) -> list[str]:
    return act(tab, "click", name)


def test_a_click_that_changes_one_text_is_answered_in_120_characters(tab: Tab) -> None:
    tab.open(COUNTER)
    lines = click(tab, "More")
    assert lines == [tab.id, "~ 3 of 12 books → 4 of 12 books"]
    assert len("\n".join(lines)) <= 120
    assert click(tab, "Nothing") == [tab.id, "no changes"]


def test_changes_by_the_page_itself_are_marked_once(tab: Tab) -> None:
    tab.open(COUNTER)
    click(tab, "Nothing")
    tab.js("count.textContent = '7 of 12 books'")
    assert click(tab, "Nothing") == [
        tab.id,
        "no changes",
        "! before this, by itself:",
        "~ 3 of 12 books → 7 of 12 books",
    ]
    assert click(tab, "Nothing") == [tab.id, "no changes"]


TICKING = """<button onclick="tick(); {}">Buy</button><table>{}</table><script>
  const p = document.getElementsByTagName('i');
  const tick = () => [...p].forEach((i) => {{ i.textContent = +i.textContent + 1 }})</script>"""


@pytest.mark.parametrize(
    ("does", "said"),
    [("", ""), ("p[5].textContent = 'sold'", "2 → sold"), ("p[5].before('3 of ')", "2 → 3 of 3")],
)
def test_lines_whose_numbers_keep_changing_are_counted(tab: Tab, does: str, said: str) -> None:
    tab.open(TICKING.format(does, "".join(f"<tr><td>L{n}<td><i>1</i>" for n in range(6))))
    tab.js("tick()")

    lines = click(tab, "Buy")

    assert f"! {5 if said else 6} lines keep changing, the first: | L0 | 2 → 3" in lines
    assert [line for line in lines if "L5" in line][:1] == ([f"~ | L5 | {said}"] if said else [])


PANE = """<button onclick="pane.style.transform = 'translate(30px, 10px)'">Pan</button>
<div id=pane><button>Depot</button>{}</div>"""


def test_elements_that_only_moved_are_named_with_the_distance(tab: Tab) -> None:
    for others, moved in [("", ""), ("<button>Port</button>", " together")]:
        with case(others, moved):
            tab.open(PANE.format(others))
            buttons = ["Depot", "Port"] if others else ["Depot"]
            names, text = ", ".join(map(tab.find, buttons)), " ".join(buttons)
            assert click(tab, "Pan")[1:] == [
                "no changes",
                f"! {names} moved{moved} by 30, 10 px",
                f'! Looks may have changed: style of div#pane "{text}".',
            ]


DIALOG = """<h1>Library</h1><p>Some books</p><button onclick="box.showModal()">Open</button>
<a href=/a>Home</a><dialog id=box aria-label="Sign in"><p>Please sign in</p>
<button onclick="box.close()">Close</button></dialog>"""


def test_content_behind_a_dialog_is_one_remark(tab: Tab) -> None:
    tab.open(DIALOG)
    opened, behind = click(tab, "Open")[1:]
    assert opened.startswith('+ [dialog "Sign in"] Please sign in btn-')
    assert behind == '! 3 elements behind dialog "Sign in"'
    closed = click(tab, "Close")
    assert closed == [
        tab.id,
        '- [dialog "Sign in"], 1 line, 1 control',
        '! 3 elements no longer behind dialog "Sign in"',
    ]


def test_a_wait_returns_the_awaited_change_also_if_it_came_before_the_call(tab: Tab) -> None:
    tab.open("<p id=out></p>")
    tab.js("out.textContent = 'Loaded'; 1")

    answer = tab.reply("wait_for", text="Loaded", answers="text").text

    assert answer.splitlines() == [tab.id, "+ Loaded"]


def shop(message: str, total: str) -> str:
    books = "".join(
        f"<article><h3>Book {n}</h3><p>£{n}.50</p><button>Add book {n} to cart</button></article>"
        for n in range(60)
    )
    return f"<title>Shop</title><p>Cart total: {total}</p>{message}<h1>All books</h1>{books}"


def test_after_a_load_only_changes_against_the_previous_page_are_given(tab: Tab, web: Web) -> None:
    target = web.write(shop("<div>Book 3 was added to your cart.</div>", "£3.50"))
    form = f"<form action='{target}'><button>Send</button></form>"
    tab.open(shop(form, "£0.00"))
    answer = tab.reply("click", element_id=tab.find("Send"), answers="text").text
    assert "! since the previous page:" in answer
    assert "+ Book 3 was added to your cart." in answer
    assert "~ Cart total: £0.00 → Cart total: £3.50" in answer
    assert len(answer) < 400


def test_another_page_is_returned_instead_of_changes_if_that_is_shorter(tab: Tab, web: Web) -> None:
    target = web.write("<title>Done</title><h1>Thank you</h1><p>Order 4711 is placed.</p>")
    tab.open(shop(f"<a href='{target}'>Buy</a>", "£3.50"))
    answer = tab.reply("click", element_id=tab.find("Buy"), answers="text").text
    assert answer.split("\n")[1:] == ["# Thank you", "Order 4711 is placed."]


def test_diff_compares_two_documents(tab: Tab, web: Web) -> None:
    target = web.write(shop("", "£3.50"))
    tab.open(shop("", "£0.00"))
    known = tab.call("observe")["snapshot_id"]
    tab.call("navigate", url=web.url(target))
    answer = tab.reply("diff", snapshot_id=known, answers="text").text
    assert answer.split("\n")[-2:] == [
        "~ Cart total: £0.00 → Cart total: £3.50",
        "! the snapshot is of another document",
    ]


def test_the_rest_of_a_long_delta_is_read_with_a_cursor(tab: Tab) -> None:
    tab.open("""<button onclick="for (let n = 0; n < 300; n++)
        box.insertAdjacentHTML('beforeend', `<p>Paragraph ${n} of many`)">Add</button>
        <p>Start</p><div id=box></div>""")
    lines = click(tab, "Add")
    assert len("\n".join(lines)) < 4_200
    assert lines[1] == "+ Paragraph 0 of many"
    cursor = lines[-1].partition('cursor: "')[2].partition('"')[0]
    rest = tab.reply("observe", cursor=cursor, answers="text").text.split("\n")
    assert rest[-1] == "+ Paragraph 299 of many"
    assert len(lines) - 2 + len(rest) == 300


FORM = """<h1>Form</h1><p id=count>0 items</p><div id=note></div><label>Name <input></label>
<button onclick="count.textContent = '1 items'; note.textContent = 'Saved'">Save</button>
<button onclick="note.textContent = ''">Clear</button>"""


def batch(tab: Tab, *steps: tuple[str, dict[str, Any]]) -> list[str]:
    calls = [{"tool": tool, "arguments": {"tab_id": tab.id, **given}} for tool, given in steps]
    return tab.server.call("batch", steps=calls, answers="text").text.split("\n")


def test_a_batch_has_one_delta_and_what_only_a_step_showed(tab: Tab) -> None:
    tab.open(FORM)
    name, save, clear = map(tab.find, ("Name", "Save", "Clear"))
    assert batch(
        tab,
        ("type", {"element_id": name, "text": "Bo"}),
        ("click", {"element_id": save}),
        ("click", {"element_id": clear}),
        ("evaluate", {"expression": "1 + 1"}),
    ) == [
        f"1 type {name}: ok",
        f"2 click {save}: ok",
        "  + Saved",
        f"3 click {clear}: ok",
        "4 evaluate: ok",
        '  {"value":2,"type":"number"}',
        tab.id,
        "~ 0 items → 1 items",
        f'~ {name} [= "Bo"]',
    ]
    assert click(tab, "Clear") == [tab.id, "no changes"]


def test_a_step_that_waits_at_the_end_does_not_hide_earlier_changes(tab: Tab) -> None:
    for detail in [{}, {"detail": "delta"}]:
        with case(detail):
            tab.open(FORM)
            save = tab.find("Save")
            lines = batch(
                tab,
                ("click", {"element_id": save}),
                ("find", {"text": "Clear"}),
                ("wait_for", {"text": "Saved", **detail}),
            )
            assert lines[-3:] == [tab.id, "~ 0 items → 1 items", "+ Saved"]
