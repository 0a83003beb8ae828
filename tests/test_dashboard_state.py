"""What people are shown: taken from the records, without asking a page."""

from contextlib import suppress
from typing import Any

import attrs
from trio.testing import MockClock

from charlotte.actors.state.logs import ConsoleMessage, RequestRecord
from charlotte.actors.state.records import Registry, SessionRecord, TabRecord
from charlotte.dashboard_state import DashboardState
from charlotte.errors import TabNotFound
from charlotte.redaction import NO_SECRETS
from charlotte.session import Metrics, RunningCall


@attrs.define(eq=False)
class Shown:
    registry: Registry = attrs.field(factory=Registry)
    metrics: Metrics = attrs.field(factory=Metrics)

    @property
    def glance(self) -> DashboardState:
        return DashboardState(
            self.registry, lambda: {"actors": []}, self.metrics, NO_SECRETS.hidden_in
        )

    def open_tab(self) -> TabRecord:
        session = self.registry.sessions["session-1"] = SessionRecord("session-1")
        tab = self.registry.new_tab(session)
        session.add(tab)
        return tab


async def test_the_state_lists_running_and_finished_calls(
    autojump_clock: MockClock,
) -> None:
    shown = Shown()
    with suppress(TabNotFound), shown.metrics.track(RunningCall("session-1", "click", "tab-9")):
        autojump_clock.jump(0.5)
        raise TabNotFound("gone")
    autojump_clock.jump(2)
    with shown.metrics.track(RunningCall("session-1", "observe", None)):
        autojump_clock.jump(0.25)
        state = shown.glance.state()

    call = {"session": "session-1", "tool": "observe", "tab": None}
    assert [{**call, "for": 0.25}] == state["running"]
    ended = {"session": "session-1", "tool": "click", "tab": "tab-9", "outcome": "TAB_NOT_FOUND"}
    assert [{**ended, "seconds": 0.5, "ago": 2.25}] == [_rounded(one) for one in state["recent"]]
    assert [] == state["actors"]


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "ago": 2.25 if row["ago"] in {2.2, 2.3} else row["ago"]}


def test_the_state_of_a_tab_has_its_console_and_requests() -> None:
    shown = Shown()
    tab = shown.open_tab()
    tab.console_log.add(ConsoleMessage("warn", "careful", "2026-01-01T00:00:00.000Z"))
    request = RequestRecord("http://a.test/", "GET", "document", "", number=1, status=200)
    request.exchange.began, request.exchange.ended = 10.0, 10.25
    tab.request_log.begin("1", request)
    details = shown.glance.details(tab.id)

    assert details is not None
    assert tab.row() == details["tab"]
    assert ["careful"] == [one["text"] for one in details["console"]]
    assert [(200, 250)] == [(one["status"], one["ms"]) for one in details["requests"]]


async def test_an_unknown_tab_has_no_state_and_a_crashed_tab_no_screenshot() -> None:
    shown = Shown()
    tab = shown.open_tab()
    tab.crashed = True

    assert shown.glance.details("tab-9") is None
    assert await shown.glance.picture("tab-9") is None
    assert await shown.glance.picture(tab.id) is None
