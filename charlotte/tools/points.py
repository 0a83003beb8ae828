"""Points of the viewport as parameters of tools."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.actor import Look
from charlotte.answers.pages import success
from charlotte.base.errors import InvalidArgument
from charlotte.tools.schema.arguments import (
    Limits,
    Rare,
    Unlisted,
)

LONGEST_HOLD_MS = 10_000
_WaitMs = Annotated[int, Limits(minimum=0, maximum=10_000)]

WaitAfter = Annotated[_WaitMs, Rare, "Time to wait afterwards in ms; 0: until the page settles."]
UnlistedWait = Annotated[_WaitMs, Unlisted]


@attrs.frozen
class Coordinates:
    """A point of the viewport in CSS px (S-COORD)."""

    x: int
    y: int


UnlistedCoordinates = Annotated[Coordinates | None, Unlisted]


def check_point(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless x and y, or coordinates, are given."""
    read_point(arguments["x"], arguments["y"], arguments["coordinates"])


def read_point(x: int | None, y: int | None, coordinates: Coordinates | None) -> tuple[int, int]:
    """Return the point that a call gives; raises `InvalidArgument`."""
    if coordinates is not None:
        return coordinates.x, coordinates.y
    if x is None or y is None:
        raise InvalidArgument(
            "x and y, or coordinates, are required.", 'Pass a point such as {"x": 100, "y": 40}.'
        )
    return x, y


def point_envelope(tab: TabHandle, action: str, at: tuple[int, int], look: Look) -> dict[str, Any]:
    """Return the envelope of a successful action at a point (S-ACT-01)."""
    used = {"coordinates_used": dict(zip("xy", at, strict=True)), "action_timestamp": look.acted_at}
    return success(tab, action, used)
