"""The expected state of a page, as far as the calls so far determine it."""

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
    """A page that a tab was sent to, and its initial state: a count or a text."""

    url: str
    kind: Kind
    initial: int | str

    @property
    def question(self) -> str:
        """The expression that returns the URL and the state of a page."""
        return f"[location.href, {_STATE[self.kind]}]"


@attrs.define(eq=False)
class Belief:
    """The possible places of a tab, each with its possible states.

    There is more than one place or state after an error: the call may have had an effect or not.
    Without any place, every answer is possible.
    """

    _possible: dict[Place, set[int | str]] = attrs.field(factory=dict[Place, set[int | str]])

    @property
    def place(self) -> Place | None:
        """The place of the tab, if it is certain."""
        return next(iter(self._possible)) if len(self._possible) == 1 else None

    def place_at(self, url: str) -> Place | None:
        """Return the place with a URL, if the tab may be there."""
        return next((place for place in self._possible if place.url == url), None)

    def sent(self, place: Place, *, surely: bool) -> None:
        """Add a place that the tab was sent to; drop all others if it surely arrived."""
        if surely:
            self._possible.clear()
        self._possible[place] = {place.initial}

    def may_change(self, change: Any) -> None:
        """Add the states after a change that may have happened."""
        for states in self._possible.values():
            states |= {change(state) for state in states}

    def changes(self, change: Any) -> None:
        for place, states in self._possible.items():
            self._possible[place] = {change(state) for state in states}

    def may_be_new(self) -> None:
        """Add the initial states: the page may have been loaded again."""
        for place, states in self._possible.items():
            states.add(place.initial)

    def learn(self, url: str, state: int | str | None) -> str | None:
        """Record the state of a page; return the contradiction, if there is one."""
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
    """Return the state shown by the elements of a whole page, or None if they show none."""
    text = json.dumps(answer.get("interactive", []))
    if kind == "counter":
        found = _COUNT.search(text)
        return int(found[1]) if found else None
    if kind == "slow":
        return str(answer.get("title"))
    names = [one for one in answer.get("interactive", []) if one.get("label") == "Full name"]
    return str(names[0].get("value", "")) if names else None
