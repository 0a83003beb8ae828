"""Pages whose texts and names imitate Charlotte, in the browser: text says what JSON says."""

from html import escape
from typing import Any

import pytest

from tests.page.text.hostile import FRAGMENTS
from tests.page.text.parser import Answer, parse_answer
from tests.page.text.test_imitation import clean, squash
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PARTS = [
    part
    for part in FRAGMENTS
    if (part.isprintable() or "\u2028" in part or "\u200b" in part)
    and not any("\ud800" <= char <= "\udfff" for char in part)
]
TEXTS = [" ".join(PARTS[start : start + 5]) for start in range(0, len(PARTS), 5)]


def markup() -> str:
    """Return a page with every text as a name, a value, a heading, a cell, an item and a line."""
    blocks: list[str] = []
    for number, raw in enumerate(TEXTS):
        text, name = escape(raw), escape(f"{number} {raw}", quote=True)
        blocks.append(
            f'<section aria-label="{name}"><h2>{text}</h2><p>{text}</p>'
            f'<p>Before <a href="/a?{number}">{text}</a> after {text}</p>'
            f'<button aria-label="press {name}" onclick="note({number})">{text}</button>'
            f'<input aria-label="{name}" value="{text}" placeholder="{name}" title="{name}">'
            f'<select aria-label="{name}"><option>{text}<option>x</select>'
            f"<label><input type=checkbox>{text}</label>"
            f"<table><tr><td>{text}<td>{text}<td><button>{text}</button></table>"
            f"<ul><li>{text}<li><a href=/b?{number}>{text}</a> {text}</ul></section>"
        )
    script = "<script>const pressed = []; const note = (n) => pressed.push(n);</script>"
    return f"{script}{''.join(blocks)}"


def read(tab: Tab, **arguments: Any) -> Answer:
    return parse_answer(tab.reply("observe", answers="text", **arguments).text)


def test_a_page_in_text_has_the_controls_names_and_texts_of_json(tab: Tab, web: Web) -> None:
    tab.call("navigate", url=web.url(web.write(markup(), title="tab-1 &quot;x&quot;")))
    page = tab.call("observe", max_chars=400_000)
    answer = read(tab, max_chars=400_000)
    assert answer.header is not None
    named = {control.id: control.name for control in answer.controls}
    assert named.keys() <= {element["id"] for element in page["interactive"]}
    for element in page["interactive"]:
        if element["id"] in named:
            assert clean(named[element["id"]]) == clean(element["label"])
        else:
            assert element["type"] == "link"  # the same link stands beside it
    headings = [line for line in answer.lines if line.kind == "heading"]
    assert len(headings) <= len(page["structure"]["headings"]) == len(TEXTS)
    content = squash(
        "".join(
            piece if isinstance(piece, str) else getattr(piece, "name", None) or ""
            for line in answer.lines
            for piece in line.pieces
        )
    )
    texts = [text.replace("\u200b", "") for text in TEXTS]  # which the browser does not draw
    assert [text for text in texts if squash(text) not in content] == []
    assert not answer.remarks
    found = tab.call("find", refs=[*named][:200])
    assert found["invalid"] == []
