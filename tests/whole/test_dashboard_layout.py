"""The layout of the dashboard with 16 tabs, measured in a real browser."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from charlotte import Tab
from tests.site.server import open_site
from tests.whole.test_dashboard import TOKEN, shown

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]

TABS = 16
MEASURE = """
(selectors) => {
  const visible = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const found = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]
    .filter(visible).map((element) => [selector, element]));
  const boxes = found.map(([selector, element]) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { selector, left, top, right, bottom };
  });
  const cut = [...document.querySelectorAll("#view *, body > header *")].filter((element) => {
    const style = getComputedStyle(element);
    const mayCut = style.textOverflow === "ellipsis" || style.overflowX === "auto";
    const inSvg = element.namespaceURI !== "http://www.w3.org/1999/xhtml";
    return visible(element) && !mayCut && !inSvg && element.scrollWidth > element.clientWidth + 1
      && element.clientWidth > 0;
  });
  const names = cut.map((element) => element.id || `${element.tagName}.${element.className}`);
  const wide = document.documentElement.scrollWidth - innerWidth;
  return { boxes, cut: names, wide, width: innerWidth, height: innerHeight };
}
"""


@asynccontextmanager
async def crowded() -> AsyncGenerator[Tab]:
    """Show the dashboard beside an agent with 16 tabs, whose titles and URLs are long."""
    async with (
        open_site() as site,
        shown() as (charlotte, address),
        charlotte.open_session() as agent,
        charlotte.open_session() as people,
    ):
        for number in range(TABS):
            tab = await agent.open_tab(site.url(f"/counter.html?{'long-' * number}"))
            await tab.evaluate(f"document.title = 'A title '.repeat({number}); console.error('x')")
        view = await people.open_tab(f"{address}#token={TOKEN}")
        await view.wait_for(js=f"document.querySelectorAll('.tab').length > {TABS}")
        yield view


async def measure(view: Tab, *selectors: str) -> dict[str, Any]:
    found = await view.evaluate(f"({MEASURE})({[*selectors]})")
    measured: dict[str, Any] = found.value
    return measured


def overlaps(boxes: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (one["selector"], other["selector"])
        for place, one in enumerate(boxes)
        for other in boxes[place + 1 :]
        if min(one["right"], other["right"]) - max(one["left"], other["left"]) > 1
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 1
    ]


def outside(measured: dict[str, Any]) -> list[str]:
    return [
        box["selector"]
        for box in measured["boxes"]
        if box["left"] < -1
        or box["top"] < -1
        or box["right"] > measured["width"] + 1
        or box["bottom"] > measured["height"] + 1
    ]


@pytest.mark.extended
async def test_no_panel_covers_or_cuts_another_with_16_tabs_at_1280_by_720() -> None:
    async with crowded() as view:
        await view.viewport(width=1280, height=720)
        panels = ("body > header", "#work", "#calls", "#tree", "#feed")
        measured = await measure(view, *panels)
        assert [*panels] == [box["selector"] for box in measured["boxes"]]
        assert [] == overlaps(measured["boxes"])
        assert [] == outside(measured)
        assert all(box["bottom"] - box["top"] >= 120 for box in measured["boxes"][1:])
        assert (0, []) == (measured["wide"], measured["cut"])

        cards = await measure(view, ".tab")
        assert TABS + 1 == len(cards["boxes"])
        assert [] == overlaps(cards["boxes"])
        assert [] == outside(cards)


@pytest.mark.extended
async def test_the_page_has_one_column_without_sideways_scrolling_at_390_px() -> None:
    async with crowded() as view:
        await view.viewport(width=390, height=844)
        panels = ("body > header", ".session > h2", ".tab", "#calls", "#tree", "#feed")
        measured = await measure(view, *panels)
        assert (0, []) == (measured["wide"], measured["cut"])
        assert [] == overlaps(measured["boxes"])
        assert all(box["right"] <= 390 for box in measured["boxes"])
