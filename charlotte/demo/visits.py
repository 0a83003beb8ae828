"""Owns what an agent gets done in the demo: eight pages, and the tool calls for each of them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import attrs

from charlotte.demo.attempts import Failed, in_time
from charlotte.demo.client import Client


class Refused(Failed):
    """A tool answered with an error; ``code`` says which."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@attrs.frozen
class Tab:
    """One tab, as an agent has it: everything is a tool call, and every answer is text."""

    client: Client
    id: str

    async def call(self, tool: str, /, **arguments: Any) -> str:
        """Return the text of a tool's answer; raises `Failed`."""
        return await text_of(self.client, tool, tab_id=self.id, **arguments)

    async def click(self, text: str, role: str = "button") -> str:
        """Click the first element with that text and role."""
        return await self.call("click", element_id=await self._find(text, role))

    async def type(self, label: str, text: str, role: str = "textbox", **more: Any) -> str:
        """Type into the first field with that label."""
        return await self.call("type", element_id=await self._find(label, role), text=text, **more)

    async def value(self, expression: str) -> Any:
        """Return what JavaScript comes to in the page."""
        return json.loads(await self.call("evaluate", expression=expression))["value"]

    async def _find(self, text: str, role: str) -> str:
        found = json.loads(await self.call("find", text=text, role=role))
        if not found:
            raise Failed(f"{self.id} has no {role} {text!r}")
        first: str = found[0]["id"]
        return first


async def text_of(client: Client, tool: str, /, **arguments: Any) -> str:
    """Call a tool and return the text of its answer; raises `Failed`."""
    result = await in_time(tool, client.call(tool, **arguments))
    text: str = result["content"][0]["text"]
    if result.get("isError"):
        error = json.loads(text)["error"]
        raise Refused(f"{tool}: {error['message']} ({error['code']})", error["code"])
    return text


@attrs.frozen
class Visit:
    """A page, what is done there, and what the last answer must say for it to have worked."""

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


async def _reserve(tab: Tab) -> str:
    return await tab.click("Reserve")


async def _order(tab: Tab) -> str:
    return await tab.click("Order Book 77")


async def _confirm(tab: Tab) -> str:
    await tab.click("Ask to confirm")
    return await tab.call("dialog", accept=True)


async def _look_up(tab: Tab) -> str:
    return await tab.call("find", text="copy example 48")


VISITS = (
    Visit("/index.html", "searched for a book", _search, "Books matching “salt”"),
    Visit("/form.html", "filled in and sent a form", _join, "Welcome, Ada Lovelace!"),
    Visit("/counter.html", "clicked three times", _count, "The count is 3."),
    Visit("/list.html", "added a book, ticked it", _list, "4 books, 1 read"),
    Visit("/spa.html?view=book&id=2", "reserved a book", _reserve, "Reserved until Friday."),
    Visit("/table.html?rows=100", "ordered one book of 100", _order, "Book 77 is on order."),
    Visit("/dialog.html", "answered a dialog", _confirm, "Put back."),
    Visit("/library.html", "found one button of many", _look_up, "Copy example 48"),
)
"""One for each tab; it is the last one that loses its renderer."""
