"""Degrees of change of names and addresses since an agent was shown an element."""

import re
from typing import Literal
from urllib.parse import SplitResult, urlsplit

ChangeDegree = Literal["same", "minor", "changed"]

MINOR_CHANGE_NOTE = "Note: Element may have changed. Using current state."

_NEGATIONS = {
    *("no", "not", "never", "without", "non", "un"),
    *("dont", "doesnt", "cannot", "cant", "wont"),
    *("nicht", "kein", "keine", "keinen", "nie", "ohne"),
    *("ne", "pas", "sans", "jamais", "nunca", "sin"),
}
"""Words that turn a name into its opposite, without apostrophes."""

_WORD = re.compile(r"\w+")
_APOSTROPHES = re.compile("['\u2019]")
_NOT_LETTERS = re.compile(r"[\W\d_]+")


def compare_labels(role: str, name: str, role_now: str, name_now: str) -> ChangeDegree:
    """Compare role and name: names that differ in figures or additional words differ a little."""
    if role != role_now:
        return "changed"
    if name == name_now:
        return "same"
    before, now = name.casefold(), name_now.casefold()
    letters = _NOT_LETTERS.sub("", before)
    if letters and letters == _NOT_LETTERS.sub("", now):
        return "minor"
    words = (_WORD.findall(_APOSTROPHES.sub("", text)) for text in (before, now))
    fewer, more = sorted(words, key=len)
    starts = range(len(more) - len(fewer) + 1)
    return "minor" if any(_extends(more, fewer, start) for start in starts) else "changed"


def _extends(more: list[str], fewer: list[str], start: int) -> bool:
    """Return whether ``more`` has all of ``fewer`` at ``start``, and no negation around it."""
    end = start + len(fewer)
    extra = more[:start] + more[end:]
    return bool(fewer) and more[start:end] == fewer and _NEGATIONS.isdisjoint(extra)


def compare_destinations(before: str, now: str) -> ChangeDegree:
    """Compare URLs; another query or fragment, which may select a record, is a minor change."""
    if before == now:
        return "same"
    return "minor" if _split_url(before)[:3] == _split_url(now)[:3] else "changed"


def _split_url(url: str) -> SplitResult:
    """Return the parts of a URL; an invalid URL is all path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")
