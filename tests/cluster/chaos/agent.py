"""An agent that works in its own session and compares every answer with its expectation."""

import json
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Any, cast

import attrs
import trio

from tests.chaos.calls import Refused
from tests.cluster.chaos.belief import BLANK, SAVED_WITHIN, Belief, State, unchanged
from tests.cluster.chaos.calls import Caller, is_reopened
from tests.cluster.chaos.desk import LOG_IN, READ, desk_path
from tests.site.server import Site

_MOST_TABS = 3
_PAUSE = 0.05, 0.3
_PAGE_MS = 0, 400
_VISIT = re.compile(r"visit=(\d+)")
_COUNT = re.compile(r"Count (\d+)")
Change = Callable[[State], State]


@attrs.define(eq=False)
class Tab:
    """A tab; ``trusted`` and ``noticed`` are the begins of its last answer, and of its last page.

    Only pages have notices. ``owed`` notices belong to a loss that an answer without a page showed.
    """

    id: str
    belief: Belief
    opened: float
    trusted: float
    noticed: float
    owed: bool = False


@attrs.define(eq=False)
class Agent:
    """An agent with some tabs; it knows all ids of tabs that its session has ever had."""

    caller: Caller
    site: Site
    chance: random.Random
    tabs: list[Tab] = attrs.field(factory=list[Tab])
    _ids: set[str] = attrs.field(factory=set[str])
    _closed: dict[str, float] = attrs.field(factory=dict[str, float])
    _visits: int = 0
    _unsure: set[int] = attrs.field(factory=set[int])
    _snapshot: int = 0

    async def begin(self) -> None:
        """Open the first tab, and store the agent's cookie and its item of localStorage."""
        await self._open()
        expression = LOG_IN.format(self.caller.mark)
        await self.caller.call("evaluate", tab_id=self.tabs[0].id, expression=expression)

    async def work(self, until: float) -> None:
        while trio.current_time() < until:
            await self.step()
            await trio.sleep(self.chance.uniform(*_PAUSE))

    async def step(self) -> bool:
        """Do one thing; return whether it was answered well."""
        actions: Sequence[Callable[[], Awaitable[None]]]
        actions = (self._list, self._open, self._close) if self.tabs else (self._open,)
        if self.tabs and self.chance.random() > 0.15:
            tab = self.chance.choice(self.tabs)
            kinds = (self._go, self._click, self.read, self._look, self._save)
            actions = [_bind(each, tab) for each in kinds]
        try:
            await self.chance.choice(actions)()
        except Refused:
            return False
        return True

    async def check(self) -> bool:
        """Look at every tab; return whether all of them were answered well."""
        try:
            await self._list()
            for tab in tuple(self.tabs):
                await self._look(tab)
                await self.read(tab)
        except Refused:
            return False
        return True

    async def read(self, tab: Tab) -> None:
        """Read the state of a page and the agent's storage."""
        began, answer = await self._call(tab, "evaluate", expression=READ)
        search, count, cookie, item = answer["value"]
        mark = self.caller.mark
        if search and (cookie, item) != (f"who={mark}", mark):
            self.caller.fail(f"has the cookie {cookie!r} and the item {item!r}")
        self._learn(tab, began, _visit_of(search), count)

    async def _look(self, tab: Tab) -> None:
        began, answer = await self._call(tab, "observe")
        self._read_page(tab, began, answer)

    async def _go(self, tab: Tab) -> None:
        visit, url = self._next_page()

        def change(_: State) -> State:
            return visit, 0

        try:
            began, answer = await self._call(tab, "navigate", url=url)
        except Refused:
            tab.belief.act(change, surely=False)
            raise
        tab.belief.act(change, surely=True)
        self._read_page(tab, began, answer, change)

    async def _click(self, tab: Tab) -> None:
        _, found = await self._call(tab, "find", text="Add", role="button")
        if not found and self._lost_since(tab.opened - SAVED_WITHIN) is not None:
            await self._look(tab)  # it may be blank
            return
        if len(found) != 1 or found[0]["label"] != "Add":
            self.caller.fail(f"found {found} in {tab.id}")
            return
        try:
            began, answer = await self._call(tab, "click", element_id=found[0]["id"])
        except Refused:
            tab.belief.act(_add, surely=False)
            raise
        tab.belief.act(_add, surely=True)
        self._read_page(tab, began, answer, _add)

    async def _save(self, tab: Tab) -> None:
        """Save a screenshot, whose file must not outlive its host."""
        _, answer = await self._call(tab, "screenshot", save=True)
        if not answer.get("success"):
            self.caller.fail(f"saved no picture of {tab.id}: {answer}")

    async def _open(self) -> None:
        if len(self.tabs) >= _MOST_TABS:
            await self._close()
        visit, url = self._next_page()
        self._unsure.add(visit)
        began = trio.current_time()
        answer = await self.caller.call("tab_open", url=url)
        self._unsure.discard(visit)
        opened = trio.current_time()
        belief = Belief({(visit, 0)}, {BLANK: opened})
        tab = Tab(answer["tab_id"], belief, opened, began, began)
        if tab.id in self._ids:
            self.caller.fail(f"was given the id {tab.id} again")
        self._ids.add(tab.id)
        self.tabs.append(tab)
        self._read_page(tab, began, answer)

    async def _close(self) -> None:
        if len(self.tabs) < 2:
            return
        tab, began = self.chance.choice(self.tabs), trio.current_time()
        self.tabs.remove(tab)
        self._closed[tab.id] = inf  # if the call fails, it may stay open
        try:
            await self.caller.call("tab_close", tab_id=tab.id)
        except Refused as refused:
            if refused.code == "TAB_NOT_FOUND":
                self._check_young(tab, began)
            raise
        self._closed[tab.id] = trio.current_time()

    async def _list(self) -> None:
        """Compare the open tabs; close those of calls that had failed."""
        began = trio.current_time()
        rows = cast("list[dict[str, Any]]", await self.caller.call("tabs"))
        for row in rows:
            if row["id"] not in {tab.id for tab in self.tabs}:
                await self._close_again(row)
        found = {row["id"] for row in rows}
        for tab in [tab for tab in self.tabs if tab.id not in found]:
            self._forget(tab, began)

    async def _close_again(self, row: dict[str, Any]) -> None:
        tab_id, visit = row["id"], _visit_of(row["url"])
        if tab_id in self._ids:
            closed = self._closed.get(tab_id, 0.0)
            is_known = closed == inf or self._lost_since(closed - SAVED_WITHIN) is not None
        else:  # of a call without an answer
            is_known = visit in self._unsure or row["url"] == "about:blank"
        if not is_known:
            self.caller.fail(f"has a tab that it did not open or has closed: {row}")
        self._ids.add(tab_id)
        self._closed[tab_id] = inf
        await self.caller.call("tab_close", tab_id=tab_id)
        self._closed[tab_id] = trio.current_time()

    def _forget(self, tab: Tab, began: float) -> None:
        self._check_young(tab, began)
        self.tabs.remove(tab)
        self._closed[tab.id] = trio.current_time()

    def _check_young(self, tab: Tab, began: float) -> None:
        """Check that a tab that is gone was opened too shortly before a loss to be saved."""
        lost = self._lost_since(tab.trusted)
        if lost is None or tab.opened < min(lost, began) - SAVED_WITHIN:
            self.caller.fail(f"has lost {tab.id}")

    def _next_page(self) -> tuple[int, str]:
        self._visits += 1
        page_ms = self.chance.randint(*_PAGE_MS)
        return self._visits, self.site.url(desk_path(self.caller.mark, self._visits, page_ms))

    def _lost_since(self, since: float) -> float | None:
        kill = self.caller.ledger.first_kill(since)
        return kill.at if kill else None

    async def _call(self, tab: Tab, tool: str, /, **arguments: Any) -> tuple[float, Any]:
        began = trio.current_time()
        try:
            return began, await self.caller.call(tool, tab_id=tab.id, **arguments)
        except Refused as refused:
            if refused.code == "TAB_NOT_FOUND":
                self._forget(tab, began)
            elif refused.code.startswith("ELEMENT_") and self._lost_since(tab.trusted) is None:
                self.caller.fail(f"lost an element, though nothing was killed: {refused}")
            raise

    def _read_page(
        self, tab: Tab, began: float, answer: dict[str, Any], change: Change = unchanged
    ) -> None:
        visit = _visit_of(answer["url"])
        title = "" if visit == BLANK else f"{self.caller.mark} visit {visit}"
        if (answer["tab_id"], answer["title"]) != (tab.id, title):
            self.caller.fail(f"was shown another page in {tab.id}")
        if answer["snapshot_id"] <= self._snapshot:
            self.caller.fail(f"was given snapshot {answer['snapshot_id']} after {self._snapshot}")
        self._snapshot = answer["snapshot_id"]
        found = _COUNT.findall(json.dumps(answer.get("delta", answer.get("text"))))
        is_new = self._learn(tab, began, visit, int(found[-1]) if found else None, change)
        if is_reopened(answer):
            if self._lost_since(tab.noticed) is None:
                self.caller.fail(f"was informed of a loss of {tab.id} that did not happen")
        elif is_new or tab.owed:
            self.caller.fail(f"was not informed that {tab.id} was opened again")
        tab.noticed, tab.owed = began, False

    def _learn(
        self, tab: Tab, began: float, visit: int, count: int | None, change: Change = unchanged
    ) -> bool:
        """Record the state of a tab; return whether it was opened again."""
        found = tab.belief.learn(visit, count, self._lost_since(tab.trusted), change)
        if found not in {None, "reset"}:
            self.caller.fail(f"{tab.id} {found}")
        tab.trusted = began
        tab.owed = tab.owed or found == "reset"
        return found == "reset"


def _bind(action: Callable[[Tab], Awaitable[None]], tab: Tab) -> Callable[[], Awaitable[None]]:
    return lambda: action(tab)


def _add(state: State) -> State:
    return state[0], state[1] + 1


def _visit_of(url: str) -> int:
    found = _VISIT.search(url)
    return int(found[1]) if found else BLANK
