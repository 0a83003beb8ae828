"""The two sides of every run: the floor and Charlotte, with the interface of the peers."""

import json
from collections.abc import Mapping
from typing import Protocol

import attrs

from bench.floor import FloorTab
from bench.ours import Server

_LONG = 200


class Side(Protocol):
    """A driver of a browser; ``references`` are resolved before the time is taken."""

    @property
    def name(self) -> str:
        """The name of the column."""
        ...

    async def navigate(self, url: str) -> str:
        """Load a page."""
        ...

    async def references(self, *names: str) -> list[str]:
        """Return this side's references of the elements with these names."""
        ...

    async def click(self, reference: str) -> str:
        """Click; return the answer, which should contain the effect."""
        ...

    async def type(self, reference: str, text: str) -> str:
        """Put a text into a field."""
        ...

    async def fill(self, values: Mapping[str, str]) -> str:
        """Put texts into fields, by reference."""
        ...


@attrs.define
class Ours:
    """Charlotte."""

    _server: Server
    name: str = "Charlotte"

    async def navigate(self, url: str) -> str:
        """Load a page."""
        return await self._server.call("navigate", url=url, detail="minimal")

    async def references(self, *names: str) -> list[str]:
        """Return the ids of the elements with these names."""
        return [json.loads(await self._server.call("find", text=name))[0]["id"] for name in names]

    async def click(self, reference: str) -> str:
        """Click; the answer contains the changes."""
        return await self._server.call("click", element_id=reference)

    async def type(self, reference: str, text: str) -> str:
        """Type a text."""
        return await self._server.call("type", element_id=reference, text=text)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Type into fields, by id."""
        fields = [{"element_id": one, "value": value} for one, value in values.items()]
        return await self._server.call("fill_form", fields=fields)


@attrs.define
class Bare:
    """The floor; ``seen`` matches after a click, "" means that the click loads another page."""

    _tab: FloorTab
    seen: str = "html"
    name: str = "floor"

    async def navigate(self, url: str) -> str:
        """Load a page."""
        await self._tab.navigate(url)
        await self._tab.enter()
        return ""

    async def references(self, *names: str) -> list[str]:
        """Return CSS selectors: the names are element ids too."""
        return [f"#{name}" for name in names]

    async def click(self, reference: str) -> str:
        """Click; return the page after the effect of the click."""
        if self.seen:
            return await self._tab.click_until(reference, self.seen)
        return await self._tab.click_away(reference)

    async def type(self, reference: str, text: str) -> str:
        """Type a text; insert a long one at once."""
        if len(text) < _LONG:
            return await self._tab.type(reference, text)
        return await self._tab.insert(reference, text)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Type into elements."""
        return await self._tab.fill(values)
