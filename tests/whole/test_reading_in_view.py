"""observe{in_view}: only what the viewport shows."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TALL = """<header style="position: sticky; top: 0"><button>Menu</button></header>
<p>First paragraph with <a href="#a">a link</a>.</p>
<table><tr><td>near</td><td><button>Delete</button></td></tr></table>
<div style="height: 3000px"></div>
<p>Last paragraph with <a href="#b">another link</a>.</p>
<table><tr><td>far</td><td><button>Delete</button></td></tr></table>
<button>Below</button>"""


def seen(tab: Tab, **options: object) -> str:
    text = tab.reply("observe", answers="text", in_view=True, **options).text
    return text.partition("\n")[2]


def test_what_lies_below_the_viewport_is_left_out(tab: Tab) -> None:
    tab.open(TALL)

    text = seen(tab)

    assert "First paragraph" in text
    assert '"a link"' in text
    assert text.count("Delete") == 1
    for absent in ("Last", "another", "far", "Below"):
        assert absent not in text


def test_after_scrolling_the_end_and_sticky_elements_are_shown(tab: Tab) -> None:
    tab.open(TALL)
    tab.js("scrollTo(0, 5000)")

    text = seen(tab)

    assert '"Menu"' in text
    assert "Last paragraph" in text
    assert "far" in text
    assert "First" not in text
    assert "near" not in text


def test_the_tree_has_only_what_is_in_view(tab: Tab) -> None:
    tab.open(TALL)

    tree = tab.reply("observe", mode="tree", in_view=True).texts[0]

    assert 'link "a link"' in tree
    assert "another link" not in tree
