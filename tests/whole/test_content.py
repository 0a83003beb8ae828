"""observe{mode: content}: the format of the content of real pages."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


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
