"""Notes about messages that appeared during an action."""

import pytest

from charlotte.actors.tab.actor import message_notes
from charlotte.browser.world.settle import SettleResult
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of


def saying(*alerts: str, line: str = "") -> PageView:
    page = Page(alerts=list(alerts))
    if line:
        page.text(line)
    return view_of(page.capture())


def test_a_message_that_disappeared_is_noted() -> None:
    assert message_notes(
        SettleResult(removed_messages=["Saved.", "Sent."]), saying(), saying()
    ) == ['Said meanwhile: "Saved."; "Sent."']


@pytest.mark.parametrize(
    ("before", "after", "notes"),
    [
        (saying("Wrong."), saying("Wrong."), ['Said again: "Wrong."']),
        (saying(line="Wrong."), saying(line="Wrong."), ['Said again: "Wrong."']),
        (saying(), saying("Wrong."), []),
        (saying("Wrong."), saying(), []),
    ],
)
def test_only_a_repeated_message_is_noted_as_repeated(
    before: PageView, after: PageView, notes: list[str]
) -> None:
    assert message_notes(SettleResult(set_messages=["Wrong.", "Wrong."]), before, after) == notes
