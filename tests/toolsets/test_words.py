"""Keys, wording and search of the toolsets, without a browser."""

import pytest

from charlotte.errors import CharlotteError, ElementNotInteractive, InvalidArgument
from charlotte.toolsets.browser import key_name
from charlotte.toolsets.text import (
    answer_lines,
    cut_lines,
    describe,
    find_lines,
    without_places,
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Return", "Return"),
        ("ctrl+a", "ctrl+a"),
        ("ctrl++", "ctrl++"),
        ("+", "+"),
        ("KP_Enter", "Enter"),
        ("KP_7", "7"),
        ("Shift_L+Page_Down", "Shift+PageDown"),
    ],
)
def test_keys_may_have_x11_names(text: str, name: str) -> None:
    assert key_name(text) == name


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            ElementNotInteractive("btn-1a2b is not visible.", "Observe the page to see its state."),
            "btn-1a2b is not visible. Observe the page to see its state.",
        ),
        (
            InvalidArgument("No file /etc/hosts.", "Use a file inside the roots; --root adds one."),
            "No file the file.",
        ),
        (
            CharlotteError("Failed at https://a.example/x?y=1.", "Call dev_audit. Try again."),
            "Failed at the address. Try again.",
        ),
        (CharlotteError("Odd.", "Call tools{action: enable} first. Wait."), "Odd. Wait."),
    ],
)
def test_errors_name_no_other_tools_and_no_places(error: CharlotteError, text: str) -> None:
    assert describe(error) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Got 'https://a b.test/x?y'. Retry.", "Got the address. Retry."),
        ("See data:text/html,x.", "See the address."),
        ("No https://example.org.evil.test/x, ever", "No the address, ever"),
    ],
)
def test_addresses_are_left_out_with_their_quotes(text: str, left: str) -> None:
    assert without_places(text) == left


def test_remarks_have_neither_calls_nor_addresses() -> None:
    text = (
        "! failed request: POST 404 http://a.test/b\n! 2 more console errors: console{level: error}"
        '\n! 900 characters are cut: find{text} or observe{cursor: "1.lines.9"}'
    )
    assert answer_lines(text) == [
        "! failed request: POST 404 the address",
        "! 2 more console errors",
        "! 900 characters are cut",
    ]


def test_lines_that_fit_a_description_are_found_best_first() -> None:
    lines = ['lnk-1a2b "Other page"', "The page", 'btn-3c4d "Pay" [near "Other"]', "Total"]
    assert find_lines(lines, "link to the other pages") == lines[:1]


def test_sentences_and_fractions_are_no_paths() -> None:
    assert without_places("2/3 of a and/or b; no/yes") == "2/3 of a and/or b; no/yes"


def test_what_the_state_reports_is_left_out_of_answers() -> None:
    text = (
        'tab-1 "Shop" http://x/\n~ a → b\n! download "a.csv" completed: /tmp/a.csv\n'
        '! tab-2 opened: "B" http://x/b\n'
        "! 3 page tools: page_tools\n"
        "! The alert dialog 'x' was dismissed automatically (dialog_auto_dismiss).\n! note"
    )
    assert answer_lines(text) == ["~ a → b", "! note"]


def test_long_answers_are_cut_at_lines() -> None:
    answer = cut_lines(["x" * 100] * 100, 4096, " ; ", "{} left out")

    assert len(answer) <= 4096
    assert answer.endswith("x ; 61 left out")
    assert len(cut_lines(["z" * 10_000], 4096, " ; ", "{} left out")) <= 4096
