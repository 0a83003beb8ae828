"""The service behind the server opens after the handshake."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from charlotte.base.errors import SessionProblem
from charlotte.server.serve import LazyService, serve
from charlotte.server.stdio import connect
from tests.server.clients import RawClient
from tests.server.fake_server import CONFIG, FakeService


async def test_the_service_opens_after_the_answer_to_initialize() -> None:
    opened = trio.Event()

    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        opened.set()
        yield FakeService()

    ours, theirs = memory_stream_pair()
    client = RawClient(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, LazyService(open_service), CONFIG, *connect(theirs, theirs))
        await wait_all_tasks_blocked()
        assert not opened.is_set()

        await client.initialize()
        await opened.wait()
        nursery.cancel_scope.cancel()


async def test_a_service_that_cannot_open_ends_the_server_with_the_cause() -> None:
    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        raise SessionProblem("no browser")
        yield

    ours, theirs = memory_stream_pair()
    with pytest.RaisesGroup(
        pytest.RaisesExc(SessionProblem, match="no browser"), flatten_subgroups=True
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, LazyService(open_service), CONFIG, *connect(theirs, theirs))
            await RawClient(ours).initialize()
            await trio.sleep_forever()
