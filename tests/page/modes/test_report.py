"""Quality reports of the text modes."""

from typing import Any

import pytest

from charlotte.page.modes.lines import ModeReport, get_status

UNSIZED = "Viewport not initialized (0x0) - page may be loading or redirecting"
EMPTY = "Page appears to be empty or transitional - wait for content to load"
REDIRECTING = "Detected intermediate/redirect page - snapshot may not contain meaningful content"

GOOD: dict[str, Any] = {
    "url": "https://example.com/",
    "viewport": (1280, 720),
    "elements": 50,
    "total": 10,
    "captured": 10,
}


def report(**changes: Any) -> dict[str, Any]:
    return ModeReport(**{**GOOD, **changes}).as_json()


@pytest.mark.req("B-META-01")
def test_elements_are_counted() -> None:
    counted = report(captured=7)
    assert (counted["totalInteractiveElements"], counted["capturedElements"]) == (10, 7)


@pytest.mark.req("B-META-02", "B-META-03", "B-META-04")
@pytest.mark.parametrize(
    ("changes", "quality"),
    [
        ({}, "high"),
        ({"captured": 5}, "high"),
        ({"captured": 4}, "medium"),
        ({"captured": 0}, "low"),
        ({"captured": 0, "has_content": True}, "low"),
        ({"captured": 0, "is_blank": False}, "low"),
        ({"captured": 0, "total": 0, "has_content": True, "is_blank": False}, "high"),
        ({"viewport": (0, 0)}, "low"),
    ],
)
def test_the_quality_depends_on_the_captured_share(changes: dict[str, Any], quality: str) -> None:
    assert report(**changes)["quality"] == quality


@pytest.mark.req("B-META-06", "B-META-07", "B-META-08")
@pytest.mark.parametrize(
    ("changes", "warnings"),
    [
        ({}, []),
        ({"viewport": (0, 0)}, [UNSIZED]),
        ({"total": 0, "captured": 0, "elements": 9}, [EMPTY]),
        ({"total": 0, "captured": 0, "elements": 10}, []),
        ({"total": 0, "captured": 0, "elements": 9, "is_blank": False}, []),
        ({"url": "https://accounts.example.com/ServiceLogin?x"}, [REDIRECTING]),
        ({"url": "https://accounts.example.com/RotateCookies"}, [REDIRECTING]),
        ({"url": "https://accounts.example.com/blank"}, [REDIRECTING]),
        ({"warnings": ["more"]}, ["more"]),
    ],
)
def test_warnings_describe_faults_of_a_page(changes: dict[str, Any], warnings: list[str]) -> None:
    assert report(**changes)["warnings"] == warnings


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
