"""Contrast of text with what is behind it, by WCAG 2.1 AA."""

from collections.abc import Iterator
from itertools import repeat
from typing import TypeVar

import attrs

from charlotte.dev.audits.facts import Colour, Ground, Look, Texts
from charlotte.dev.audits.findings import Finding, Severity

G = TypeVar("G", bound=Ground)

_WHITE: Colour = (255, 255, 255, 1)
_NORMAL = 4.5
_LARGE = 3.0
_LARGE_SIZE = 24
_LARGE_BOLD_SIZE = 18.66
_BOLD = 700
_BAD = 3.0
_LINEAR_TO = 0.04045


def contrast(texts: Texts) -> Iterator[Finding]:
    """Texts that are too pale; those on images are left to the eye."""
    for look in texts.rows:
        if not look.image and (ratio := ratio_of(look)) < needed(look):
            yield from _told(look, ratio)


def on_ground(ground: Ground, texts: Texts) -> Texts:
    """The texts of a frame, with what the frame is seen on behind them."""
    rows = [_over_ground(ground, look) for look in texts.rows]
    frames = {nid: _over_ground(ground, one) for nid, one in texts.frames.items()}
    return attrs.evolve(texts, rows=rows, frames=frames)


def _over_ground(ground: Ground, one: G) -> G:
    lets_through = not one.behind or one.behind[-1][3] < 1
    return attrs.evolve(
        one,
        behind=(*one.behind, *ground.behind),
        image=one.image or (lets_through and ground.image),
        opacity=one.opacity * ground.opacity,
    )


def _told(look: Look, ratio: float) -> Iterator[Finding]:
    """A finding for each of the texts, also for those of which only the number is known."""
    severity: Severity = "error" if ratio < _BAD else "warning"
    seen = seen_background(look)
    for nid, text in look.where:
        told = (
            f"{text!r} has a contrast of {ratio:.2f}, but needs {needed(look):g}: "
            f"{_hex(seen_colour(look, seen))} on {_hex(seen)} at {look.size:g} px."
        )
        yield Finding("contrast", severity, "contrast", told, nid)
    more = f"A text has a contrast of {ratio:.2f}, but needs {needed(look):g}."
    yield from repeat(Finding("contrast", severity, "contrast", more), look.count - len(look.where))


def needed(look: Look) -> float:
    """The least ratio: large text needs less (C-AUD-05)."""
    size = _LARGE_BOLD_SIZE if look.weight >= _BOLD else _LARGE_SIZE
    return _LARGE if look.size >= size else _NORMAL


def ratio_of(look: Look) -> float:
    """From 1 to 21, of what is really seen."""
    background = seen_background(look)
    colour = seen_colour(look, background)
    low, high = sorted((_luminance(colour), _luminance(background)))
    return (high + 0.05) / (low + 0.05)


def seen_background(look: Look) -> Colour:
    """All that is behind a text, painted over each other on white."""
    seen = _WHITE
    for layer in reversed(look.behind):
        seen = _over(layer, seen, 1)
    return seen


def seen_colour(look: Look, background: Colour) -> Colour:
    """The text's colour where it or what it lies in lets something through."""
    return _over(look.colour, background, look.opacity)


def _over(upper: Colour, lower: Colour, opacity: float) -> Colour:
    alpha = upper[3] * opacity
    red, green, blue = (
        one * alpha + other * (1 - alpha) for one, other in zip(upper[:3], lower[:3], strict=True)
    )
    return red, green, blue, 1


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= _LINEAR_TO else ((part + 0.055) / 1.055) ** 2.4


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour[:3])
