"""Points of the viewport as parameters, and the envelope of actions there."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs

from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Stopwatch, success
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


def check_point(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless x and y, or coordinates, are given."""
    read_point(arguments["x"], arguments["y"], arguments["coordinates"])


def read_point(x: int | None, y: int | None, coordinates: Coordinates | None) -> Coordinates:
    """Return the point that a call gives; raises `InvalidArgument`."""
    if coordinates is not None:
        return coordinates
    if x is None or y is None:
        raise InvalidArgument(
            "x and y, or coordinates, are required.", 'Pass a point such as {"x": 100, "y": 40}.'
        )
    return Coordinates(x, y)


def point_envelope(
    action: str, at: Coordinates, timestamp: str, watch: Stopwatch
) -> dict[str, Any]:
    """Return the envelope of a successful action at a point (S-ACT-01)."""
    used = {"coordinates_used": attrs.asdict(at), "action_timestamp": timestamp}
    return success(action, used, watch)
