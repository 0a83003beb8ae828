"""The forms in which an agent may name a thing on a page (surface, section 5)."""

import re
from collections.abc import Mapping
from typing import Literal

from charlotte.errors import InvalidArgument

Form = Literal["hash", "dom"]

_FORMS: Mapping[Form, tuple[re.Pattern[str], str]] = {
    "dom": (re.compile(r"dom-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "dom-3fa2 (from find{selector})"),
    "hash": (re.compile(r"[a-z]{2,3}-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "btn-a3f1 or btn-a3f1-2"),
}
"""In the order in which they are tried: what they match, and what an agent is told of them."""

_LONGEST_SHOWN = 60


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
