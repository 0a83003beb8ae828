"""Lines over two logarithmic axes, as SVG."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

Points = Sequence[tuple[float, float]]

_WIDTH: Final = 640
_HEIGHT: Final = 400
_MARGIN: Final = 60
_COLOURS: Final = ("#c0392b", "#2471a3", "#1e8449", "#9a7d0a")


class _Axis:
    """An axis of whole decades, and the positions of values on it."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        positive = [value for value in values if value > 0] or [1.0]
        self._low = math.floor(math.log10(min(positive)))
        self._high = max(math.ceil(math.log10(max(positive))), self._low + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Return the position of a value in px."""
        low = 10.0**self._low
        share = (math.log10(max(value, low)) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    @property
    def ticks(self) -> list[float]:
        """The powers of ten from end to end."""
        return [10.0**power for power in range(self._low, self._high + 1)]


def plot(
    title: str, x_label: str, y_label: str, lines: Mapping[str, Points], *, joined: bool = True
) -> str:
    """Draw named lines, or only their points; values of 0 or less lie on the axis."""
    points = [point for line in lines.values() for point in line]
    x = _Axis([point[0] for point in points], _MARGIN, _WIDTH - _MARGIN)
    y = _Axis([point[1] for point in points], _HEIGHT - _MARGIN, _MARGIN)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    parts = [
        head,
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_WIDTH / 2, 24, title),
        _text(_WIDTH / 2, _HEIGHT - 16, x_label),
        _text(_MARGIN, _MARGIN - 12, y_label),
        *_grid(x, y),
        *(
            part
            for index, name in enumerate(lines)
            for part in _line(index, name, lines[name], x, y, joined=joined)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, text: str, colour: str = "black") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def _stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#ddd"/>'


def _grid(x: _Axis, y: _Axis) -> list[str]:
    bottom, right = _HEIGHT - _MARGIN, _WIDTH - _MARGIN
    parts: list[str] = []
    for tick in x.ticks:
        parts.append(_stroke(x.at(tick), _MARGIN, x.at(tick), bottom))
        parts.append(_text(x.at(tick), bottom + 18, f"{tick:,.10g}"))
    for tick in y.ticks:
        parts.append(_stroke(_MARGIN, y.at(tick), right, y.at(tick)))
        parts.append(_text(_MARGIN - 26, y.at(tick) + 4, f"{tick:,.10g}"))
    return parts


def _line(index: int, name: str, points: Points, x: _Axis, y: _Axis, *, joined: bool) -> list[str]:
    colour = _COLOURS[index % len(_COLOURS)]
    places = [f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in points]
    dots = [
        f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3" fill="{colour}"/>' for a, b in points
    ]
    line = f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}"/>'
    label = _text(_WIDTH - 2.2 * _MARGIN, _MARGIN + 14 + 16 * index, name, colour)
    return [*([line] if joined else []), *dots, label]
