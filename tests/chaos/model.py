"""What the page of a tab must say, as far as that can be known after what was done to it."""

import json
import re
from typing import Any, Literal

import attrs

Kind = Literal["counter", "form", "slow"]

_STATE: dict[Kind, str] = {
    "counter": "clicks",
    "form": "document.querySelector('[name=name]').value",
    "slow": "document.title",
}
_COUNT = re.compile(r"Clicked (\d+) times?")


@attrs.frozen
class Place:
    """A page that a tab was sent to, and what it says when it is new: a count, or a text."""

    url: str
    kind: Kind
    initial: int | str

    @property
    def question(self) -> str:
        """The expression that tells where a page is and what its state is."""
        return f"[location.href, {_STATE[self.kind]}]"


@attrs.define(eq=False)
class Belief:
    """The places where a tab may be, each with the states that it may be in.

    There is more than one of either after an error: what was asked for may have happened or not.
    Without any place, nothing is known, and whatever a page says may be so.
    """

    _possible: dict[Place, set[int | str]] = attrs.field(factory=dict[Place, set[int | str]])

    @property
    def place(self) -> Place | None:
        """Where the tab is, if that is certain."""
        return next(iter(self._possible)) if len(self._possible) == 1 else None

    def place_at(self, url: str) -> Place | None:
        """The place with that address, if the tab may be there."""
        return next((place for place in self._possible if place.url == url), None)

    def sent(self, place: Place, *, surely: bool) -> None:
        """The tab was sent somewhere, and arrived if that is sure."""
        if surely:
            self._possible.clear()
        self._possible[place] = {place.initial}

    def may_change(self, change: Any) -> None:
        """Something was done that leads from one state to the next, if it happened."""
        for states in self._possible.values():
            states |= {change(state) for state in states}

    def changes(self, change: Any) -> None:
        """Something was done that leads from one state to the next."""
        for place, states in self._possible.items():
            self._possible[place] = {change(state) for state in states}

    def may_be_new(self) -> None:
        """The page may have been loaded again."""
        for place, states in self._possible.items():
            states.add(place.initial)

    def learn(self, url: str, state: int | str | None) -> str | None:
        """Take what a page says; what is wrong with that, if anything is."""
        if not self._possible:
            return None
        place = self.place_at(url)
        if place is None:
            return f"is at {url}, not at {[place.url for place in self._possible]}"
        states = self._possible[place]
        if state is not None and state not in states:
            return f"says {state!r}, not one of {sorted(states, key=str)} at {url}"
        self._possible = {place: states if state is None else {state}}
        return None


def shown_state(kind: Kind, answer: dict[str, Any]) -> int | str | None:
    """The state that the elements of a whole page tell; None when they tell none."""
    text = json.dumps(answer.get("interactive", []))
    if kind == "counter":
        found = _COUNT.search(text)
        return int(found[1]) if found else None
    if kind == "slow":
        return str(answer.get("title"))
    names = [one for one in answer.get("interactive", []) if one.get("label") == "Full name"]
    return str(names[0].get("value", "")) if names else None
