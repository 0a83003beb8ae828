"""Formats of rich text in deltas, and rich text as Markdown."""

import pytest

from tests.whole.answers import changes
from tests.whole.client import Message, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

EDITOR = """<div id=e contenteditable role=textbox aria-label=Note><p>She was brave.</p>
  <p>Second line</p></div><script>
  e.addEventListener('keydown', (event) => {
    const command = { h: ['formatBlock', 'h2'], l: ['insertUnorderedList'],
                      o: ['insertOrderedList'], q: ['formatBlock', 'blockquote'],
                      s: ['strikeThrough'], k: ['createLink', 'https://a.example/'] }[event.key];
    if (!event.ctrlKey || command === undefined) return;
    event.preventDefault();
    document.execCommand(command[0], false, command[1]);
  });</script>"""


def formats(answer: Message) -> object:
    [change] = changes(answer, property="formats")
    return change["to"]


@pytest.mark.parametrize(("key", "wanted"), [
    ("b", "**brave**"), ("i", "*brave*"), ("u", "__brave__"), ("s", "~~brave~~"),
    ("k", "[brave](https://a.example/)"), ("h", "## She was brave."), ("l", "- She was brave."),
    ("o", "1. She was brave."), ("q", "> She was brave."),
])  # fmt: skip
def test_a_format_of_the_selection_is_in_the_delta(tab: Tab, key: str, wanted: str) -> None:
    tab.open(EDITOR)
    tab.call("select_text", element_id=tab.find("Note"), text="brave")

    answer = tab.call("key", key=f"Control+{key}")

    assert formats(answer) == [wanted]


def test_a_format_that_was_removed_is_in_the_delta(tab: Tab) -> None:
    tab.open(EDITOR.replace("brave", "<b>brave</b>"))
    tab.call("select_text", element_id=tab.find("Note"), text="brave")

    [change] = changes(tab.call("key", key="Control+b"), property="formats")

    assert change["from"] == ["**brave**"]


def test_typing_into_formatted_text_reports_the_text_alone(tab: Tab) -> None:
    tab.open(EDITOR.replace("brave", "<b>brave</b>"))
    tab.call("select_text", element_id=tab.find("Note"), text="rav")

    answer = tab.call("type", text="RAV")

    assert [change["property"] for change in changes(answer)] == ["value"]


def test_a_style_sheet_counts_as_a_format(tab: Tab) -> None:
    tab.open(EDITOR + "<style>.w { font-weight: 700 }</style>")
    note = tab.find("Note")

    tab.js("e.firstChild.innerHTML = 'She was <span class=w>brave</span>.'")
    tab.call("select_text", element_id=note, text="She")

    assert formats(tab.call("key", key="Control+i")) == ["*She*"]


def test_the_colours_of_code_are_no_formats(tab: Tab) -> None:
    code = "contenteditable spellcheck=false style='font: 1em monospace'"
    tab.open(EDITOR.replace("contenteditable", code))
    tab.call("select_text", element_id=tab.find("Note"), text="brave")

    assert not changes(tab.call("key", key="Control+b"), property="formats")


def test_rich_text_is_read_as_markdown(tab: Tab) -> None:
    tab.open(EDITOR)
    note = tab.find("Note")
    for text, key in (("brave", "b"), ("Second", "l")):
        tab.call("select_text", element_id=note, text=text)
        tab.call("key", key=f"Control+{key}")

    content = tab.reply("observe", mode="content", selector=note, format="markdown").text

    assert "She was **brave**." in content
    assert "- Second line" in content


def test_a_format_is_reported_in_the_text_form(web: Web) -> None:
    with open_server("--answers", "text") as server:
        server.call("tab_open", url=web.url(web.write(EDITOR)))
        server.call("select_text", text="brave")

        assert 'formatted "**brave**"' in server.call("key", key="Control+b").text
