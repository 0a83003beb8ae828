"""The sessions of the background server on disk."""

import json
from pathlib import Path

import pytest
import trio

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.saved_session import restore_contexts
from charlotte.browser.initial_state import InitialState
from charlotte.cli.saved_state import SavedState, contexts_of, remove_saved_state, tabs_of
from charlotte.host_patterns import HostList
from charlotte.protocol.network import CookieParam
from tests.browser.processes import eventually


def shop() -> SessionRecord:
    """Return a session with a tab in a context with cookies and localStorage."""
    record = SessionRecord("session-1")
    record.context("shop").begin_with(
        InitialState(
            cookies=[CookieParam(name="sid", value="1", domain="a.test", path="/")],
            items={"http://a.test": [("theme", "dark")]},
        )
    )
    record.add(TabRecord("tab-3", record, context=record.context("shop"), url="http://a.test/"))
    return record


def state(place: Path, **sessions: SessionRecord) -> SavedState:
    return SavedState(place, lambda: sessions, lambda: 7)


def test_the_next_server_finds_the_tabs_and_the_last_id(tmp_path: Path) -> None:
    state(tmp_path, shop=shop()).save_tabs()
    after = state(tmp_path)
    found = after.find("shop")
    assert found
    assert [(tab.id, tab.url, tab.context) for tab in found.tabs] == [
        ("tab-3", "http://a.test/", "shop")
    ]
    assert found.active == "tab-3"
    assert after.last_tab == 7
    assert after.lost() == ["shop"]
    assert after.find("other") is None


def test_the_hosts_to_which_a_session_is_limited_are_kept(tmp_path: Path) -> None:
    record = shop()
    record.context("shop").only = HostList.read(["b.a.test", "[::1]:80"])
    record.narrow(HostList.read(["*"], ["*.a.test:443"]))
    state(tmp_path, shop=record).save_tabs()
    found = state(tmp_path).find("shop")
    assert found
    assert found.only == HostList.read(["*"], ["*.a.test:443"])
    restored = SessionRecord("session-2")
    restore_contexts(restored, found)
    assert restored.settings.guard.only == found.only
    only = restored.context("shop").only
    assert only is not None
    assert only == HostList.read(["b.a.test", "[::1]:80"], ["*.a.test:443"])
    assert only.permits("b.a.test", 443)
    assert not only.permits("b.a.test", 80)


def test_hosts_that_only_the_server_limits_are_those_of_the_next_server(tmp_path: Path) -> None:
    record = shop()
    record.narrow(HostList.read(["a.test"]))
    state(tmp_path, shop=record).save_tabs()
    found = state(tmp_path).find("shop")
    assert found
    assert found.only is None


def test_sessions_that_nothing_has_used_since_are_kept(tmp_path: Path) -> None:
    state(tmp_path, shop=shop()).save_tabs()
    second = state(tmp_path, other=shop())
    second.save_tabs()
    assert set(json.loads((tmp_path / "tabs.json").read_text())["sessions"]) == {"shop", "other"}
    second.forget("shop")
    second.save_tabs()
    assert state(tmp_path).lost() == ["other"]


async def test_what_sites_store_is_written_shortly_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charlotte.cli.saved_state._DELAY", 0)
    first = state(tmp_path, shop=shop())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(first.save_storage)
        first.save_tabs()
        await eventually((tmp_path / "storage.json").exists)
        nursery.cancel_scope.cancel()
    found = state(tmp_path).find("shop")
    assert found is not None
    context = found.contexts["shop"]
    assert [(one.name, one.value, one.domain) for one in context.cookies] == [
        ("sid", "1", "a.test")
    ]
    assert context.items == {"http://a.test": [("theme", "dark")]}


def test_values_of_a_saved_login_are_not_written() -> None:
    record = SessionRecord("session-1")
    cookie = CookieParam(name="sid", value="secret", domain="a.test", path="/")
    record.context().begin_with(InitialState(cookies=[cookie], login="shop"))
    assert contexts_of(record) == {"": {"login": "shop"}}


def test_files_are_private_and_removed_with_the_server(tmp_path: Path) -> None:
    first = state(tmp_path, shop=shop())
    first.save_tabs()
    assert (tmp_path / "tabs.json").stat().st_mode & 0o777 == 0o600
    remove_saved_state(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_left_out(tmp_path: Path, short_logs: None) -> None:
    (tmp_path / "tabs.json").write_text('{"sessions": {"a": 5, "b": {"tabs": [{"id": 1}]}}}')
    (tmp_path / "storage.json").write_text("{")
    damaged = state(tmp_path)
    assert damaged.find("a") is None
    assert damaged.find("b") is None


def test_a_tab_that_is_being_restored_is_saved_with_its_address() -> None:
    record = SessionRecord("session-1")
    tab = TabRecord("tab-3", record)
    tab.restore.url = "http://a.test/"
    record.add(tab)
    assert [row["url"] for row in tabs_of(record)["tabs"]] == ["http://a.test/"]
