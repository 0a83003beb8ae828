"""Says whether a thing is still what an agent was told it is."""

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
_DROPPED = re.compile(r"[\W\d_]+")


def compare_labels(role: str, name: str, role_now: str, name_now: str) -> ChangeDegree:
    """What became of a thing: nothing, a minor change of its name, or more."""
    if role != role_now:
        return "changed"
    if name == name_now:
        return "same"
    return "minor" if _is_minor(name.casefold(), name_now.casefold()) else "changed"


def _is_minor(before: str, after: str) -> bool:
    letters = _DROPPED.sub("", before)
    if letters and letters == _DROPPED.sub("", after):
        return True
    words = _words(before), _words(after)
    fewer, more = sorted(words, key=len)
    return any(_extends(more, fewer, start) for start in range(len(more) - len(fewer) + 1))


def _words(text: str) -> list[str]:
    return _WORD.findall(_APOSTROPHES.sub("", text))


def _extends(more: list[str], fewer: list[str], start: int) -> bool:
    """Whether ``more`` has all of ``fewer`` there, and besides it nothing that denies it."""
    end = start + len(fewer)
    extra = more[:start] + more[end:]
    return bool(fewer) and more[start:end] == fewer and _NEGATIONS.isdisjoint(extra)


def _split(url: str) -> SplitResult:
    """The parts of an address; of one that cannot be parsed, all of it is the path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def compare_destinations(before: str, now: str) -> ChangeDegree:
    """Return "minor" for one path with another query or fragment, which may select a record."""
    if before == now:
        return "same"
    return "minor" if _split(before)[:3] == _split(now)[:3] else "changed"
