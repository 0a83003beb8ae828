"""Refs, keys, wording and search of the toolsets, without a browser."""

import pytest

from charlotte.base.errors import CharlotteError, ElementNotInteractive, InvalidArgument
from charlotte.toolsets.browser import key_name
from charlotte.toolsets.text import (
    RefTable,
    StaleRef,
    answer_lines,
    cut_lines,
    describe,
    rewrite,
    without_places,
    write_remark,
)


def test_a_ref_keeps_its_number_until_the_tab_has_another_document() -> None:
    refs = RefTable()
    refs.enter("tab-1", "A")
    first = refs.name("tab-1", "btn-1")
    refs.enter("tab-1", "A")

    assert (refs.name("tab-1", "btn-1"), refs.name("tab-1", "btn-2")) == (first, "ref_2")
    assert refs.resolve("tab-1", first) == "btn-1"
    refs.enter("tab-1", "B")
    assert refs.name("tab-1", "btn-1") == "ref_3"
    for tab_id, ref in (("tab-1", first), ("tab-2", "ref_3"), ("tab-1", "e12")):
        with pytest.raises(StaleRef, match=f"{ref} is stale or not found"):
            refs.resolve(tab_id, ref)


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
            "button [ref_1] is not visible.",
        ),
        (
            InvalidArgument("No file /etc/hosts.", "Use a file inside the roots; --root adds one."),
            "No file the file.",
        ),
        (
            CharlotteError("click did not end within 5 s and was stopped.", "Call click again."),
            "click did not end within 5 s and was stopped. Call click again.",
        ),
        (
            CharlotteError("Failed at https://a.example/x?y=1.", "Call dev_audit. Try again."),
            "Failed at the address. Try again.",
        ),
        (CharlotteError("Odd.", "Call tools{action: enable} first. Wait."), "Odd. Wait."),
    ],
)
def test_errors_name_no_other_tools_and_no_places(error: CharlotteError, text: str) -> None:
    refs = RefTable()

    def with_refs(words: str) -> str:
        return rewrite(words, lambda element_id: refs.name("tab-1", element_id), {})

    assert describe(error, with_refs) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Got 'https://a b.test/x?y'. Retry.", "Got the address. Retry."),
        ("Pass a URL such as https://example.org/.", "Pass a URL such as https://example.org/."),
        ("See data:text/html,x.", "See the address."),
        ("No https://example.org.evil.test/x, ever", "No the address, ever"),
    ],
)
def test_addresses_are_left_out_with_their_quotes(text: str, left: str) -> None:
    assert without_places(text) == left


def test_a_failed_request_has_its_status_but_no_address() -> None:
    assert write_remark("! failed request: 500 /api/user") == "! failed request: 500"
    assert (
        write_remark("! failed request: POST 404 http://a.test/b") == "! failed request: POST 404"
    )


def test_sentences_and_fractions_are_no_paths() -> None:
    assert without_places("2/3 of a and/or b; no/yes") == "2/3 of a and/or b; no/yes"


def test_what_the_model_knows_is_left_out_of_answers() -> None:
    text = (
        'tab-1 "Shop" http://x/\n~ a → b\n! download "a.csv" completed: /tmp/a.csv\n'
        "! 3 page tools: page_tools\n! click at 5,5"
    )
    assert answer_lines(text) == ["~ a → b", '! download "a.csv" completed: the file']


def test_long_answers_are_cut_at_lines() -> None:
    answer = cut_lines(["x" * 100] * 100, 4096, " ; ", "{} left out")

    assert len(answer) <= 4096
    assert answer.endswith("x ; 61 left out")
    assert len(cut_lines(["z" * 10_000], 4096, " ; ", "{} left out")) <= 4096
