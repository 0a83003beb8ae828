"""Parameters that several tools share: one name, one type, one description."""

from collections.abc import Sequence
from typing import Annotated, Any

import attrs

from charlotte.browser.input import Modifier
from charlotte.config import LENGTHS
from charlotte.tools.schema.arguments import Lenient, Limits, element_reference, flag_names

ElementId = Annotated[str, Lenient(element_reference)]
Url = Annotated[str, "http, https, data or about:blank"]
Timeout = Annotated[int, Limits(minimum=0, maximum=300_000), "ms"]
Modifiers = Annotated[Sequence[Modifier], Lenient(flag_names)]
Limit = Annotated[int, Limits(minimum=1, maximum=1000)]
PageCursor = str | None
MaxChars = Annotated[int | None, Limits(minimum=LENGTHS[0], maximum=LENGTHS[1])]

ACTION_DEADLINE = 90.0
"""Seconds for an action: above the sum of all waits for its element, its input and the page."""


@attrs.frozen
class Offset:
    """CSS px, positive to the right and down."""

    x: int = 0
    y: int = 0


def given(**arguments: Any) -> dict[str, Any]:
    """Return the arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}
