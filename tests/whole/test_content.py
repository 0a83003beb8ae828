"""observe{mode: content}: what of a real page is told, and in what shape."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def markdown(tab: Tab, html: str, **arguments: object) -> str:
    """The Markdown of a body, without the comments around it."""
    tab.open(html)
    reply = tab.reply("observe", mode="content", format="markdown", **arguments)
    return reply.texts[0].split(" -->\n")[2].rpartition("\n\n")[0].strip("\n")


def lines(tab: Tab, html: str) -> list[str]:
    """The lines of a body, without those that tell of the page and the section."""
    tab.open(html)
    return tab.reply("observe", mode="content").texts[0].split("\n")[4:]


def test_links_that_the_style_makes_blocks_keep_their_addresses(tab: Tab) -> None:
    told = markdown(
        tab,
        "<div style='display: flex'><a href=http://x.test/a>Alpha</a></div>"
        "<a href=http://x.test/b><h3>Blue mug</h3><div>$12</div></a>",
    )

    assert told == "[Alpha](http://x.test/a)\n\n### [Blue mug](http://x.test/b)\n\n$12"


def test_values_stand_under_the_headings_of_their_columns(tab: Tab) -> None:
    told = markdown(
        tab,
        "<table><tr><th>Country<th>City<th>Pop<tr><td rowspan=2>France<td>Paris<td>2.1M"
        "<tr><td>Lyon<td>0.5M<tr><td colspan=2>Total<td>2.6M</table>",
    )

    assert told.split("\n")[3:] == ["| France | Lyon | 0.5M |", "| Total |  | 2.6M |"]
