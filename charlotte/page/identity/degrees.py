"""Degrees of change of labels and URLs, and the parameters that links have from their page."""

import re
from collections import Counter
from contextlib import suppress
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

ChangeDegree = Literal["same", "minor", "changed"]

_NEGATIONS = {
    *("no", "not", "never", "without", "non", "un"),
    *("dont", "doesnt", "cannot", "cant", "wont"),
    *("nicht", "kein", "keine", "keinen", "nie", "ohne"),
    *("ne", "pas", "sans", "jamais", "nunca", "sin"),
}
"""Words that turn a name into its opposite, without apostrophes."""

WORD = re.compile(r"\w+")
_APOSTROPHES = re.compile("['\u2019]")
_NOT_LETTERS = re.compile(r"[\W\d_]+")


def compare_labels(role: str, name: str, role_now: str, name_now: str) -> ChangeDegree:
    """Compare role and name: names that differ in digits or additional words differ a little."""
    if role != role_now:
        return "changed"
    if name == name_now:
        return "same"
    before, now = name.casefold(), name_now.casefold()
    letters = _NOT_LETTERS.sub("", before)
    if letters and letters == _NOT_LETTERS.sub("", now):
        return "minor"
    words = (WORD.findall(_APOSTROPHES.sub("", text)) for text in (before, now))
    fewer, more = sorted(words, key=len)
    is_inside = fewer and f" {' '.join(fewer)} " in f" {' '.join(more)} "
    is_opposite = not _NEGATIONS.isdisjoint(Counter(more) - Counter(fewer))
    return "minor" if is_inside and not is_opposite else "changed"


def compare_destinations(before: str, now: str) -> ChangeDegree:
    """Compare URLs; another query or fragment, which may select a record, is a minor change."""
    if before == now:
        return "same"
    with suppress(ValueError):  # an invalid URL
        return "minor" if urlsplit(before)[:3] == urlsplit(now)[:3] else "changed"
    return "changed"


def get_inner_fragment(url: str, page: str) -> str:
    """Return the fragment with ``#`` of a URL that leads to a place in its page, "" for others."""
    address, mark, fragment = url.partition("#")
    return mark + fragment if address == page.partition("#")[0] else ""


def remove_page_parameters(url: str, page: str) -> str:
    """Return a URL without the parameters that the URL of its page has with the same values."""
    if "?" not in url:
        return url
    with suppress(ValueError):  # an invalid URL
        parts = urlsplit(url)
        shared = parse_qsl(urlsplit(page).query, keep_blank_values=True)
        own = parse_qsl(parts.query, keep_blank_values=True)
        query = urlencode([parameter for parameter in own if parameter not in shared])
        return parts._replace(query=query).geturl()
    return url
