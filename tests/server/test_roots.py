"""The roots of the client are directories whose files can be read and written."""

from pathlib import Path
from typing import Any

import trio
from mcp_types import ListRootsResult, Root, RootsListChangedNotification

from charlotte.server.serve import local_directories
from tests.server.clients import open_client
from tests.server.fake_server import FakeService


async def test_the_roots_are_requested_once_before_the_first_call(tmp_path: Path) -> None:
    asked: list[object] = []

    async def list_roots(context: Any) -> ListRootsResult:
        asked.append(context)
        return ListRootsResult(roots=[Root.model_validate({"uri": tmp_path.as_uri()})])

    service = FakeService()
    async with open_client(service, "legacy", list_roots_callback=list_roots) as client:
        assert asked == []
        for _ in range(3):
            await client.call_tool("noop", {})

    assert len(asked) == 1
    assert service.roots == [[tmp_path]]


async def test_the_roots_are_used_though_the_first_call_is_cancelled(tmp_path: Path) -> None:
    asked, go_on = trio.Event(), trio.Event()

    async def list_roots(_: Any) -> ListRootsResult:
        asked.set()
        await go_on.wait()
        return ListRootsResult(roots=[Root.model_validate({"uri": tmp_path.as_uri()})])

    service = FakeService()
    async with open_client(service, "legacy", list_roots_callback=list_roots) as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.call_tool, "noop")
            await asked.wait()
            nursery.cancel_scope.cancel()
        go_on.set()
        await client.call_tool("noop", {})

    assert service.roots == [[tmp_path]]


async def test_changed_roots_are_requested_again(tmp_path: Path) -> None:
    uris = [tmp_path.as_uri()]

    async def list_roots(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in uris])

    service = FakeService()
    async with open_client(service, "legacy", list_roots_callback=list_roots) as client:
        await client.call_tool("noop", {})
        for now in ([tmp_path.parent.as_uri()], []):
            uris = now
            await client.session.send_notification(RootsListChangedNotification())
            await client.call_tool("noop", {})
            await client.call_tool("noop", {})

    assert service.roots == [[tmp_path], [tmp_path.parent], []]


def test_only_local_directories_are_roots(tmp_path: Path) -> None:
    place = tmp_path / "a b"
    place.mkdir()
    (tmp_path / "file").touch()
    uris = [
        place.as_uri(),
        (tmp_path / "file").as_uri(),
        (tmp_path / "none").as_uri(),
        "https://else.test/",
    ]
    assert local_directories(uris) == [place.resolve()]
