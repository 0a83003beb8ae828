"""An agent that works on its tabs and compares every answer with its expectation."""

import json
import random
import re
from collections.abc import Callable
from typing import Any, cast

import attrs
import trio

from tests.chaos.calls import Caller, Refused
from tests.chaos.model import Belief, Kind, Place, shown_state
from tests.site.server import Site

_COUNT = re.compile(r'"to":\s*"[^"]*The count is (\d+)\.')
_MOVES_ON = 0.35


@attrs.frozen(order=True)
class Outage:
    """The time without a good answer of a tab after an error."""

    seconds: float
    ended: float
    tab: str

    def __str__(self) -> str:
        return f"{self.tab} had no good answer for {self.seconds:.1f} s until {self.ended:.1f}"


@attrs.define(eq=False)
class Tab:
    """A tab of an agent: its expected place, and the time of the last answer that confirmed it."""

    caller: Caller
    site: Site
    chance: random.Random
    number: int
    id: str = ""
    belief: Belief = attrs.field(factory=Belief)
    trusted: float = attrs.field(factory=trio.current_time)
    outages: list[Outage] = attrs.field(factory=list["Outage"])
    _down: float | None = None
    _visits: int = 0
    _noticed: bool = False
    _owed: bool = False

    async def step(self) -> None:
        """Do one thing; follow the suggestion of an error."""
        try:
            await self._work()
        except Refused as refused:
            await self._way_out(refused)

    async def open(self) -> None:
        place = self._place()
        answer = await self.caller.call(f"new {self.number}", "tab_open", url=place.url)
        self.id, self.belief = answer["tab_id"], Belief()
        self._owed = self._noticed = False  # a new tab owes no notice
        self.belief.sent(place, surely=True)
        self._hear(answer)

    async def check(self) -> None:
        """Observe the page; raise `Refused` on an error."""
        if self.chance.random() < 0.5:
            self._hear(await self._call("observe", detail="summary"))
        else:
            await self._read()

    async def close(self) -> None:
        """Close the tab; the next step opens another."""
        tab_id, self.id = self.id, ""
        await self.caller.call(tab_id, "tab_close", tab_id=tab_id)

    async def _work(self) -> None:
        if not self.id:
            await self.open()
            return
        place = self.belief.place
        if place is None or self.chance.random() < _MOVES_ON:
            await self.chance.choice(
                (self._go, self._go, self.check, self.check, self._save, self.close)
            )()
        elif place.kind == "counter":
            await self._click()
        elif place.kind == "form":
            await self._type()
        else:
            await self._read()

    async def _way_out(self, refused: Refused) -> None:
        try:
            if "pending_dialog" in refused.details:
                self._note(await self._call("dialog", accept=True))
                self.caller.ledger.dialog_answered(self.id)
            elif refused.code in {"TAB_HUNG", "TIMEOUT"} and self.id:
                self.belief.may_be_new()
                self._note(await self._call("reload", detail="minimal"))
        except Refused:
            await trio.sleep(0.1)

    def _place(self) -> Place:
        self._visits += 1
        kind: Kind = self.chance.choice(("counter", "counter", "form", "slow"))
        name = f"T{self.number}-{self._visits}"
        path = {"counter": "/counter.html?", "form": "/form.html?", "slow": "/slow?ms=50&"}[kind]
        url = self.site.url(f"{path}name={name}", host=f"t{self.number}.localhost")
        initial: dict[Kind, int | str] = {"counter": 0, "form": "", "slow": name}
        return Place(url, kind, initial[kind])

    async def _call(self, tool: str, /, **arguments: Any) -> Any:
        try:
            return await self.caller.call(self.id, tool, tab_id=self.id, **arguments)
        except Refused:
            self._down = self._down or trio.current_time()
            raise

    async def _go(self) -> None:
        place = self._place()
        try:
            answer = await self._call("navigate", url=place.url)
        except Refused:
            self.belief.sent(place, surely=False)
            raise
        self.belief.sent(place, surely="pending_dialog" not in answer)
        self._hear(answer)

    async def _click(self) -> None:
        found = await self._call("find", text="Clicked", role="button")
        if not found:  # another page is shown: read it
            await self._read()
            return
        await self._act("click", _next, element_id=_first(found))

    async def _type(self) -> None:
        text = f"Name {self.chance.randrange(1000)}"
        found = await self._call("find", text="Full name", type="text_input")
        if not found:
            await self._read()
            return
        for length in range(len(text)):
            self.belief.may_change(_becomes(text[:length]))
        await self._act("type", _becomes(text), element_id=_first(found), text=text)

    async def _act(self, tool: str, change: Callable[[Any], Any], **arguments: Any) -> None:
        """Act; the delta must follow from the previous state, or from a newly loaded page."""
        try:
            answer = await self._call(tool, **arguments)
        except Refused:
            self._may_be_new()
            self.belief.may_change(change)
            raise
        self._may_be_new()
        if "delta" in answer:
            self.belief.changes(change)
        else:  # a dialog, or a page that was loaded again
            self.belief.may_change(change)
        self._hear(answer)

    def _may_be_new(self) -> None:
        """Allow for a reload of the page before the last action."""
        if self.caller.ledger.resets(self.id, self.trusted):
            self.belief.may_be_new()

    async def _save(self) -> None:
        """Save a screenshot of the page, to check that there is room for it."""
        answer = await self._call("screenshot", save=True)
        if "pending_dialog" not in answer and not answer.get("success"):
            self.caller.ledger.fail(f"{self.id} saved no picture: {answer}", self.id)

    async def _read(self) -> None:
        place = self.belief.place
        question = place.question if place else "[location.href, null]"
        answer = await self._call("evaluate", expression=question)
        if "pending_dialog" not in answer:
            match answer["value"]:
                case [url, state]:
                    self._learn(url, state, is_page=False)
                case other:
                    self.caller.ledger.fail(f"{self.id} got {other!r}", self.id)

    def _note(self, answer: dict[str, Any]) -> None:
        self._noticed = self._noticed or '"notices"' in json.dumps(answer)

    def _hear(self, answer: dict[str, Any]) -> None:
        self._note(answer)
        if answer.get("tab_id") != self.id:
            self.caller.ledger.fail(f"{self.id} was answered with {answer.get('tab_id')}")
        if "pending_dialog" not in answer:
            self._learn(answer["url"], self._state(answer), is_page=True)

    def _state(self, answer: dict[str, Any]) -> int | str | None:
        place = self.belief.place_at(answer["url"])
        if place is None:
            return None
        if "delta" not in answer:
            return shown_state(place.kind, answer)
        if place.kind == "counter" and (found := _COUNT.search(json.dumps(answer["delta"]))):
            return int(found[1])
        return None

    def _learn(self, url: str, state: int | str | None, *, is_page: bool) -> None:
        ledger, before = self.caller.ledger, self.belief
        if state is None and ledger.resets(self.id, self.trusted):
            before.may_be_new()  # this answer has no state, and is trusted from now on
        surprise = before.learn(url, state)
        if surprise and ledger.resets(self.id, self.trusted):
            before.may_be_new()
            surprise = before.learn(url, state)
            self._owed = surprise is None
        if surprise:
            ledger.fail(f"{self.id} {surprise}", self.id)
            self.belief = Belief()
        if is_page and state is not None:  # otherwise a reload is not visible yet
            if self._owed and not self._noticed:
                ledger.fail(f"{self.id} was loaded again without a notice", self.id)
            self._owed = self._noticed = False
        self._trust()

    def _trust(self) -> None:
        self.trusted = trio.current_time()
        if self._down is not None:
            self.outages.append(Outage(self.trusted - self._down, self.trusted, self.id))
            self._down = None


def _next(count: Any) -> Any:
    return count + 1 if isinstance(count, int) else count


def _becomes(text: str) -> Callable[[Any], Any]:
    def change(_: Any) -> str:
        return text

    return change


def _first(found: Any) -> str:
    rows = cast("list[dict[str, Any]]", found)
    return str(rows[0]["id"])
