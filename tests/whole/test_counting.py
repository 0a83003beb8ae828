"""Element counts of a page, the quality of its text, and values of controls in it."""

import json
import re

import pytest

from tests.whole.cases import case
from tests.whole.client import Message, Reply
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def metadata(reply: Reply) -> Message:
    found: Message = json.loads(reply.texts[1])["metadata"]
    return found


def head(tab: Tab) -> Reply:
    return tab.reply("observe", mode="head")


WITH_CONTROLS = {
    "a closed root": """<p id="host"></p><script>document.querySelector('#host')
        .attachShadow({ mode: 'closed' }).innerHTML = '<button>In</button><a href="/">In</a>'
        </script>""",
    "a frame": """<iframe srcdoc="<button>In</button><a href='/'>In</a>"></iframe>""",
    "a modal dialog": """<button>Out</button><a href="/">Out</a><input><dialog id="d">
        <button>In</button><a href="/">In</a></dialog><script>d.showModal()</script>""",
}


@pytest.mark.req("B-HEAD-06", "B-META-02")
def test_the_head_counts_interactive_elements(tab: Tab) -> None:
    for where, markup in WITH_CONTROLS.items():
        with case(where):
            tab.open(markup)
            reply = head(tab)
            lines = dict(line.split(": ", 1) for line in reply.texts[0].split("\n"))
            assert lines["STATUS"] == "ready"
            [total, interactive] = map(int, re.findall(r"=(\d+)", lines["ELEMENTS"]))
            assert (interactive, total >= interactive) == (2, True)
            assert metadata(reply)["quality"] == "high"
            assert metadata(reply)["warnings"] == []


def markdown(tab: Tab, html: str, **arguments: object) -> str:
    """Return the Markdown of a body, without the surrounding comments."""
    tab.open(html)
    reply = tab.reply("observe", mode="content", format="markdown", **arguments)
    return reply.texts[0].split(" -->\n")[2].rpartition("\n\n")[0].strip("\n")


def test_content_includes_values_of_controls_but_no_passwords(tab: Tab) -> None:
    text = markdown(
        tab,
        "<p>Quantity <input value=3> of <select><option>red<option selected>blue</select></p>"
        "<p>As <input type=password value=hush></p>"
        "<p>By <input type=text autocomplete=current-password value=hush></p>"
        "<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>"
        "<table><tr><th>Key<th>Value<tr><td>note<td><textarea>one\ntwo</textarea></table>",
    )

    assert text == (
        "Quantity 3 of blue\n\nAs ••••\n\nBy ••••\n\n- [x] done\n- [ ] open\n\n"
        "| Key | Value |\n| --- | --- |\n| note | one two |"
    )
