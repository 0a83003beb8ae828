"""Formats of rich text in deltas, and rich text as Markdown."""

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

EDITOR = """<div id=e contenteditable role=textbox aria-label=Note><p>She was brave.</p>
  <p>Second line</p></div><script>
  e.addEventListener('keydown', (event) => {
    const command = { h: ['formatBlock', 'h2'], l: ['insertUnorderedList'],
                      k: ['createLink', 'https://a.example/'] }[event.key];
    if (!event.ctrlKey || command === undefined) return;
    event.preventDefault();
    document.execCommand(command[0], false, command[1]);
  });</script>"""


def test_a_format_of_the_selection_is_in_the_delta(tab: Tab) -> None:
    formats = {"b": "**brave**", "k": "[brave](https://a.example/)", "h": "## She was brave."}
    for key, wanted in formats.items():
        with case(key):
            tab.open(EDITOR)
            tab.call("select_text", element_id=tab.find("Note"), text="brave")
            [change] = changes(tab.call("key", key=f"Control+{key}"), property="formats")
            assert change["to"] == [wanted]


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


def test_rich_text_is_read_as_markdown(tab: Tab) -> None:
    tab.open(EDITOR)
    note = tab.find("Note")
    for text, key in (("brave", "b"), ("Second", "l")):
        tab.call("select_text", element_id=note, text=text)
        tab.call("key", key=f"Control+{key}")

    content = tab.reply("observe", mode="content", selector=note, format="markdown").text

    assert "She was **brave**." in content
    assert "- Second line" in content
