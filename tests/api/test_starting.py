"""A browser that cannot be started costs calls an error, not the server."""

import errno
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock

from charlotte import CharlotteError
from charlotte.api.app import open_local
from charlotte.protocol.transport import Transport
from tests.fakes import FakeBrowser


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EAGAIN, errno.ENOMEM])
async def test_a_machine_short_of_resources_costs_each_call_an_error(
    number: int, autojump_clock: MockClock
) -> None:
    starts: list[float] = []

    @asynccontextmanager
    async def connect() -> AsyncGenerator[Transport]:
        starts.append(trio.current_time())
        raise OSError(number, os.strerror(number))
        yield FakeBrowser()

    async with open_local(connect=connect) as charlotte, charlotte.open_session() as session:
        for _ in range(20):
            with pytest.raises(CharlotteError, match=os.strerror(number)):
                await session.open_tab()
            await trio.sleep(1)
    assert len(starts) == 20
