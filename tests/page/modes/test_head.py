"""Mode head."""

import pytest

from charlotte.page.modes.lines import get_status


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
