"""Playwright MCP as a side."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from bench.tasks.agent import Pair
from bench.tasks.counter import Counter
from bench.tasks.model import Item, Seen, Target, Value
from bench.tasks.snapshots import parse

_ADDRESS: Final = re.compile(r"(?m)^- (?:Page URL: |\d+: \(current\) \[.*\]\()([^\s)]+)")
_TYPES: Final = {"field": "textbox", "choice": "combobox", "check": "checkbox", "radio": "radio"}


@attrs.define
class Playwright:
    """Tools of Playwright MCP; its answers to actions name a file with the page.

    A page is looked at with browser_snapshot the first time, afterwards with browser_find, which
    needs to know what to look for. ``knowing``: always with browser_find.
    """

    counter: Counter
    knowing: bool
    reports_changes: bool = False
    first_tab: str = "0"
    _current: str = "0"
    _page: str = ""
    _known: set[str] = attrs.field(factory=set[str])

    async def open(self, tab: str, url: str) -> Seen:
        """Load a page."""
        await self._switch(tab)
        return await self._call("navigate", url=url)

    async def click(self, tab: str, item: Item) -> Seen:
        """Click an element."""
        await self._switch(tab)
        return await self._call("click", target=item.ref)

    async def fill(self, tab: str, pairs: Sequence[Pair], submit: Item | None) -> Seen:
        """Fill in fields; submit by Enter in a single text field, otherwise by the button."""
        await self._switch(tab)
        first, value = pairs[0]
        if len(pairs) == 1 and first.kind == "field":
            enter = {"submit": True} if submit else {}
            return await self._call("type", target=first.ref, text=value, **enter)
        if len(pairs) == 1 and first.kind == "choice":
            seen = await self._call("select_option", target=first.ref, values=[value])
        else:
            seen = await self._call("fill_form", fields=[_entry(*pair) for pair in pairs])
        return await self._call("click", target=submit.ref) if submit else seen

    async def answer_dialog(self, tab: str, *, accept: bool) -> Seen:
        """Answer the dialog of the current tab."""
        await self._switch(tab)
        return await self._call("handle_dialog", accept=accept)

    async def open_tabs(self, urls: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Open one tab after the other; look for the text as long as the tab is the current one."""
        opened: dict[str, Seen] = {}
        for url in urls:
            self._current = (await self._call("tabs", action="new", url=url)).opened[-1]
            opened[self._current] = await self._look(self._current, hint)
        return opened

    async def enter(self, tab: str) -> Seen:
        """Switch to a tab when the next call needs it."""
        del tab
        return Seen()

    async def look_for(self, tab: str, targets: Sequence[Target]) -> Seen:
        """Look for all elements at once."""
        return await self._look(tab, f"/{'|'.join(sorted(set(map(_pattern, targets))))}/i")

    async def look_for_text(self, tabs: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Look for a text in one tab after the other."""
        return {tab: await self._look(tab, hint) for tab in tabs}

    async def look_around(self, tab: str) -> Seen:
        """Look at the whole page."""
        await self._switch(tab)
        self._known.add(self._page)
        return await self._call("snapshot")

    async def _look(self, tab: str, pattern: str) -> Seen:
        await self._switch(tab)
        if self.knowing or self._page in self._known:
            return await self._call("find", regex=pattern)
        return await self.look_around(tab)

    async def _switch(self, tab: str) -> None:
        if tab != self._current:
            await self._call("tabs", action="select", index=int(tab))
            self._current = tab

    async def _call(self, tool: str, **arguments: Any) -> Seen:
        answer = await self.counter.call(f"browser_{tool}", **arguments)
        if found := _ADDRESS.search(answer):
            self._page = kind_of_page(found[1])
        return parse(answer)


def kind_of_page(url: str) -> str:
    """Return the path of a URL without numbers and names of records."""
    parts = urlsplit(url).path.split("/")
    return "/".join("*" if re.search(r"\d", part) else part for part in parts)


def _pattern(target: Target) -> str:
    """Return a regular expression for the line of an element, or for its row."""
    if target.row:
        return re.escape(target.row)
    if not target.name:
        return _TYPES[target.kind]
    name = re.escape(target.name)
    return rf'"{name}\W*"|: {name}\W*$'


def _entry(item: Item, value: Value) -> dict[str, str]:
    text = str(value).lower() if isinstance(value, bool) else value
    kind = _TYPES[item.kind]
    return {"target": item.ref, "name": item.name or item.ref, "type": kind, "value": text}
