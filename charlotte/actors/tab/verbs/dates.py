"""Dates and times in ISO form, converted to the format that a field shows."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

_ISO = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?:(?:^|[T ])(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))?)?"
)

Part = Literal["year", "month", "day", "hour", "minute", "second", "half"]
"""A part of a date or time; ``half`` is the half of the day, 0 for AM and 1 for PM."""

_DATE = re.compile(r"([a-z])\1*([-./ ] ?)([a-z])\3*\2([a-z])\4*(?![a-z])", re.IGNORECASE)

_HALF_DAY = 12
_LARGEST_OF_MINUTE = 59
_BY_LARGEST: Mapping[float, Part] = {
    1: "half",
    _LARGEST_OF_MINUTE: "minute",
    **dict.fromkeys(range(28, 32), "day"),
    **dict.fromkeys((11, 12, 23, 24), "hour"),
}
"""Parts by their highest values: hours of 12 or 24 count from 0 or 1."""

_TIME = re.compile(r"\d+:\d+(?::\d+)?")
_WORD = re.compile(r"[^\W\d_]{3}")
_DATE_PARTS = ("year", "month", "day")

Moment = Mapping[Part, int]
"""The given parts of a date or time."""


def of_twelve_hours(moment: Moment) -> Moment:
    """Return a moment with an hour of a half day, and that half."""
    if "hour" not in moment:
        return moment
    hour = moment["hour"]
    return {**moment, "hour": hour % _HALF_DAY or _HALF_DAY, "half": hour // _HALF_DAY}


def parse_moment(text: str) -> Moment | None:
    """Return the date or time of an ISO text such as 2026-05-01, 14:30 or both; else None."""
    found = _ISO.fullmatch(text.strip())
    if not found or not text.strip():
        return None
    names: tuple[Part, ...] = ("year", "month", "day", "hour", "minute", "second")
    return {name: int(found[name]) for name in names if found[name]}


def shows_moment(shown: str, moment: Moment) -> bool:
    """Return whether a text contains the moment in any format; the month may be a name.

    Each number stands for one part: 03/10/2026 is not the third of March.
    """
    text = shown if "hour" in moment else _TIME.sub("", shown)
    numbers = [int(found) for found in re.findall(r"\d+", text)]
    year, month, day = moment.get("year"), moment.get("month"), moment.get("day")
    if day is not None and (_WORD.search(text) or len(numbers) < len(_DATE_PARTS)):
        month = None
    hours = [moment.get("hour"), of_twelve_hours(moment).get("hour")]
    for ways in ([year, (year or 0) % 100], [day], [month], hours, [moment.get("minute")]):
        if ways[0] is None:
            continue
        found = next((way for way in ways if way in numbers), None)
        if found is None:
            return False
        numbers.remove(found)
    return True


def fit_format(moment: Moment, hints: Sequence[str]) -> str | None:
    """Return a date in the first format such as MM/DD/YYYY or dd.mm.yyyy in the hints.

    Returns None for a time, or without a format.
    """
    if "day" not in moment or "hour" in moment:
        return None
    return next(filter(None, (_fit_date(moment, hint) for hint in hints)), None)


def _fit_date(moment: Moment, hint: str) -> str | None:
    """Return the date in the format of a hint: the longest part is the year, M is the month."""
    for found in _DATE.finditer(hint):
        pieces = re.split(r"[-./ ]+", found[0])
        parts: list[Part] = [_date_part(piece, pieces) for piece in pieces]
        if sorted(parts) != ["day", "month", "year"]:
            continue
        values: list[str] = []
        for part, piece in zip(parts, pieces, strict=True):
            value = moment.get(part, 1) % (100 if len(piece) == len("YY") else 10_000)
            values.append(str(value).zfill(len(piece)))
        return found[2].join(values)
    return None


def _date_part(piece: str, pieces: Sequence[str]) -> Part:
    longest = max(pieces, key=len)
    if piece is longest if len(longest) > len("YY") else piece.lower() == "yy":
        return "year"
    return "month" if piece[0] in "mM" else "day"


def name_parts(limits: Sequence[tuple[float, float]]) -> list[Part] | None:
    """Return the parts that fields with these least and largest values stand for.

    Returns None if the fields are no single date or time.
    """
    parts: list[Part] = []
    largest: list[Part | None] = [
        "year" if high > _LARGEST_OF_MINUTE else _BY_LARGEST.get(high) for _, high in limits
    ]
    has_date = not {"year", "day"}.isdisjoint(largest)
    for known, ends in zip(largest, limits, strict=True):
        part = known
        if ends == (1, 12) and has_date and "month" not in parts:
            part = "month"
        elif part == "minute" and "minute" in parts:
            part = "second"
        if part is None or part in parts:
            return None
        parts.append(part)
    return parts
