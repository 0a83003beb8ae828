"""Arguments: lenient parsing, and the errors of wrong ones."""

from typing import Any

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def test_a_refused_call_opens_no_tab(server: Server) -> None:
    server.call("navigate", url=[])

    assert server.call("tabs").json == []


def test_click_accepts_the_argument_names_of_other_clients(tab: Tab) -> None:
    cases: list[Any] = [
        {"elementId": "{id}", "clickType": "left"},
        {"ref": "{id}", "button": "left"},
        {"element": "{id}"},
        {"element_id": "{id}", "element": "the button that counts"},
        {"element_id": "{id}", "click_type": None, "modifiers": None, "detail": None},
        {"element_id": "{id}", "modifiers": "[]"},
    ]

    for spelled in cases:
        with case(spelled):
            tab.open("/counter.html")
            element_id = tab.find("Clicked 0")
            arguments = {k: element_id if v == "{id}" else v for k, v in spelled.items()}
            assert "The count is 1." in new_texts(tab.call("click", **arguments))


def test_the_arguments_object_may_be_omitted(shared_server: Server) -> None:
    reply = shared_server.ask("tools/call", {"name": "tabs"})

    assert isinstance(reply.json, list)
