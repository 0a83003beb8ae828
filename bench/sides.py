"""The two sides that every run has: the floor and Charlotte, with the interface of the peers."""

import json
from collections.abc import Mapping
from typing import Protocol

import attrs

from bench.floor import FloorTab
from bench.ours import Server

_LONG = 200


class Side(Protocol):
    """Somebody who can do the work; ``references`` are asked for before the time is taken."""

    @property
    def name(self) -> str:
        """What the column is called."""
        ...

    async def navigate(self, url: str) -> str:
        """Load a page."""
        ...

    async def references(self, *names: str) -> list[str]:
        """How this side calls what has these names."""
        ...

    async def click(self, reference: str) -> str:
        """Click; return the answer, which should say what came of it."""
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
        """The ids of what has these names."""
        return [json.loads(await self._server.call("find", text=name))[0]["id"] for name in names]

    async def click(self, reference: str) -> str:
        """Click; the answer has the changes."""
        return await self._server.call("click", element_id=reference)

    async def type(self, reference: str, text: str) -> str:
        """Type a text in."""
        return await self._server.call("type", element_id=reference, text=text)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Type into fields, by id."""
        fields = [{"element_id": one, "value": value} for one, value in values.items()]
        return await self._server.call("fill_form", fields=fields)


@attrs.define
class Bare:
    """The floor; ``seen`` is what a click is over with, "" where it leads to another page."""

    _tab: FloorTab
    seen: str = "html"
    name: str = "floor"

    async def navigate(self, url: str) -> str:
        """Load a page."""
        await self._tab.navigate(url)
        await self._tab.enter()
        return ""

    async def references(self, *names: str) -> list[str]:
        """Names are element ids too."""
        return [f"#{name}" for name in names]

    async def click(self, reference: str) -> str:
        """Click, and look as soon as it is over."""
        if self.seen:
            return await self._tab.click_until(reference, self.seen)
        return await self._tab.click_away(reference)

    async def type(self, reference: str, text: str) -> str:
        """Type a text in; a long one is inserted at once."""
        if len(text) < _LONG:
            return await self._tab.type(reference, text)
        return await self._tab.insert(reference, text)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Type into elements."""
        return await self._tab.fill(values)
