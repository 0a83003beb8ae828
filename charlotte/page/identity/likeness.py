"""Says whether a thing is still what an agent was told it is (surface, section 5)."""

import re
from typing import Literal

Verdict = Literal["same", "minor", "changed"]

NOTE = "Note: Element may have changed. Using current state."

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


def compare(role: str, name: str, role_now: str, name_now: str) -> Verdict:
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
