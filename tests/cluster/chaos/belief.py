"""The possible states of a tab, as far as the answers so far determine them."""

from collections.abc import Callable

import attrs
import trio

SAVED_WITHIN = 5.0
"""Seconds from an action in which the session has to be saved."""

BLANK = -1
"""The visit of a tab that was saved before its first page had loaded."""

State = tuple[int, int]
"""The number of a visit, and the count on its page."""


def unchanged(state: State) -> State:
    return state


@attrs.define(eq=False)
class Belief:
    """The possible states of a tab, and the visits that its last saved state may have.

    After a loss the tab is opened again at one of these visits, with the count 0.
    """

    _possible: set[State]
    _left: dict[int, float] = attrs.field(factory=dict[int, float])

    def act(self, change: Callable[[State], State], *, surely: bool) -> None:
        """Apply an action, which may have failed unless it ``surely`` happened."""
        changed = {change(state) for state in self._possible}
        self._set(changed if surely else self._possible | changed)

    def learn(
        self,
        visit: int,
        count: int | None,
        lost: float | None,
        change: Callable[[State], State] = unchanged,
    ) -> str | None:
        """Record what an answer shows; return "reset", a contradiction, or None.

        The tab may have been ``lost`` at a time since the last answer, then ``change`` was applied
        to a new page.
        """
        found = {state for state in self._possible if _matches(state, visit, count)}
        if found:
            self._set(found)
            return None
        reset = {change((each, 0)) for each in self._saved_visits(lost)}
        found = {state for state in reset if _matches(state, visit, count)}
        if found:
            self._set(found)
            return "reset"
        problem = f"shows {(visit, count)}, not one of {self._possible}, reset {reset}"
        self._set({(visit, count or 0)})
        return problem

    def _set(self, states: set[State]) -> None:
        gone = {visit for visit, _ in self._possible} - {visit for visit, _ in states}
        self._left |= dict.fromkeys(gone, trio.current_time())
        self._possible = states

    def _saved_visits(self, lost: float | None) -> set[int]:
        if lost is None:
            return set()
        current = {visit for visit, _ in self._possible}
        return current | {visit for visit, at in self._left.items() if at > lost - SAVED_WITHIN}


def _matches(state: State, visit: int, count: int | None) -> bool:
    return state[0] == visit and count in {None, state[1]}
