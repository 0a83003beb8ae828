"""A client that tells where it works has its files read and written there."""

from pathlib import Path
from typing import Any

import pytest
from mcp_types import ListRootsResult, Root, RootsListChangedNotification

from charlotte.server.stdio_service import local_directories
from tests.server.clients import open_client
from tests.server.fake_server import FakeService


async def test_the_client_is_asked_once_before_its_first_call(tmp_path: Path) -> None:
    asked: list[object] = []

    async def tell(context: Any) -> ListRootsResult:
        asked.append(context)
        return ListRootsResult(roots=[Root.model_validate({"uri": tmp_path.as_uri()})])

    service = FakeService()
    async with open_client(service, "legacy", list_roots_callback=tell) as client:
        assert asked == []
        for _ in range(3):
            await client.call_tool("noop", {})

    assert len(asked) == 1
    assert service.roots == [[tmp_path]]


async def test_a_client_whose_roots_have_changed_is_asked_again(tmp_path: Path) -> None:
    told = [tmp_path.as_uri()]

    async def tell(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in told])

    service = FakeService()
    async with open_client(service, "legacy", list_roots_callback=tell) as client:
        await client.call_tool("noop", {})
        for now in ([tmp_path.parent.as_uri()], []):
            told = now
            await client.session.send_notification(RootsListChangedNotification())
            await client.call_tool("noop", {})
            await client.call_tool("noop", {})

    assert service.roots == [[tmp_path], [tmp_path.parent], []]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_client_that_tells_nothing_is_not_waited_for(mode: str) -> None:
    service = FakeService()
    async with open_client(service, mode) as client:
        await client.call_tool("noop", {})
    assert service.roots == []


def test_only_directories_of_this_machine_count(tmp_path: Path) -> None:
    place = tmp_path / "a b"
    place.mkdir()
    (tmp_path / "file").touch()
    told = [
        place.as_uri(),
        (tmp_path / "file").as_uri(),
        (tmp_path / "none").as_uri(),
        "https://else.test/",
    ]
    assert local_directories(told) == [place.resolve()]
