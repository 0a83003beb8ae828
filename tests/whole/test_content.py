"""observe{mode: content}: the format of the content of real pages."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def markdown(tab: Tab, html: str, **arguments: object) -> str:
    """Return the Markdown of a body, without the surrounding comments."""
    tab.open(html)
    reply = tab.reply("observe", mode="content", format="markdown", **arguments)
    return reply.texts[0].split(" -->\n")[2].rpartition("\n\n")[0].strip("\n")


def lines(tab: Tab, html: str) -> list[str]:
    """Return the lines of a body, without those about the page and the section."""
    tab.open(html)
    return tab.reply("observe", mode="content").texts[0].split("\n")[4:]


def test_links_displayed_as_blocks_keep_their_urls(tab: Tab) -> None:
    text = markdown(
        tab,
        "<div style='display: flex'><a href=http://x.test/a>Alpha</a></div>"
        "<a href=http://x.test/b><h3>Blue mug</h3><div>$12</div></a>",
    )

    assert text == "[Alpha](http://x.test/a)\n\n### [Blue mug](http://x.test/b)\n\n$12"


def test_table_values_stay_under_the_headings_of_their_columns(tab: Tab) -> None:
    text = markdown(
        tab,
        "<table><tr><th>Country<th>City<th>Pop<tr><td rowspan=2>France<td>Paris<td>2.1M"
        "<tr><td>Lyon<td>0.5M<tr><td colspan=2>Total<td>2.6M</table>",
    )

    assert text.split("\n")[3:] == ["| France | Lyon | 0.5M |", "| Total |  | 2.6M |"]


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


@pytest.mark.parametrize("space", ["pre", "pre-wrap", "pre-line", "break-spaces"])
def test_line_breaks_preserved_by_css_are_preserved_in_content(tab: Tab, space: str) -> None:
    text = markdown(
        tab,
        f"<div style='white-space: {space}'>one\n <b>two</b>\n<i>three</i></div><p>four\nfive</p>"
        f"<code style='display: block; white-space: {space}'>if x:\n    y</code>",
    )

    assert text == "one\n**two**\n*three*\n\nfour five\n\n```\nif x:\n    y\n```"
    tree = tab.reply("observe", mode="tree").texts[0]
    assert tree.split("\n")[1:4] == ['  - text "one"', '  - text "two"', '  - text "three"']


def test_formulas_and_buttons_stay_in_their_line(tab: Tab) -> None:
    text = markdown(
        tab,
        "<p>Let <math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math> be</p>"
        "<div>Quantity<button>-</button><span>3</span><button>+</button><button>Buy</button></div>",
    )

    assert text == "Let x=1/2 be\n\nQuantity - 3 + Buy"
    assert '"Let x=1/2 be"' in tab.reply("observe", mode="tree").texts[0]


def test_list_items_have_the_numbers_that_the_browser_shows(tab: Tab) -> None:
    text = markdown(
        tab,
        "<ol><li>a<li value=5>b<li>c</ol><hr><ol reversed><li>b<li>a</ol><hr>"
        "<ol start=7><li>s</ol><hr><ol start=x><li>t</ol>",
    )

    assert text == "1. a\n5. b\n6. c\n\n2. b\n1. a\n\n7. s\n\n1. t"


def test_image_urls_are_absolute_and_data_urls_are_omitted(tab: Tab) -> None:
    images = f"<img src=a.png alt=A> <img alt=D src='data:image/png;base64,{'A' * 3000}'>"
    text = markdown(tab, images, include_images=True)

    assert text == f"![A]({tab.row['url'].rpartition('/')[0]}/a.png) ![D]()"


def test_code_in_a_table_cell_becomes_inline_code(tab: Tab) -> None:
    text = markdown(
        tab, "<table><tr><th>Run<th>To<tr><td><pre>ls\n-l</pre><td><h4>List</h4></table>"
    )

    assert text.split("\n")[2] == "| `ls -l` | List |"
