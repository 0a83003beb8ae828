"""Regular expressions and globs of agents, matched in linear time by RE2.

Agents choose the pattern and pages choose the text, so a backtracking engine could run forever.
"""

import re
import time
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import attrs

from charlotte.base.errors import DeadlineExceeded, InvalidArgument, ellipsize, valid_unicode

_re2: Final[Any] = import_module("re2")  # google-re2 has no type stubs

_QUOTED = 60
_LARGEST_PROGRAM = 4_000
"""Instructions of a compiled pattern; RE2 may execute each of them for every byte of text."""
_SEARCH_SECONDS = 1.0
"""CPU time for all searches of one call: they run on the event loop."""
_FIRST_SEARCHED = 10_000
"""Bytes of a text that are searched first; each next part, from the start, has twice as many."""
_MEMORY = 2 * 2**20
"""Bytes for a program and its states; the re2 module caches 128 programs."""
_LARGE_MEMORY = 2**26
"""Bytes for built-in patterns; RE2 allocates them on demand."""

Search = Callable[[str], bool]


class NotAPattern(ValueError):
    """The text is not a regular expression in any dialect."""


@attrs.frozen
class Regex:
    """A compiled regular expression."""

    text: str
    _compiled: Any

    def searching(self) -> Search:
        """Return a predicate for texts that contain a match, to be used at once.

        The predicate raises `DeadlineExceeded` after this thread has used one second of CPU time.
        """
        deadline = time.thread_time() + _SEARCH_SECONDS

        def found(text: str) -> bool:
            data, end = _bytes(text), _FIRST_SEARCHED
            while time.thread_time() <= deadline:
                match = self._compiled.search(data, 0, end)
                # what follows a part decides on a match at its end
                if end >= len(data) or (match and match.end() < end):
                    return bool(match)
                end *= 2
            raise DeadlineExceeded(
                f"Searching with the pattern {ellipsize(self.text, _QUOTED)!r} took more than "
                f"{_SEARCH_SECONDS:g} s of CPU time.",
                "Replace large repetitions such as {500}, or search a smaller part of the "
                "page with selector.",
            )

        return found

    def finds(self, text: str) -> bool:
        """Whether a text contains a match."""
        return self._compiled.search(_bytes(text)) is not None

    def matches(self, text: str) -> bool:
        """Whether a whole text is a match."""
        return self._compiled.fullmatch(_bytes(text)) is not None

    def first(self, text: str) -> str | None:
        """Return the first group of the first match, or without groups the match."""
        match = self._compiled.search(_bytes(text))
        if match is None:
            return None
        found: bytes = match[1] if self._compiled.groups else match[0]
        return (found or b"").decode()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return start and end of every match, in characters."""
        data, found = _bytes(text), list[tuple[int, int]]()
        end = start = 0
        while (match := self._compiled.search(data, end)) is not None:
            start += len(data[end : match.start()].decode())
            found.append((start, start + len(match[0].decode())))
            start, end = found[-1][1], match.end()
        return found

    def replaced(self, text: str, replacement: Callable[[str], str]) -> str:
        """Return a text with every match replaced; the same object without a match."""
        spans = self.spans(text)
        if not spans:
            return text
        valid, parts, end = _bytes(text).decode(), list[str](), 0
        for start, last in spans:
            parts += [valid[end:start], replacement(valid[start:last])]
            end = last
        return "".join([*parts, valid[end:]])


def compiled(text: str, *, ignore_case: bool = False) -> Regex:
    """Compile a regular expression.

    Raises `InvalidArgument` for a pattern that RE2 does not support, and `NotAPattern` for one
    with a syntax error.
    """
    try:
        found = _compile(text, case_sensitive=not ignore_case)
    except _re2.error as error:
        raise _problem(text, error) from None
    if found.programsize > _LARGEST_PROGRAM:
        raise _too_large(text)
    return Regex(text, found)


@lru_cache(maxsize=200)
def longest_of(patterns: tuple[str, ...]) -> Regex:
    """Compile built-in patterns that match no empty text into one with the longest match."""
    text = "|".join(patterns)
    return Regex(text, _compile(text, longest_match=True, max_mem=_LARGE_MEMORY))


def literal(text: str, *, ignore_case: bool = False) -> Regex:
    """Return a pattern that matches a text as written."""
    found = _compile(text, literal=True, case_sensitive=not ignore_case, max_mem=_memory_for(text))
    return Regex(text, found)


def glob_matches(glob: str, text: str) -> bool:
    """Whether a glob matches a whole text: ``*`` is any text, ``?`` any character."""
    return _glob(glob).matches(text)


@lru_cache(maxsize=1000)
def _glob(glob: str) -> Regex:
    text = _re2.escape(_bytes(glob).decode()).replace(r"\*", ".*").replace(r"\?", ".")
    return Regex(glob, _compile(text, dot_nl=True, max_mem=_memory_for(glob)))


def _memory_for(text: str) -> int:
    """Return the memory in which a text that may be long compiles."""
    return max(_MEMORY, 400 * len(text))


def _compile(text: str, **settings: Any) -> Any:
    options = _re2.Options()
    options.log_errors = False  # RE2 would write patterns to stderr
    options.max_mem = _MEMORY
    for name, value in settings.items():
        setattr(options, name, value)
    return _re2.compile(_bytes(text), options)


def _problem(text: str, error: Exception) -> Exception:
    """Return the exception for a pattern that RE2 refused."""
    reason = error.args[0].decode(errors="replace") if error.args else "syntax error"
    if "too large" in reason or "repetition size" in reason:
        return _too_large(text)
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return NotAPattern(reason)
    return InvalidArgument(
        f"{ellipsize(text, _QUOTED)!r} needs more than RE2 syntax ({reason}). Look-around, "
        "backreferences, atomic groups and possessive quantifiers are not supported."
    )


def _too_large(text: str) -> InvalidArgument:
    return InvalidArgument(
        f"{ellipsize(text, _QUOTED)!r} is too large with its repetitions expanded; "
        "use * or + instead."
    )


def _bytes(text: str) -> bytes:
    """Encode a text for RE2; a lone surrogate, which UTF-8 cannot encode, becomes U+FFFD."""
    return valid_unicode(text).encode()
