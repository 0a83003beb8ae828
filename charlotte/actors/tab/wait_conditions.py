"""What is waited for, and what of it holds on a page as its frames tell of it. Only data."""

from collections.abc import Sequence
from typing import Literal

import attrs

State = Literal["visible", "hidden", "enabled", "disabled", "exists", "removed"]

_LONGEST = 100


@attrs.frozen(kw_only=True)
class Wanted:
    """What is to hold, all at once; None is not asked for. Times are in seconds."""

    element_id: str | None = None
    state: State = "exists"
    text: str | None = None
    text_gone: str | None = None
    selector: str | None = None
    js: str | None = None
    time: float = 0.0

    @property
    def count(self) -> int:
        """How many conditions there are, but for the time."""
        given = (self.element_id, self.text, self.text_gone, self.selector, self.js)
        return sum(one is not None for one in given)

    @property
    def of_frames(self) -> dict[str, str]:
        """What the probe of a frame is asked, in its words."""
        asked = {"text": self.text, "gone": self.text_gone, "selector": self.selector}
        return {name: value for name, value in asked.items() if value is not None}


@attrs.frozen
class Sightings:
    """What one frame sees of the texts and the selector."""

    text: bool = False
    gone: bool = False
    selector: bool = False


@attrs.frozen
class Standing:
    """How an element stands."""

    shown: bool
    enabled: bool
    there: bool = True


ABSENT = Standing(shown=False, enabled=False, there=False)


@attrs.frozen(kw_only=True)
class Known:
    """What is known of a page: of each frame that was asked, and of the element.

    Without ``all_asked`` some frame has not said anything yet; without ``all_there`` the document
    is still being read, and what is not there may still come.
    """

    seen: Sequence[Sightings]
    standing: Standing | None
    all_asked: bool
    all_there: bool

    def unmet(self, wanted: Wanted) -> list[str]:
        """What does not hold, in words; JavaScript is not for us to know."""
        unmet: list[str] = []
        if wanted.element_id is not None and not self._stands(wanted.state):
            unmet.append(f"{wanted.element_id} {_NOT[wanted.state]}{self._how_it_stands()}")
        if wanted.text is not None and not any(one.text for one in self.seen):
            unmet.append(f"the text {_short(wanted.text)} is not shown")
        if wanted.text_gone is not None and not self._is_gone():
            unmet.append(f"the text {_short(wanted.text_gone)} is still shown")
        if wanted.selector is not None and not any(one.selector for one in self.seen):
            unmet.append(f"the selector {_short(wanted.selector)} finds nothing")
        return unmet

    def _stands(self, state: State) -> bool:
        standing = self.standing
        if standing is None or not (standing.there or self.all_there):
            return False
        return {
            "visible": standing.shown,
            "hidden": not standing.shown,
            "enabled": standing.enabled,
            "disabled": standing.there and not standing.enabled,
            "exists": standing.there,
            "removed": not standing.there,
        }[state]

    def _how_it_stands(self) -> str:
        standing = self.standing or ABSENT
        if not standing.there:
            return ": it is not on the page"
        shown = "shown" if standing.shown else "hidden"
        return f": it is {shown} and {'enabled' if standing.enabled else 'disabled'}"

    def _is_gone(self) -> bool:
        return self.all_asked and self.all_there and not any(one.gone for one in self.seen)


_NOT: dict[State, str] = {
    "visible": "is not visible",
    "hidden": "is not hidden",
    "enabled": "is not enabled",
    "disabled": "is not disabled",
    "exists": "does not exist",
    "removed": "was not removed",
}


def _short(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
