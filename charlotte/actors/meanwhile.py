"""What a page said only for a moment, while one waited until it had answered an action."""

import re
from collections.abc import Sequence

from charlotte.page.model import PageView

_LONGEST = 300
_NUMBERS = re.compile(r"\d+")


def said_meanwhile(said: Sequence[str], before: PageView, after: PageView) -> str | None:
    """A sentence about texts that are not on the page now, nor were before.

    Of those that differ in their numbers alone, as what counts down does, the last one is told.
    """
    there = {_kind(text) for view in (before, after) for text in view.alerts}
    there |= {_kind(line.text) for line in after.lines} if said else set()
    last = {_kind(text): text for text in said}
    told = "; ".join(f'"{text}"' for kind, text in last.items() if kind not in there)
    if not told:
        return None
    return f"Said meanwhile: {told if len(told) <= _LONGEST else f'{told[:_LONGEST]}…'}"


def _kind(text: str) -> str:
    return _NUMBERS.sub("", text)
