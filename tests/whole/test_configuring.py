"""configure: settings of a session and their effects."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

DEFAULTS = {
    "snapshot_depth": 50,
    "auto_snapshot": "every_action",
    "dialog_auto_dismiss": "none",
    "action_detail": "delta",
    "require_tab_id": False,
    "clickable": True,
    "answers": "json",
    "max_chars": 40000,
}

ASKS = """<button onclick="p.textContent = `alert ${alert('a')}`">alert</button>
<button onclick="p.textContent = `confirm ${confirm('c')}`">confirm</button>
<button onclick="p.textContent = `prompt ${prompt('p', 'default')}`">prompt</button>
<p id="p"></p>"""


@pytest.fixture
def configured(tab: Tab) -> Generator[Tab]:
    """A tab whose session gets the default settings back afterwards."""
    yield tab
    tab.server.call("configure", **DEFAULTS)


@pytest.mark.req("C-CONF-01", "C-CFG-02", "C-CFG-04")
def test_configure_returns_the_settings(shared_server: Server, shots: Path) -> None:
    settings = shared_server.call("configure").json
    assert settings.pop("screenshot_dir") == str(shots)
    assert settings == DEFAULTS


@pytest.mark.req("C-ARCH-02", "C-SNAP-01")
def test_two_servers_share_no_state(configured: Tab) -> None:
    configured.server.call("configure", max_chars=5000, require_tab_id=True)

    with open_server() as other:
        settings = other.call("configure").json

        assert other.call("tabs").json == []

    settings.pop("screenshot_dir")
    assert settings == DEFAULTS


@pytest.mark.req("C-CFG-01", "C-SNAP-02")
def test_a_snapshot_depth_is_in_its_range_or_refused(shared_server: Server) -> None:
    for depth in [4, 501]:
        with case(depth):
            error = shared_server.call("configure", snapshot_depth=depth).error
            assert error["code"] == "INVALID_ARGUMENT"
            assert DEFAULTS.items() <= shared_server.call("configure").json.items()
    for depth in [5, 500, 50]:
        assert shared_server.call("configure", snapshot_depth=depth).json["snapshot_depth"] == depth


@pytest.mark.req("C-CFG-04", "C-CFG-05")
def test_dialogs_are_answered_automatically_as_configured(configured: Tab) -> None:
    cases: list[Any] = [
        ("accept_alerts", {"alert": "alert undefined", "confirm": None, "prompt": None}),
        (
            "accept_all",
            {"alert": "alert undefined", "confirm": "confirm true", "prompt": "prompt default"},
        ),
        (
            "dismiss_all",
            {"alert": "alert undefined", "confirm": "confirm false", "prompt": "prompt null"},
        ),
        ("none", {"alert": None, "confirm": None, "prompt": None}),
    ]

    for mode, answers in cases:
        with case(mode, answers):
            configured.server.call("configure", dialog_auto_dismiss=mode)
            configured.open(ASKS)

            for kind, text in answers.items():
                answer = configured.call("click", element_id=configured.find(kind))
                assert ("pending_dialog" in answer) == (text is None)
                if text is None:
                    configured.call("dialog", accept=True)
                else:
                    assert text in configured.js("p.textContent")
                    assert kind in answer["notices"][0]


@pytest.mark.req("C-CFG-05")
def test_actions_can_be_configured_to_return_the_whole_page(configured: Tab) -> None:
    configured.server.call("configure", action_detail="summary")
    configured.open("<button>Press</button>")

    cases: list[Any] = [{}, {"detail": None}]
    for given in cases:
        with case(given):
            answer = configured.call("click", element_id=configured.find("Press"), **given)
            assert answer["interactive"][0]["label"] == "Press"


def test_calls_without_a_tab_id_can_be_refused_by_configuration(configured: Tab) -> None:
    configured.server.call("configure", require_tab_id=True)

    cases: list[Any] = [("observe", {}), ("dialog", {"accept": True})]
    for tool, arguments in cases:
        with case(tool, arguments):
            error = configured.server.call(tool, **arguments).error
            assert error["code"] == "INVALID_ARGUMENT"
            assert "tab_id" in error["message"]
            assert configured.call("observe")["tab_id"] == configured.id


def test_elements_that_are_only_clickable_can_be_omitted_by_configuration(configured: Tab) -> None:
    configured.open("<button>Real</button><div onclick='document.title = 1'>Gutter</div>")
    gutter = configured.find("Gutter")

    configured.server.call("configure", clickable=False)

    labels = [each["label"] for each in configured.call("observe")["interactive"]]
    assert labels == ["Real"]
    assert configured.call("find", type="clickable") == []
    assert "clickable" not in configured.call("observe")["structure"]["content_summary"]
    assert configured.call("click", element_id=gutter)["title"] == "1"
