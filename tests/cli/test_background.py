"""The start and the end of the background server, without a browser."""

import os
import signal
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
import trio

from charlotte.cli.background import serve
from charlotte.cli.shell_service import ShellService
from charlotte.config.config import Config
from charlotte.config.sources import LoadedConfig

if TYPE_CHECKING:
    from charlotte.api.shared_sessions import SharedSessions


@asynccontextmanager
async def open_slowly(*_: object, **__: object) -> AsyncGenerator[None]:
    os.kill(os.getpid(), signal.SIGTERM)
    await trio.sleep_forever()
    yield


async def watch_nothing() -> None:
    await trio.lowlevel.checkpoint()


async def test_a_server_that_is_stopped_while_it_starts_ends_the_sessions_of_a_lost_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cli.background.open_local", open_slowly)
    monkeypatch.setattr("charlotte.cli.background.start_watchdog", watch_nothing)
    with tempfile.TemporaryDirectory(prefix="ch-") as name:  # the path of a socket must be short
        place = Path(name)
        (place / "sessions").mkdir()
        (place / "sessions" / "1").write_text("{}")
        with trio.fail_after(60):
            await serve(LoadedConfig(Config(), {}, []), {}, place)
        assert os.listdir(name) == []  # noqa: PTH208


@pytest.mark.parametrize(("user", "has_answer"), [(os.getuid(), True), (os.getuid() + 1, False)])
async def test_only_processes_of_its_own_user_are_served(
    user: int, *, has_answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def get_peer(_: object) -> tuple[int, int]:
        return 1, user

    monkeypatch.setattr("charlotte.cli.shell_service.peer", get_peer)
    service = ShellService(Config(), {}, cast("SharedSessions", None))
    here, there = (trio.SocketStream(one) for one in trio.socket.socketpair())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(service.serve, here)
        answer = b""
        with suppress(trio.BrokenResourceError):
            await there.send_all(b'{"kind": "ps", "version": "0"}\n')
            answer = bytes(await there.receive_some())
        assert (b"this command 0" in answer) == has_answer
        await there.aclose()
