"""Detection of lost hosts, on trio's clock."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import ConnectionLost
from charlotte.cluster.host_link import ANSWER_WAIT, HostLink
from tests.cluster.fakes import FakeHost


def link_to(hosts: list[FakeHost], changes: list[bool]) -> HostLink:
    """Return a link that starts these hosts in turn."""

    async def start() -> Any:
        await trio.lowlevel.checkpoint()
        return hosts.pop(0)

    def note(link: HostLink, *_: object) -> None:
        if changes[-1:] != [link.is_live]:
            changes.append(link.is_live)

    return HostLink("host", 2, start, note, note)


async def lost_after(link: HostLink, lose: Callable[[], object]) -> float:
    """Return the seconds from a loss until a call in flight fails."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(2)
        begun = trio.current_time()
        lose()
        with pytest.raises(ConnectionLost, match="may or may not"):
            await link.ask("endless")
        waited = trio.current_time() - begun
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return waited


async def test_calls_of_a_silent_host_fail_within_seconds_and_it_is_killed(
    autojump_clock: MockClock,
) -> None:
    host, changes = FakeHost(), list[bool]()
    link = link_to([host, FakeHost(silent=True)], changes)
    with capture_logs() as logs:
        assert await lost_after(link, lambda: setattr(host, "silent", True)) <= ANSWER_WAIT + 1
    assert changes == [True, False]
    assert [entry["event"] for entry in logs] == ["browser host live", "browser host lost"]
    assert host.is_killed


@pytest.mark.parametrize("problem", [{"gone": True}, {"bug": ValueError("a bug")}])
async def test_a_host_that_fails_is_replaced(
    autojump_clock: MockClock, problem: dict[str, Any]
) -> None:
    failing, next_one, changes = FakeHost(**problem), FakeHost(), list[bool]()
    link = link_to([failing, next_one, FakeHost(silent=True)], changes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(0.5)
        with pytest.raises(ConnectionLost):
            await link.ask("list", "all")
        await trio.sleep(5)
        assert ("all",) == await link.ask("list", "all")
        next_one.gone = True
        with pytest.raises(ConnectionLost):
            await link.ask("list", "all")
        nursery.cancel_scope.cancel()
    assert failing.is_killed
    assert changes == [True, False]


async def test_a_host_for_which_ray_has_no_room_yet_is_not_given_up(
    autojump_clock: MockClock,
) -> None:
    host, changes = FakeHost(silent=True), list[bool]()
    link = link_to([host], changes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(3600)
        nursery.cancel_scope.cancel()
    assert not host.is_killed
    assert (link.free, changes) == (0, [])
