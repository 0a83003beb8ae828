"""The page on which a person works in a tab, in a real browser that Charlotte drives."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio

from charlotte import Answer, Session, Tab
from tests.whole.test_dashboard import TOKEN, shown
from tests.whole.test_dashboard_layout import measure, outside, overlaps

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]

PAGE = (
    "data:text/html,<title>Login</title><style>* {margin: 0} input, button "
    "{position: absolute; left: 10px; width: 600px; height: 60px}</style>"
    "<input id=who style='top: 10px'><button style='top: 200px' "
    "onclick='out.textContent = `Welcome ${who.value}`'>Enter</button>"
    "<p id=out style='padding-top: 300px'>"
)


@asynccontextmanager
async def asked(what: str = "Log in") -> AsyncGenerator[tuple[Tab, Session, Tab, list[Answer]]]:
    """Yield the page of a person, an agent, the tab of its turn, and the answer of ask_person."""
    async with (
        shown() as (charlotte, address),
        charlotte.open_session() as agent,
        charlotte.open_session() as people,
        trio.open_nursery() as nursery,
    ):
        tab = await agent.open_tab(PAGE)
        answers: list[Answer] = []

        async def ask() -> None:
            answers.append(await agent.call("ask_person", {"tab_id": tab.id, "what": what}))

        nursery.start_soon(ask)
        view = await people.open_tab(f"{address}#token={TOKEN}")
        await view.wait_for(selector="#asked button:not(:disabled)")
        yield view, people, tab, answers
        nursery.cancel_scope.cancel()


async def take_over(view: Tab) -> None:
    await view.evaluate("document.querySelector('#asked button').click()")
    blank = (
        "document.querySelector('#turn-picture').getContext('2d').getImageData(5, 5, 1, 1).data[3]"
    )
    await view.wait_for(js=f"{blank} > 0")


async def click(view: Tab, x: float, y: float) -> None:
    """Click the place of the picture that shows a point of the page."""
    box = "document.querySelector('#turn-picture').getBoundingClientRect()"
    found = await view.evaluate(f"(({{ left, top, width }}) => [left, top, width])({box})")
    left, top, width = found.value
    await view.click_at(x=round(left + x * width / 1280), y=round(top + y * width / 1280))


async def test_a_person_works_in_the_picture_and_ends_the_turn() -> None:
    async with asked("Log in as Ada") as (view, people, tab, answers):
        assert "Log in as Ada" in (await view.observe()).answer_text
        await take_over(view)
        await click(view, 200, 40)
        await people.call("key", {"tab_id": view.id, "keys": [*"Ada"]})
        await view.evaluate("document.querySelector('#turn-words').value = ' Lovelace'")
        await view.evaluate("document.querySelector('#turn-text').requestSubmit()")
        await click(view, 200, 230)
        await people.call("key", {"tab_id": view.id, "key": "Shift+Escape"})
        await view.wait_for(js="document.activeElement.id === 'turn-done'")
        await view.evaluate("document.querySelector('#turn-reason').value = 'It is done'")
        await people.call("key", {"tab_id": view.id, "key": "Enter"})
        with trio.fail_after(60):
            while not answers:  # noqa: ASYNC110 - no event
                await trio.sleep(0.05)
        assert "Welcome Ada Lovelace" in answers[0].text
        assert "It is done" in answers[0].text
        await view.wait_for(js="document.querySelector('#turn').hidden && asked.hidden")
        assert "Login" == (await tab.observe()).title


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
async def test_the_parts_of_the_page_do_not_cover_each_other(width: int, height: int) -> None:
    async with asked("Enter the code that the shop has sent to your phone. " * 4) as (view, *_):
        await view.viewport(width=width, height=height)
        measured = await measure(view, "body > header", "#asked li", "#work")
        assert [] == overlaps(measured["boxes"])
        assert (0, []) == (measured["wide"], measured["cut"])
        await take_over(view)
        parts = ("#turn > header", "#turn-picture", "#turn > footer")
        measured = await measure(view, *parts)
        assert [*parts] == [box["selector"] for box in measured["boxes"]]
        assert [] == overlaps(measured["boxes"])
        assert [] == outside(measured)
        assert measured["boxes"][1]["right"] - measured["boxes"][1]["left"] > width / 2
        buttons = await measure(view, "#turn button", "#turn input")
        assert [] == overlaps(buttons["boxes"])
        assert [] == outside(buttons)
