"""Contrast as WCAG reckons it, at the boundaries of C-AUD-05."""

import attrs
import pytest

from charlotte.dev.audits.contrast import contrast, needed, ratio_of
from charlotte.dev.audits.facts import Colour, Look, Texts

BLACK: Colour = (0, 0, 0, 1)
WHITE: Colour = (255, 255, 255, 1)


def look(
    colour: Colour, *behind: Colour, size: float = 16, weight: float = 400, opacity: float = 1
) -> Look:
    return Look(
        colour=colour, behind=behind, size=size, weight=weight, opacity=opacity, where=[(1, "x")]
    )


def grey(level: int, alpha: float = 1) -> Colour:
    return level, level, level, alpha


@pytest.mark.req("C-AUD-05")
@pytest.mark.parametrize(
    ("seen", "ratio"),
    [
        (look(BLACK), 21),
        (look(WHITE), 1),
        (look(WHITE, BLACK), 21),
        (look(grey(119)), 4.48),
        (look(grey(118)), 4.54),
        (look((255, 0, 0, 1)), 4.0),
        (look(grey(0, 0.5)), 3.98),
        (look(BLACK, opacity=0.5), 3.98),
        (look(WHITE, grey(255, 0.5), BLACK), 3.98),
        (look(BLACK, grey(0, 0)), 21),
    ],
)
def test_the_ratio_is_of_what_is_seen(seen: Look, ratio: float) -> None:
    assert ratio_of(seen) == pytest.approx(ratio, abs=0.01)


@pytest.mark.req("C-AUD-05")
@pytest.mark.parametrize(
    ("size", "weight", "least"),
    [(23.9, 400, 4.5), (24, 400, 3), (18.65, 700, 4.5), (18.66, 700, 3), (18.66, 600, 4.5)],
)
def test_large_text_needs_less(size: float, weight: float, least: float) -> None:
    assert needed(look(BLACK, size=size, weight=weight)) == least


def test_texts_of_which_only_the_number_is_known_are_counted_too() -> None:
    found = list(contrast(Texts([attrs.evolve(look(grey(119)), count=30)], 30)))

    assert [one.nid for one in found] == [1, *[None] * 29]
    assert {one.severity for one in found} == {"warning"}


@pytest.mark.req("C-AUD-05")
@pytest.mark.parametrize(
    ("colour", "severity"), [(grey(118), None), (grey(119), "warning"), (grey(160), "error")]
)
def test_what_is_too_pale_is_found_and_the_palest_is_an_error(
    colour: Colour, severity: str | None
) -> None:
    found = [one.severity for one in contrast(Texts([look(colour)], 1))]
    assert found == ([severity] if severity else [])
