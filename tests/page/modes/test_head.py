"""Mode head."""

from typing import Any

import pytest

from charlotte.page.modes.lines import format_lines, get_status, head

FACTS: dict[str, Any] = {
    "url": "https://example.com/page",
    "title": "Example Page",
    "viewport": [1920, 1080],
    "ready": "complete",
}


@pytest.mark.req("B-HEAD-01", "B-HEAD-02")
def test_the_documented_example_is_rendered() -> None:
    output = head(FACTS, elements=150, controls=25)

    assert format_lines(output.header, output.lines, output.notes, {}) == (
        "URL: https://example.com/page\n"
        "TITLE: Example Page\n"
        "VIEWPORT: 1920x1080\n"
        "STATUS: ready\n"
        "ELEMENTS: total=150 interactive=25\n"
        "READY_STATE: complete"
    )
    assert output.targets == ()


@pytest.mark.req("B-HEAD-03", "B-HEAD-04", "B-HEAD-05", "B-HEAD-06")
@pytest.mark.parametrize(
    ("ready", "viewport", "controls", "expected"),
    [
        ("loading", (1, 1), 0, "loading"),
        ("complete", (0, 1), 5, "loading"),
        ("complete", (1, 1), 0, "empty"),
        ("loading", (1, 1), 5, "interactive"),
        ("interactive", (1, 1), 5, "interactive"),
        ("complete", (1, 1), 5, "ready"),
    ],
)
def test_the_status_depends_on_ready_state_and_controls(
    ready: str, viewport: tuple[int, int], controls: int, expected: str
) -> None:
    assert get_status(ready, viewport, controls) == expected


def test_a_page_title_cannot_begin_a_line() -> None:
    output = head(FACTS | {"title": "x\nSTATUS: empty"}, elements=1, controls=1)

    assert output.lines[1].text == "TITLE: x STATUS: empty"
