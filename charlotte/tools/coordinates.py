"""Points of the viewport: how they are given, which there are, what is said of actions there."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs
import trio

from charlotte.actors.tab.actor import Tab
from charlotte.clock import now
from charlotte.errors import InvalidArgument, InvalidCoordinates
from charlotte.tools.envelope import Stopwatch, success
from charlotte.tools.schema.json_schema import Limits, Unlisted

_LONGEST_WAIT_MS = 10_000
_WaitMs = Annotated[int, Limits(minimum=0, maximum=_LONGEST_WAIT_MS)]

WaitAfter = Annotated[_WaitMs, "ms; 0: until the page settles"]
UnlistedWait = Annotated[_WaitMs, Unlisted]


@attrs.frozen
class Coordinates:
    """A point of the viewport in CSS px (S-COORD)."""

    x: int
    y: int


@attrs.frozen
class Offset:
    """CSS px, positive to the right and down."""

    x: int = 0
    y: int = 0


UnlistedCoordinates = Annotated[Coordinates | None, Unlisted]


@attrs.define(eq=False)
class Deed:
    """An action at a point; ``moment`` is when it was done (ISO 8601).

    It ``is_lost`` when there was nothing for it.
    """

    action: str
    at: Coordinates
    watch: Stopwatch
    moment: str = ""
    is_lost: bool = False

    async def done(self, wait_ms: int = 0) -> None:
        """Note that it is done, and wait as long as was asked for."""
        self.moment = now()
        await trio.sleep(wait_ms / 1000)

    def envelope(self) -> dict[str, Any]:
        """S-ACT-01."""
        used = {"coordinates_used": attrs.asdict(self.at), "action_timestamp": self.moment}
        return success(self.action, used, self.watch)


def check_point(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless x and y, or coordinates, are given."""
    if arguments["coordinates"] is None:
        _point(arguments["x"], arguments["y"])


async def deed_at(
    tab: Tab, action: str, x: int | None, y: int | None, coordinates: Coordinates | None
) -> Deed:
    """An action yet to be done; raises `InvalidArgument` and `InvalidCoordinates`."""
    watch = Stopwatch(tab.record.id)
    at = coordinates or _point(x, y)
    await _check(tab, at)
    return Deed(action, at, watch)


def _point(x: int | None, y: int | None) -> Coordinates:
    if x is None or y is None:
        raise InvalidArgument(
            "A point needs x and y, or coordinates.", 'For example {"x": 100, "y": 40}.'
        )
    return Coordinates(x, y)


async def _check(tab: Tab, at: Coordinates) -> None:
    width, height = (await tab.view()).viewport
    if 0 <= at.x < width and 0 <= at.y < height:
        return
    raise InvalidCoordinates(
        f"({at.x}, {at.y}) is outside the viewport of {tab.record.id}, which is {width}x{height}.",
        f"x must be 0 to {width - 1}, y 0 to {height - 1}; scroll to what lies beyond.",
        {
            "x": {"min": 0, "max": width - 1},
            "y": {"min": 0, "max": height - 1},
            "viewport": {"width": width, "height": height},
        },
    )
