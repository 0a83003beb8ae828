"""The sessions of the background server on disk."""

from pathlib import Path

import attrs

from charlotte.actors.state.records import OWNER, SessionRecord, TabRecord
from charlotte.actors.state.saved_session import SavedSession, restore_contexts, save_session
from charlotte.api.session_files import SessionFiles
from charlotte.browser.world.site_storage import InitialState
from charlotte.guard.host_patterns import HostList
from charlotte.protocol.network import Cookie

COOKIE = Cookie(name="sid", value="1", domain="a.test", path="/")


def shop() -> SessionRecord:
    """Return a session with a tab in a context with cookies and localStorage."""
    record = SessionRecord("session-1")
    record.context("shop").begin_with(
        InitialState(cookies=[COOKIE], items={"http://a.test": [("theme", "dark")]})
    )
    record.add(TabRecord("tab-3", record, context=record.context("shop"), url="http://a.test/"))
    return record


def saved(record: SessionRecord) -> SavedSession:
    return save_session(record, frozenset(), last_tab=7, last_snapshot=2)


def after(place: Path, record: SessionRecord) -> SavedSession:
    """Return a session as the next server finds it."""
    SessionFiles(place).save("shop", saved(record))
    found = SessionFiles(place).lost.get("shop")
    assert found is not None
    return found


def test_the_next_server_finds_the_session_and_the_last_numbers(tmp_path: Path) -> None:
    found = after(tmp_path, shop())
    assert [(tab.id, tab.url, tab.context) for tab in found.tabs] == [
        ("tab-3", "http://a.test/", "shop")
    ]
    assert found.active == "tab-3"
    assert found.contexts["shop"].cookies == [COOKIE]
    assert found.contexts["shop"].items == {"http://a.test": [("theme", "dark")]}
    second = SessionFiles(tmp_path)
    assert (second.last_numbers, [*second.lost]) == ((7, 2), ["shop"])
    assert second.lost.get("other") is None


def test_the_hosts_to_which_a_session_is_limited_are_kept(tmp_path: Path) -> None:
    record = shop()
    record.context("shop").only = HostList.read(["b.a.test", "[::1]:80"])
    record.narrow(HostList.read(["*"], ["*.a.test:443"]))
    found = after(tmp_path, record)
    assert found.only == HostList.read(["*"], ["*.a.test:443"])
    restored = SessionRecord("session-2")
    restore_contexts(restored, found)
    assert restored.settings.guard.only == found.only
    only = restored.context("shop").only
    assert only == HostList.read(["b.a.test", "[::1]:80"], ["*.a.test:443"])


def test_hosts_that_only_the_server_limits_are_those_of_the_next_server(tmp_path: Path) -> None:
    record = shop()
    record.narrow(HostList.read(["a.test"]))
    assert after(tmp_path, record).only is None


def test_a_session_that_nothing_has_used_since_is_kept_until_it_is_ended(tmp_path: Path) -> None:
    after(tmp_path, shop())
    second = SessionFiles(tmp_path)
    second.save("other", saved(shop()))
    del second.lost["shop"]
    assert {*SessionFiles(tmp_path).lost} == {"shop", "other"}
    second.remove("shop")
    assert SessionFiles(tmp_path).lost.keys() == {"other"}


def test_neither_values_of_a_login_nor_the_tabs_of_the_owner_are_written(tmp_path: Path) -> None:
    record = SessionRecord("session-1")
    cookie = attrs.evolve(COOKIE, value="secret")
    record.context().begin_with(InitialState(cookies=[cookie], login="shop"))
    own = record.context(OWNER)
    record.add(TabRecord("tab-1", record, context=own, url="http://bank.test/"))
    found = after(tmp_path, record)
    assert [(one.login, *one.cookies) for one in found.contexts.values()] == [("shop",)]
    assert found.tabs == []


def test_files_are_private_and_removed_with_the_server(tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    after(place, shop())
    modes = [path.stat().st_mode & 0o777 for path in (place, *place.iterdir())]
    assert modes == [0o700, 0o600]
    SessionFiles(place).remove_all()
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_left_out(tmp_path: Path, short_logs: None) -> None:
    after(tmp_path, shop())
    (tmp_path / "a").write_bytes(b'"a"\nnot packed')
    (tmp_path / "b").write_bytes(b"")
    [complete] = tmp_path.glob("?*" * 40)
    (tmp_path / "tmp1").write_bytes(complete.read_bytes())
    assert SessionFiles(tmp_path).lost.keys() == {"shop"}
    assert len(list(tmp_path.iterdir())) == 1
