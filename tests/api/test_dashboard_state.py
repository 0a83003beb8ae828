"""What people are shown: taken from the records, without asking a page."""

from contextlib import suppress
from typing import Any

import attrs
import pytest
from trio.testing import MockClock

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.events import GrantChanged
from charlotte.actors.state.owner_tabs import OwnerTabs, owner_tabs
from charlotte.actors.state.records import OWNER, SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.api.call_watch import RunningCall
from charlotte.api.dashboard_state import DashboardState
from charlotte.api.session import Metrics
from charlotte.base.errors import TabNotFound
from charlotte.secrets.redaction import NO_SECRETS, Secrets


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


async def test_the_state_lists_running_and_finished_calls(autojump_clock: MockClock) -> None:
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


async def test_an_unknown_or_crashed_tab_has_no_screenshot() -> None:
    shown = Shown()
    tab = shown.open_tab()
    tab.crashed = True

    assert await shown.glance.picture("tab-9") is None
    assert await shown.glance.picture(tab.id) is None


class FakeControl:
    """Must not be asked for anything."""


def attached(*patterns: str) -> tuple[Shown, OwnerTabs]:
    """Return a dashboard beside a browser whose owner has two tabs, and the record of these."""
    shown, owner = Shown(), owner_tabs(patterns)
    shown.registry.owner = owner
    owner.note("A", "https://a.test/inbox?x=1", "Mail")
    owner.note("B", "chrome://settings/", "Settings")
    return shown, owner


def owner_rows(shown: Shown) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = shown.glance.state()["owner"]
    return rows


async def test_the_state_lists_the_tabs_of_the_owner_also_those_that_are_not_granted() -> None:
    shown, _ = attached()
    private = {"granted": False, "pattern": None, "clicked": None}
    free = {"adopted_as": None, "session": None}
    mail = {"url": "https://a.test/inbox?x=1", "title": "Mail", "site": "https://a.test"}
    settings = {"url": "chrome://settings/", "title": "Settings", "site": None}
    assert owner_rows(shown) == [
        {"id": "owner-1", **mail, **private, **free},
        {"id": "owner-2", **settings, **private, **free},
    ]


async def test_the_state_has_the_pattern_of_a_grant_and_the_agent_in_the_tab() -> None:
    shown, owner = attached("https://b.test/*", "*://*.a.test/inbox*")
    tab = shown.open_tab()
    owner.tabs["A"].adopted_as = tab.id

    row = owner_rows(shown)[0]

    assert (True, "*://*.a.test/inbox*") == (row["granted"], row["pattern"])
    assert (tab.id, "session-1") == (row["adopted_as"], row["session"])


async def test_a_click_grants_the_site_in_that_tab_until_it_is_withdrawn() -> None:
    shown, owner = attached()
    owner.note("C", "https://a.test/other", "The same site")
    events = shown.glance.events()

    assert shown.glance.change_grant("owner-1", "https://a.test")
    granted = [(row["granted"], row["clicked"]) for row in owner_rows(shown)]
    owner.note("A", "https://b.test/", "Elsewhere")
    elsewhere = owner_rows(shown)[0]
    assert shown.glance.change_grant("owner-1", None)

    assert [(True, "https://a.test"), (False, None), (False, None)] == granted
    assert (False, "https://a.test") == (elsewhere["granted"], elsewhere["clicked"])
    assert owner_rows(shown)[0]["clicked"] is None
    changes = [await anext(events), await anext(events)]
    assert [("owner-1", "https://a.test"), ("owner-1", None)] == [
        (change.tab_id, change.site) for change in changes if isinstance(change, GrantChanged)
    ]


@pytest.mark.parametrize(
    ("tab_id", "site"),
    [
        ("owner-1", "https://b.test"),
        ("owner-1", "http://a.test"),
        ("owner-1", ""),
        ("owner-2", "chrome://settings"),
        ("owner-9", "https://a.test"),
        ("owner-9", None),
    ],
)
async def test_only_the_site_that_a_tab_shows_can_be_granted(tab_id: str, site: str | None) -> None:
    shown, owner = attached()
    assert not shown.glance.change_grant(tab_id, site)
    assert [] == owner.granted()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
async def test_the_dashboard_itself_is_never_granted_or_listed(host: str) -> None:
    shown, owner = attached("*://*/*")
    owner.note("D", f"http://{host}:4321/dashboard/", "Charlotte")
    assert owner.is_granted(f"http://{host}:4321/dashboard/", "D")

    shown.glance.set_port(4321)

    assert ["owner-1", "owner-2"] == [row["id"] for row in owner_rows(shown)]
    assert not shown.glance.change_grant("owner-3", f"http://{host}:4321")
    assert not owner.is_granted(f"http://{host}:4321/dashboard/", "D")
    assert not owner.is_granted(f"http://{host}:4321/")
    assert owner.is_granted(f"http://{host}:4322/")
    assert ["owner-1"] == [tab.id for tab in owner.granted()]


async def test_secrets_in_the_tabs_of_the_owner_are_hidden() -> None:
    shown, owner = attached()
    secrets = Secrets.of({"PIN": "hush-hush"})
    owner.note("A", "https://a.test/?" + "x" * 1_993 + "hush-hush", "My hush-hush")
    state = DashboardState(shown.registry, dict, shown.metrics, secrets.hidden_in).state()

    assert "hush" not in str(state["owner"])
    assert "My <secret>PIN</secret>" == state["owner"][0]["title"]


async def test_a_tab_in_the_profile_of_the_owner_is_not_captured() -> None:
    shown = Shown()
    tab = shown.open_tab()
    tab.context = ContextRecord(OWNER, is_owner_profile=True)
    tab.control = FakeControl()  # type: ignore[assignment]

    assert await shown.glance.picture(tab.id) is None
