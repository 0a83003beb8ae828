"""Charlotte as a side, with answers as text or as JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from bench.tasks.agent import Pair
from bench.tasks.counter import Counter
from bench.tasks.model import Item, Seen, Target, Value

_TYPES: Final = {
    "button": "button",
    "link": "link",
    "choice": "select",
    "check": "checkbox",
    "radio": "radio",
    "field": "text_input",
}


@attrs.frozen
class Charlotte:
    """Tools of Charlotte; the parsers read its form of answers.

    ``knowing``: pages are not returned, because the agent knows what to look for.
    """

    counter: Counter
    parse: Callable[[str], Seen]
    parse_steps: Callable[[str], list[Seen]]
    knowing: bool = False
    reports_changes: bool = True
    first_tab: str = "tab-1"

    async def open(self, tab: str, url: str) -> Seen:
        """Load a page."""
        return await self._act("navigate", tab, url=url)

    async def click(self, tab: str, item: Item) -> Seen:
        """Click an element."""
        return await self._act("click", tab, element_id=item.ref)

    async def fill(self, tab: str, pairs: Sequence[Pair], submit: Item | None) -> Seen:
        """Fill in fields and submit their form in one call."""
        if submit is None and len(pairs) == 1:
            return await self._set(tab, *pairs[0])
        fields = [{"element_id": item.ref, "value": value} for item, value in pairs]
        sent = {"submit": True} if submit else {}
        return await self._act("fill_form", tab, fields=fields, **sent)

    async def _set(self, tab: str, item: Item, value: Value) -> Seen:
        if isinstance(value, bool):
            return await self._act("toggle", tab, element_id=item.ref)
        if item.kind == "choice":
            return await self._act("select", tab, element_id=item.ref, value=value)
        return await self._act("type", tab, element_id=item.ref, text=value)

    async def answer_dialog(self, tab: str, *, accept: bool) -> Seen:
        """Answer the dialog of a tab."""
        return await self._act("dialog", tab, accept=accept)

    async def open_tabs(self, urls: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Open all tabs at once."""
        del hint
        wanted = self._detail()
        steps = [{"tool": "tab_open", "arguments": {"url": url, **wanted}} for url in urls]
        shown = await self._batch(steps, parallel=True)
        return {seen.tab: seen for seen in shown}

    async def enter(self, tab: str) -> Seen:
        """Do nothing: every call names its tab."""
        del tab
        return Seen()

    async def look_for(self, tab: str, targets: Sequence[Target]) -> Seen:
        """Find elements, several in one batch."""
        wanted = list(dict.fromkeys(_filters(target) for target in targets))
        rows = [next(one.row for one in targets if _filters(one) == filters) for filters in wanted]
        if len(wanted) == 1:
            shown = [await self._call("find", tab, **dict(wanted[0]))]
        else:
            finds = [{**dict(filters), **_tab(tab)} for filters in wanted]
            shown = await self._batch([{"tool": "find", "arguments": one} for one in finds])
        return Seen(
            tuple(
                attrs.evolve(item, around=f"{item.around} {row}")  # it was found by its row
                for seen, row in zip(shown, rows, strict=True)
                for item in seen.items
            )
        )

    async def look_for_text(self, tabs: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Read the matching lines of each page, of several in one batch."""
        wanted = {"mode": "content", "grep": hint}
        if len(tabs) == 1:
            return {tabs[0]: await self._call("observe", tabs[0], **wanted)}
        steps = [{"tool": "observe", "arguments": {**wanted, **_tab(tab)}} for tab in tabs]
        return dict(zip(tabs, await self._batch(steps, parallel=True), strict=True))

    async def look_around(self, tab: str) -> Seen:
        """Look at the whole page."""
        return await self._call("observe", tab)

    async def _act(self, tool: str, tab: str, **arguments: Any) -> Seen:
        return await self._call(tool, tab, **arguments, **self._detail())

    def _detail(self) -> dict[str, str]:
        return {"detail": "minimal"} if self.knowing else {}

    async def _call(self, tool: str, tab: str, **arguments: Any) -> Seen:
        return self.parse(await self.counter.call(tool, **arguments, **_tab(tab)))

    async def _batch(self, steps: Sequence[Mapping[str, Any]], **options: bool) -> list[Seen]:
        return self.parse_steps(await self.counter.call("batch", steps=steps, **options))


def _tab(tab: str) -> dict[str, str]:
    """Name a tab other than the first, which is active."""
    return {"tab_id": tab} if tab != "tab-1" else {}


def _filters(target: Target) -> tuple[tuple[str, str], ...]:
    """Return the filters of a search: the row or else the name, and the type."""
    text, kind = target.row or target.name, _TYPES.get(target.kind)
    filters = {"text": text, "type": kind}
    return tuple((name, value) for name, value in filters.items() if value)
