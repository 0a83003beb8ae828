"""Counts and text of a page."""

import pytest

from charlotte.page.view import content_summary, interactive_summary, text_lines
from tests.page.pages import Page, stored, view_of


@pytest.mark.req("C-PR-06", "C-DET-05")
def test_everything_counts_only_in_its_innermost_landmark() -> None:
    assert content_summary(view_of(stored("landmarks"))) == (
        "(page root): 1 paragraph, 1 link; "
        "banner: 1 image; "
        'navigation "Main": 1 list, 2 links; '
        "search: 1 input; "
        "main: 1 heading, 5 paragraphs, 1 table; "
        'region "Comments": 1 heading, 2 paragraphs, 1 button; '
        "complementary: 1 form; "
        'form "Newsletter": 1 button, 1 input; '
        "contentinfo: 1 link"
    )


def test_controls_are_counted_by_landmark_and_type() -> None:
    summary = interactive_summary(view_of(stored("landmarks")))
    assert summary == {
        "total": 8,
        "by_landmark": {
            "navigation (Main)": {"link": 2},
            "search": {"text_input": 1},
            "region (Comments)": {"button": 1},
            "form (Newsletter)": {"text_input": 1, "button": 1},
            "contentinfo": {"link": 1},
            "(page root)": {"link": 1},
        },
    }


def test_landmarks_with_equal_titles_share_a_count() -> None:
    page = Page()
    for _ in range(2):
        page.button("Go", parent=page.landmark("region", "Twin"))
    for index in range(70):
        page.button("Go", parent=page.landmark("region", f"Day {index}"))
    groups = interactive_summary(view_of(page.capture()))["by_landmark"]
    assert isinstance(groups, dict)
    assert groups["region (Twin)"] == {"button": 2}
    assert groups["(other landmarks)"] == {"button": 11}


def test_a_very_long_line_is_cut_at_a_space_with_an_ellipsis_on_both_sides() -> None:
    page = Page()
    page.text("word " * 1000)
    page.text("x" * 4500)
    lines = list(text_lines(view_of(page.capture())))
    assert max(map(len, lines)) <= 2000
    assert "\n".join(lines[:-3]).replace(" …\n…w", " w") == "word " * 1000
    assert "".join(lines[-3:]) == "……".join(["x" * 1999, "x" * 1998, "x" * 503])
