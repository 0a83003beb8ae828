"""The size of answers, in characters."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LINKS = "".join(f'<p><a href="/item/{n}">Item number {n}</a></p>' for n in range(230))
OUTLINE = 450
DELTA = 350


def outline(tab: Tab, more: str) -> int:
    """Return the number of characters of the answer for a page of links."""
    url = tab.web.url(tab.web.write(f"<title>Items</title><h1>Items</h1>{more}{LINKS}"))
    return len(tab.reply("navigate", url=url, detail="minimal").text)


@pytest.mark.req("C-DET-08", "C-DET-03", "P-01")
def test_the_outline_of_many_links_stays_short(tab: Tab) -> None:
    assert outline(tab, "") <= OUTLINE


@pytest.mark.req("C-DET-08", "C-PR-35")
def test_a_click_that_changes_one_text_has_a_short_answer(tab: Tab) -> None:
    tab.open(f"""<p id=said>Nothing yet</p><button onclick="said.textContent = 'Saved'">Save
      </button>{LINKS}""")
    assert len(tab.reply("click", element_id=tab.find("Save")).text) <= DELTA


@pytest.mark.req("C-PR-19")
def test_find_searches_all_options_although_only_fifty_are_listed(tab: Tab) -> None:
    tab.open("<select aria-label=Many>"
             + "".join(f"<option>Choice {n}</option>" for n in range(20_000)))  # fmt: skip
    element = tab.element("Many")
    assert len(element["options"]) == 51
    assert element["options"][-1] == "… 19950 more"
    assert tab.element("Choice 19999")["id"] == element["id"]
