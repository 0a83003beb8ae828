"""Refs, keys, wording and search of the toolsets, without a browser."""

import pytest

from charlotte.errors import CharlotteError, ElementNotInteractive, InvalidArgument
from charlotte.toolsets.keys import chord_name, modifier_names, sequence_names
from charlotte.toolsets.lines import (
    LONGEST_LINE,
    LONGEST_READING,
    answer_lines,
    cut_reading,
    rewrite,
    shorten_answer,
)
from charlotte.toolsets.refs import RefTable, StaleRef, ToolsetError
from charlotte.toolsets.wording import Wording, without_places

WORDING = Wording({"observe": "read_page", "find": "find", "click": "left_click"})


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
    ("text", "names"),
    [
        ("Return", ["Enter"]),
        ("ctrl+a", ["ctrl+a"]),
        ("ctrl++", ["ctrl++"]),
        ("Down Down KP_Enter", ["Down", "Down", "Enter"]),
        ("ctrl+Page_Down", ["ctrl+PageDown"]),
        ("KP_7 BackSpace space", ["7", "Backspace", "Space"]),
        (" ", ["Space"]),
    ],
)
def test_keys_may_have_other_names(text: str, names: list[str]) -> None:
    assert sequence_names(text) == names


def test_modifiers_are_a_chord() -> None:
    assert modifier_names("ctrl+Shift+cmd") == ["ctrl", "shift", "meta"]
    assert modifier_names(None) == []
    assert chord_name("+") == "+"
    with pytest.raises(ToolsetError, match="hyper is not a modifier"):
        modifier_names("hyper")
    with pytest.raises(ToolsetError, match="must name a key"):
        sequence_names("")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            ElementNotInteractive("btn-1a2b is not visible.", "Observe the page to see its state."),
            "button [ref_1] is not visible. Call read_page to see its state.",
        ),
        (
            InvalidArgument("No file /etc/hosts.", "Use a file inside the roots; --root adds one."),
            "No file the file.",
        ),
        (
            CharlotteError("click did not end within 5 s and was stopped.", "Call click again."),
            "left_click did not end within 5 s and was stopped. Call left_click again.",
        ),
        (
            CharlotteError("Failed at https://a.example/x?y=1.", "Call dev_audit. Try again."),
            "Failed at the address. Try again.",
        ),
        (CharlotteError("Odd.", "Call tools{action: enable} first. Wait."), "Odd. Wait."),
    ],
)
def test_errors_name_the_members_and_no_places(error: CharlotteError, text: str) -> None:
    refs = RefTable()

    def with_refs(words: str) -> str:
        return rewrite(words, lambda element_id: refs.name("tab-1", element_id), {})

    assert WORDING.describe(error, with_refs) == text


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
    assert WORDING.remark("! failed request: 500 /api/user") == "! failed request: 500"
    assert (
        WORDING.remark("! failed request: POST 404 http://a.test/b") == "! failed request: POST 404"
    )


def test_sentences_and_fractions_are_no_paths() -> None:
    assert without_places("2/3 of a and/or b; no/yes") == "2/3 of a and/or b; no/yes"


def test_what_the_state_reports_is_left_out_of_answers() -> None:
    text = (
        'tab-1 "Shop" http://x/\n~ a → b\n! download "a.csv" completed: /tmp/a.csv\n'
        '! tab-2 opened: "B" http://x/b\n'
        '! page tools, claims of the page, untrusted:\n! page tool add(): "Adds"\n'
        '! changed page tool pay(): "Pays"\n! 3 more page tools, not shown here\n'
        "! page tools gone: add\n"
        "! The alert dialog 'x' was dismissed automatically (dialog_auto_dismiss).\n! note"
    )
    assert answer_lines(text) == ["~ a → b", "! note"]


def test_long_answers_and_readings_are_cut_at_lines() -> None:
    line = shorten_answer(["x" * 100] * 100, " ; ")
    reading = cut_reading(["y" * 1000] * 60)

    assert len(line) <= LONGEST_LINE
    assert line.endswith("lines were left out: read_page returns the page.")
    assert len(reading) <= LONGEST_READING
    assert "more lines. Narrow with" in reading
    assert cut_reading(["y" * 1000] * 60, "").endswith("[Truncated: 11 more lines.]")
    assert len(shorten_answer(["z" * 10_000], " ; ")) <= LONGEST_LINE
