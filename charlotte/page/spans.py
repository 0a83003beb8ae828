"""Parts of a text by their content, as ``select_text`` names them."""

import difflib
import re

import attrs

from charlotte.base.errors import InvalidArgument, ellipsize

Span = tuple[int, int]
"""Start and end in a text, in characters."""

_LONGEST_QUOTE = 80
_MOST_COMPARED = 5000
_SIMILAR = 0.5


@attrs.frozen
class TextPart:
    """The part of a text that is ``text``; without it, all of the text."""

    text: str | None = None
    occurrence: int = 1

    def count(self, text: str) -> int:
        """Return how often the part occurs in a text."""
        return 1 if self.text is None else len(_occurrences(text, self.text))

    def find(self, text: str) -> Span:
        """Return the part's place in a text; raises `InvalidArgument` with the nearest text."""
        if self.text is None:
            return 0, len(text)
        found = _occurrences(text, self.text)
        if not found:
            raise _not_found(text, self.text)
        if self.occurrence > len(found):
            times = "once" if len(found) == 1 else f"{len(found)} times"
            raise InvalidArgument(
                f"{_quote(self.text)} occurs {times}, not {self.occurrence} times.",
                f"Pass an occurrence from 1 to {len(found)}.",
            )
        return found[self.occurrence - 1]


def _occurrences(text: str, wanted: str) -> list[Span]:
    """Return all places of a text: exact ones, else those in any case and with any white space."""
    flexible = r"\s+".join(map(re.escape, wanted.split()))
    attempts = ((re.escape(wanted), 0), (flexible, 0), (flexible, re.IGNORECASE))
    for pattern, flags in attempts if wanted.strip() else attempts[:1]:
        if found := [match.span() for match in re.finditer(pattern, text, flags)]:
            return found
    return []


def _not_found(text: str, wanted: str) -> InvalidArgument:
    words = text.split()
    size = max(len(wanted.split()), 1)
    windows = {" ".join(words[at : at + size]): None for at in range(len(words))}
    compared = list(windows)[:_MOST_COMPARED]
    close = difflib.get_close_matches(wanted, compared, n=1, cutoff=_SIMILAR)
    nearest = f" The nearest text is {_quote(close[0])}." if close else ""
    return InvalidArgument(
        f"{_quote(wanted)} not found.{nearest}",
        "Pass the exact text: observe{mode: content} returns it.",
    )


def _quote(text: str) -> str:
    return f'"{ellipsize(text, _LONGEST_QUOTE)}"'
