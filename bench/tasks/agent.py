"""An agent that works through a task with what it has already seen; it looks only if it must."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

import attrs

from bench.tasks.model import ActionFailed, Item, Seen, Target, TaskFailed, Value, pick

Pair = tuple[Item, Value]

_TRIES: Final = 2


class Side(Protocol):
    """A server with a browser.

    ``reports_changes``: the answer to an action contains what it changed, or the new page. If not,
    an action makes all earlier text doubtful, and a load makes all earlier refs invalid.
    """

    @property
    def reports_changes(self) -> bool:
        """Whether answers to actions show changes."""
        ...

    @property
    def first_tab(self) -> str:
        """The tab that is open at the start."""
        ...

    async def open(self, tab: str, url: str) -> Seen:
        """Load a page."""
        ...

    async def click(self, tab: str, item: Item) -> Seen:
        """Click an element."""
        ...

    async def fill(self, tab: str, pairs: Sequence[Pair], submit: Item | None) -> Seen:
        """Fill in fields; ``submit`` is the default button of their form."""
        ...

    async def answer_dialog(self, tab: str, *, accept: bool) -> Seen:
        """Answer the dialog of a tab."""
        ...

    async def open_tabs(self, urls: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Open a tab for each URL, where ``hint`` will be read; return tabs with answers."""
        ...

    async def enter(self, tab: str) -> Seen:
        """Make a tab the one to work in."""
        ...

    async def look_for(self, tab: str, targets: Sequence[Target]) -> Seen:
        """Look for elements."""
        ...

    async def look_for_text(self, tabs: Sequence[str], hint: str) -> Mapping[str, Seen]:
        """Look for texts by a regular expression, in each tab."""
        ...

    async def look_around(self, tab: str) -> Seen:
        """Look at the whole page."""
        ...


@attrs.define(eq=False)
class Agent:
    """Executes the steps of a task on one side."""

    side: Side
    site: str
    tab: str = attrs.field(init=False)
    _seen: dict[str, list[Seen]] = attrs.field(factory=dict[str, list[Seen]], init=False)

    def __attrs_post_init__(self) -> None:
        self.tab = self.side.first_tab

    async def open(self, path: str) -> None:
        """Load a page of the application."""
        self._note(await self.side.open(self.tab, self.site + path), loads=True)

    async def click(self, target: Target, *, loads: bool = True) -> None:
        """Click; ``loads``: it loads a document."""
        await self._act([target], lambda items: self.side.click(self.tab, items[0]), loads=loads)

    async def click_and_return(self, target: Target, tab: str) -> None:
        """Click what closes the window; work in another tab again."""
        items = await self._resolve([target])
        with suppress(ActionFailed):  # the window can end before it answers
            await self.side.click(self.tab, items[0])
        self._forget()
        self.tab = tab

    async def fill(
        self, values: Mapping[Target, Value], submit: Target | None = None, *, loads: bool = True
    ) -> None:
        """Fill in fields; submit their form with its default button."""
        targets = [*values, *([submit] if submit else [])]

        async def act(items: Sequence[Item]) -> Seen:
            pairs = list(zip(items, values.values(), strict=False))
            return await self.side.fill(self.tab, pairs, items[-1] if submit else None)

        await self._act(targets, act, loads=loads and submit is not None)

    async def choose(self, target: Target, option: str) -> None:
        """Choose an option of a select that loads a page at once."""
        await self._act(
            [target], lambda items: self.side.fill(self.tab, [(items[0], option)], None), loads=True
        )

    async def read(self, pattern: str, hint: str) -> str:
        """Return the first group of a pattern; ``hint`` matches text in its line."""
        return (await self._read([self.tab], pattern, hint))[self.tab]

    async def read_first(self, row: str, accepted: str, hint: str) -> str:
        """Return the name of the first row of a list whose state is the accepted one.

        The groups of ``row`` are the name and the state.
        """
        if (name := self._first(row, accepted)) is None:
            shown = await self.side.look_for_text([self.tab], hint)
            self._of(self.tab).append(shown[self.tab])
            name = self._first(row, accepted)
        if name is None:
            self._of(self.tab).append(await self.side.look_around(self.tab))
            name = self._first(row, accepted)
        if name is None:
            raise TaskFailed(f"no row matches {row}")
        return name

    async def read_in_tabs(
        self, paths: Sequence[str], pattern: str, hint: str
    ) -> Mapping[str, str]:
        """Open a tab for each page; return what is read in each."""
        opened = await self.side.open_tabs([self.site + path for path in paths], hint)
        self._seen |= {tab: [seen] for tab, seen in opened.items()}
        return await self._read(list(opened), pattern, hint)

    async def _read(self, tabs: Sequence[str], pattern: str, hint: str) -> Mapping[str, str]:
        found = {tab: self._recall(tab, pattern) for tab in tabs}
        if missing := [tab for tab in tabs if found[tab] is None]:
            for tab, seen in (await self.side.look_for_text(missing, hint)).items():
                self._of(tab).append(seen)
        for tab in missing:
            found[tab] = self._recall(tab, pattern)
            if found[tab] is None:
                self._of(tab).append(await self.side.look_around(tab))
                found[tab] = self._recall(tab, pattern)
        texts = {tab: text for tab, text in found.items() if text is not None}
        if len(texts) < len(tabs):
            raise TaskFailed(f"nothing matches {pattern}")
        return texts

    async def enter(self, tab: str) -> None:
        """Work in another tab."""
        self.tab = tab
        self._of(tab).append(await self.side.enter(tab))

    async def enter_opened(self) -> str:
        """Work in the tab that the last action opened; return the tab before."""
        before, opened = self.tab, self._of(self.tab)[-1].opened
        if not opened:
            raise TaskFailed("no tab was opened")
        await self.enter(opened[-1])
        return before

    async def leave_by(self, target: Target, *, accept: bool) -> None:
        """Click what leads to another page; answer the page's question whether to leave."""
        await self.click(target, loads=False)
        self._note(await self.side.answer_dialog(self.tab, accept=accept), loads=True)

    async def _act(
        self,
        targets: Sequence[Target],
        act: Callable[[Sequence[Item]], Awaitable[Seen]],
        *,
        loads: bool,
    ) -> None:
        """Act on elements; look again if a ref turns out to be invalid."""
        for last in range(_TRIES):
            items = await self._resolve(targets)
            try:
                self._note(await act(items), loads=loads)
            except ActionFailed as failure:
                if last == _TRIES - 1:
                    raise TaskFailed(str(failure)) from failure
                self._forget()
            else:
                return

    async def _resolve(self, targets: Sequence[Target]) -> list[Item]:
        if missing := [target for target in targets if self._find(target) is None]:
            self._of(self.tab).append(await self.side.look_for(self.tab, missing))
        if missing := [target for target in targets if self._find(target) is None]:
            self._of(self.tab).append(await self.side.look_around(self.tab))
        items: list[Item] = []
        for target in targets:
            item = self._find(target)
            if item is None:
                raise TaskFailed(f"not found: {target}")
            items.append(item)
        return items

    def _find(self, target: Target) -> Item | None:
        """Return the element in the newest answer that shows it.

        Changes do not show all elements of a name, so these cannot be counted there.
        """
        gone: set[str] = set()
        for seen in reversed(self._of(self.tab)):
            gone |= seen.gone
            if target.nth > 0 and seen.changes:
                continue
            if item := pick(target, (item for item in seen.items if item.ref not in gone)):
                return item
        return None

    def _recall(self, tab: str, pattern: str) -> str | None:
        for seen in reversed(self._of(tab)):
            if found := re.search(pattern, seen.text):
                return found[found.lastindex or 0]
        return None

    def _first(self, row: str, accepted: str) -> str | None:
        """Return a name by the order in the last answer and the states that all answers show."""
        states: dict[str, str] = {}
        for seen in reversed(self._of(self.tab)):
            for found in re.finditer(row, seen.text):
                states.setdefault(found[1], found[2])
        last = self._of(self.tab)[-1]
        shown = () if last.changes else [found[1] for found in re.finditer(row, last.text)]
        for name in last.order or shown:
            if name not in states:
                return None
            if states[name] == accepted:
                return name
        return None

    def _note(self, seen: Seen, *, loads: bool) -> None:
        """Remember the answer to an action."""
        if (seen.whole and not seen.keeps) or (loads and not self.side.reports_changes):
            self._forget()
        earlier = self._of(self.tab)
        if not self.side.reports_changes:
            earlier[:] = [attrs.evolve(one, text="") for one in earlier]
        earlier.append(seen)

    def _forget(self) -> None:
        self._seen[self.tab] = []

    def _of(self, tab: str) -> list[Seen]:
        return self._seen.setdefault(tab, [])
