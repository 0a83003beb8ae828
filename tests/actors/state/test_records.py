"""What outlives the actors: tabs and sessions know what they are without asking anybody."""

import tempfile
from pathlib import Path

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.actors.state.session_settings import session_settings
from charlotte.base.errors import TabNotFound
from charlotte.config.config import Config


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    for name in ("session-1", "session-2"):
        registry.sessions[name] = SessionRecord(name)
    return registry


@pytest.fixture
def session(registry: Registry) -> SessionRecord:
    return registry.sessions["session-1"]


def opened(registry: Registry, session: SessionRecord, *, activate: bool = True) -> TabRecord:
    record = registry.new_tab(session)
    session.add(record)
    if activate:
        session.active = record.id
    return record


def test_tabs_are_numbered_across_sessions_and_numbers_are_never_used_again(
    registry: Registry, session: SessionRecord
) -> None:
    first = opened(registry, session)
    second = opened(registry, registry.sessions["session-2"])
    session.remove(first)
    third = opened(registry, session)

    assert [first.id, second.id, third.id] == ["tab-1", "tab-2", "tab-3"]
    assert registry.tabs() == [third, second]


@pytest.mark.req("C-TAB-04")
def test_when_the_active_tab_goes_the_first_that_is_left_becomes_active(
    registry: Registry, session: SessionRecord
) -> None:
    tabs = [opened(registry, session) for _ in range(4)]
    session.active = "tab-3"

    session.remove(tabs[3])
    assert session.active == "tab-3"
    session.remove(tabs[2])
    assert session.active == "tab-1"
    session.remove(tabs[1])
    session.remove(tabs[0])
    assert session.active is None
    session.remove(tabs[0])


def test_a_tab_is_found_by_its_id_and_only_in_its_session(
    registry: Registry, session: SessionRecord
) -> None:
    record = opened(registry, session)

    assert session.find("tab-1") is record
    with capture_logs() as logs, pytest.raises(TabNotFound, match="Open tabs: tab-1"):
        session.find("tab-2")
    with pytest.raises(TabNotFound, match="No tab is open"):
        registry.sessions["session-2"].find("tab-1")
    [logged] = logs
    assert ("tab refused", "session-1", "tab-2") == (
        logged["event"],
        logged["session"],
        logged["tab"],
    )


@pytest.mark.req("C-TAB-01")
def test_a_row_says_what_is_wrong_with_a_tab_and_nothing_else(
    registry: Registry, session: SessionRecord
) -> None:
    record = opened(registry, session)
    record.title = "Shop"
    plain = {"id": "tab-1", "url": "about:blank", "title": "Shop", "active": True}
    assert record.row() == plain

    record.crashed = record.hung = record.loading = True
    record.dialog = PendingDialog("confirm", "Sure?", "2026-01-31T08:00:00.000Z")
    assert record.row() == plain | {
        "crashed": True,
        "hung": True,
        "loading": True,
        "dialog": "confirm",
    }


@pytest.mark.req("C-PR-32")
def test_only_a_prompt_has_a_default_value() -> None:
    logged = {"type": "prompt", "message": "Name?", "timestamp": "then"}

    assert PendingDialog("prompt", "Name?", "then").as_json() == logged
    assert PendingDialog("prompt", "Name?", "then", "").as_json() == logged | {"default_value": ""}


@pytest.mark.req("C-CFG-03", "C-CONF-01")
def test_a_temporary_output_directory_is_removed_with_its_session_if_it_has_no_files() -> None:
    settings = session_settings(Config())
    place = settings.output_dir()
    assert place.parent == Path(tempfile.gettempdir()).resolve()

    (place / "tab-1.png").write_text("image")
    settings.remove_output()
    assert place.is_dir()

    (place / "tab-1.png").unlink()
    settings.remove_output()
    assert not place.exists()


def test_the_configured_output_directory_is_kept(tmp_path: Path) -> None:
    settings = session_settings(Config(output_dir=str(tmp_path / "out")))
    place = settings.output_dir()

    settings.remove_output()

    assert place.is_dir()


async def test_the_end_of_a_session_ends_the_wait_for_its_popups(
    registry: Registry, session: SessionRecord
) -> None:
    tab, popup = opened(registry, session), opened(registry, session)
    popup.opener, popup.url = tab, ""
    tab.news.add(popup)

    async with trio.open_nursery() as nursery:
        windows: dict[TabRecord, str] = {}
        nursery.start_soon(tab.wait_for_popups, windows)
        await trio.testing.wait_all_tasks_blocked()
        session.feed.close()
