"""Eight pages of the demo, and the tool calls of the agent on each of them."""

from collections.abc import Awaitable, Callable

import attrs

from examples.demo.agent import Tab


@attrs.frozen
class Visit:
    """A page, the work on it, and a text that the last answer must contain."""

    path: str
    done: str
    work: Callable[[Tab], Awaitable[str]]
    result: str


async def _search(tab: Tab) -> str:
    return await tab.type("Search the shelves", "salt", "searchbox", press_enter=True)


async def _join(tab: Tab) -> str:
    await tab.type("Full name", "Ada Lovelace")
    await tab.type("Email", "ada@example.org")
    await tab.type("Password", "between the tides")
    await tab.click("Send me the letter", "checkbox")
    return await tab.click("Join the club")


async def _count(tab: Tab) -> str:
    await tab.click("Clicked")
    await tab.click("Clicked")
    return await tab.click("Clicked")


async def _list(tab: Tab) -> str:
    await tab.type("Book to add", "Moby-Dick", press_enter=True)
    return await tab.click("Moby-Dick", "checkbox")


async def _confirm(tab: Tab) -> str:
    await tab.click("Ask to confirm")
    return await tab.call("dialog", accept=True)


VISITS = (
    Visit("/index.html", "searched for a book", _search, "Books matching “salt”"),
    Visit("/form.html", "filled in and sent a form", _join, "Welcome, Ada Lovelace!"),
    Visit("/counter.html", "clicked three times", _count, "The count is 3."),
    Visit("/list.html", "added a book, ticked it", _list, "4 books, 1 read"),
    Visit(
        "/spa.html?view=book&id=2",
        "reserved a book",
        lambda tab: tab.click("Reserve"),
        "Reserved until Friday.",
    ),
    Visit(
        "/table.html?rows=100",
        "ordered one book of 100",
        lambda tab: tab.click("Order Book 77"),
        "Book 77 is on order.",
    ),
    Visit("/dialog.html", "answered a dialog", _confirm, "Put back."),
    Visit(
        "/library.html",
        "found one button of many",
        lambda tab: tab.call("find", text="copy example 48"),
        "Copy example 48",
    ),
)
"""One visit for each tab; the renderer of the last tab is killed."""
