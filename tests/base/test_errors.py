"""Errors have one code of a fixed list."""

from collections.abc import Iterator

import pytest

from charlotte.base.errors import CharlotteError

CODES = {
    "AUDIT_FAILED", "BUDGET_EXCEEDED", "CDP_CONNECTION_LOST", "ELEMENT_CHANGED",
    "ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTIVE", "EVALUATION_ERROR", "FILE_STORAGE_ERROR",
    "INVALID_ARGUMENT", "INVALID_COORDINATES", "NAVIGATION_BLOCKED", "NAVIGATION_FAILED",
    "PAGE_TOOL_FAILED", "PAGE_TOOL_NOT_FOUND", "PAGE_TOOL_NOT_SHOWN", "PERSON_HAS_TAB",
    "POLICY_REFUSED", "SCREENSHOT_FAILED", "SESSION_ERROR", "SNAPSHOT_EXPIRED", "TAB_CRASHED",
    "TAB_HUNG", "TAB_NOT_FOUND", "TIMEOUT",
}  # fmt: skip


def kinds(kind: type[CharlotteError] = CharlotteError) -> Iterator[type[CharlotteError]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds(each)


@pytest.mark.req("C-ERR-01")
def test_the_codes_of_errors_are_a_fixed_list() -> None:
    ours = {kind.code for kind in kinds() if kind.__module__.startswith("charlotte.")}

    assert ours == CODES


@pytest.mark.req("C-ERR-02")
def test_an_error_is_an_object_with_code_message_and_perhaps_a_suggestion() -> None:
    assert CharlotteError("It failed.").as_json() == {
        "error": {"code": CharlotteError.code, "message": "It failed."}
    }
    assert CharlotteError("It failed.", "Retry.").as_json()["error"]["suggestion"] == "Retry."
