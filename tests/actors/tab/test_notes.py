"""Of what was said for a moment only what is news is told."""

import pytest

from charlotte.actors.tab.notes import message_notes
from charlotte.browser.settle import SettleResult
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of


def saying(*alerts: str, line: str = "") -> PageView:
    page = Page(alerts=list(alerts))
    if line:
        page.text(line)
    return view_of(page.capture())


def test_what_is_gone_again_is_told() -> None:
    assert message_notes(
        SettleResult(removed_messages=["Saved.", "Sent."]), saying(), saying()
    ) == ['Said meanwhile: "Saved."; "Sent."']


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (saying("9 left"), saying()),
        (saying(), saying("7 left")),
        (saying(), saying(line="8 left")),
    ],
)
def test_what_was_there_before_or_still_is_goes_without_saying(
    before: PageView, after: PageView
) -> None:
    assert message_notes(SettleResult(removed_messages=["8 left"]), before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (saying("Wrong."), saying("Wrong."), ['Said again: "Wrong."']),
        (saying(line="Wrong."), saying(line="Wrong."), ['Said again: "Wrong."']),
        (saying(), saying("Wrong."), []),
        (saying("Wrong."), saying(), []),
    ],
)
def test_only_what_the_page_said_before_is_said_again(
    before: PageView, after: PageView, told: list[str]
) -> None:
    assert message_notes(SettleResult(set_messages=["Wrong.", "Wrong."]), before, after) == told


def test_of_what_counts_the_last_is_told() -> None:
    said = [f"{percent} %" for percent in range(0, 101, 10)]

    told = message_notes(SettleResult(removed_messages=said), saying(), saying())

    assert told == ['Said meanwhile: "100 %"']


def test_it_is_told_in_a_few_hundred_characters() -> None:
    said = [f"{letter}{'x' * 150}" for letter in "abcdef"]

    [told] = message_notes(SettleResult(removed_messages=said), saying(), saying())

    assert len(told) < 350
