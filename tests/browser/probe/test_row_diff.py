"""Answers to a caller that has an earlier answer."""

import json
from typing import Any

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

LIST = "<ul style='margin:0'>" + "".join(
    f"<li><button>Do {number}</button></li>" for number in range(40)
)


async def after(page: RawPage, html: str, script: str) -> Json:
    """The answer once the script has run, to one who knows the page before it."""
    await page.load(f"<body style='margin:0'>{html}")
    known = (await page.ask("capture"))["answer"]
    await page.run(f"{{ {script} }}")
    return await page.ask("capture", {"known": known})


def named(splices: list[Any]) -> list[Any]:
    """Splices with the last part of each row: name or text."""
    return [
        [at, gone, [row[1] if len(row) == 2 else row[3] for row in rows]]
        for at, gone, rows in splices
    ]


async def test_an_unchanged_page_has_the_shortest_answer(page: RawPage) -> None:
    assert await after(page, LIST, "") == {"same": True}


async def test_one_text_that_changed_is_one_splice(page: RawPage) -> None:
    answer = await after(page, f"<p id=p>Before</p>{LIST}", "p.textContent = 'After'")
    assert named(answer["splices"]) == [[0, 1, ["After"]]]
    assert answer["moved"] == []


async def test_what_came_first_leaves_the_rest_untold(page: RawPage) -> None:
    script = "document.querySelector('ul').insertAdjacentHTML('beforebegin', '<h1>New</h1>')"
    answer = await after(page, LIST, script)
    assert named(answer["splices"]) == [[0, 0, ["New", "New"]]]
    assert len(answer["moved"]) == 1


async def test_a_scroll_is_one_move(page: RawPage) -> None:
    """C-PR-11: bounds are of the viewport."""
    answer = await after(page, f"{LIST}<p style='height:2000px'>", "scrollTo(0, 120)")
    assert answer["splices"] == []
    ((first, count, dx, dy),) = answer["moved"]
    assert (first, dx, dy) == (3, 0, -120)
    assert count >= 40


async def test_one_that_moved_to_the_front_is_not_all_the_others(page: RawPage) -> None:
    script = "const list = document.querySelector('ul'); list.prepend(list.lastElementChild)"
    answer = await after(page, LIST, script)
    assert sum(len(rows) for _, _, rows in answer["splices"]) <= 3


async def test_a_page_that_is_mostly_new_is_sent_whole(page: RawPage) -> None:
    answer = await after(page, LIST, "document.body.innerHTML = '<p>One</p><p>Two</p>'")
    assert "since" not in answer
    assert [line[1] for line in answer["nodes"]] == ["One", "Two"]


async def test_a_caller_with_another_answer_receives_everything(page: RawPage) -> None:
    await page.load(LIST)
    first = (await page.ask("capture"))["answer"]
    await page.run("document.querySelector('li').remove()")
    await page.ask("capture", {"known": first})
    answer = await page.ask("capture", {"known": first})
    assert "nodes" in answer


async def test_a_fresh_capture_leaves_the_caches_unchanged(page: RawPage) -> None:
    await page.load(LIST)
    known = (await page.ask("capture"))["answer"]
    assert "nodes" in json.loads(await page.run_beside("charlotte.capture({fresh: true})"))
    assert await page.ask("capture", {"known": known}) == {"same": True}


async def test_the_text_beside_a_twin_is_current(page: RawPage) -> None:
    """The text of its place is remembered, but for places in which a text has changed."""
    items = ("Milk", "Bread", "Salt")
    rows = "".join(f"<p><b>{item}</b> <button>Delete</button></p>" for item in items)
    await page.load(f"<body>{rows}")
    await page.ask("capture")
    await page.run("document.querySelectorAll('b')[1].firstChild.data = 'Rolls'")
    nodes = (await page.ask("capture"))["nodes"]
    assert [row[5]["near"] for row in nodes if len(row) > 5] == ["Milk", "Rolls", "Salt"]
