"""The forms in which an agent may name a thing on a page (surface, section 5)."""

import re
from collections.abc import Mapping
from typing import Literal

from charlotte.errors import InvalidArgument

Form = Literal["hash", "dom", "node", "table"]

_FORMS: Mapping[Form, tuple[re.Pattern[str], str]] = {
    "dom": (re.compile(r"dom-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "dom-3fa2 (from find{selector})"),
    "node": (re.compile(r"([A-Za-z0-9_-]{1,60}:)?e\d{1,12}"), "e123 (from observe{mode:tree})"),
    "table": (re.compile(r"@ref:\d{1,6}"), "@ref:4 (from the last observe that told any)"),
    "hash": (re.compile(r"[a-z]{2,3}-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "btn-a3f1 or btn-a3f1-2"),
}
"""In the order in which they are tried: what they match, and what an agent is told of them."""

_LONGEST_SHOWN = 60


def is_reference(text: str) -> bool:
    """Whether a text has the form of a reference; a CSS selector that has it means an element."""
    return any(pattern.fullmatch(text) for pattern, _ in _FORMS.values())


def form_of(reference: str) -> Form:
    """Which form it has; raises `InvalidArgument` naming all there are."""
    for form, (pattern, _) in _FORMS.items():
        if pattern.fullmatch(reference):
            return form
    accepted = ", ".join(example for _, example in _FORMS.values())
    raise InvalidArgument(
        f"{reference[:_LONGEST_SHOWN]!r} is no reference to an element. Accepted are {accepted}.",
        "Take an id from observe, find or a delta, exactly as it is there.",
    )
