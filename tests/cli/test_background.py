"""The start and the end of the background server, without a browser."""

import os
import signal
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from charlotte.cli.background import serve
from charlotte.config import Config
from charlotte.config_sources import Loaded


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
    monkeypatch.setattr("charlotte.cli.background.open_charlotte", open_slowly)
    monkeypatch.setattr("charlotte.cli.background.start_watchdog", watch_nothing)
    with tempfile.TemporaryDirectory(prefix="ch-") as name:  # the path of a socket must be short
        place = Path(name)
        (place / "sessions").mkdir()
        (place / "sessions" / "1").write_text("{}")
        with trio.fail_after(10):
            await serve(Loaded(Config(), {}, []), {}, place)
        assert os.listdir(name) == []  # noqa: PTH208
