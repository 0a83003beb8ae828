"""The dashboard of a server over stdio, without the server."""

import errno
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx2
import pytest
import trio

from charlotte.server.http import serve
from charlotte.server.http.serve import serve_local_dashboard
from tests.programs import run_python
from tests.server.clients import PATIENCE
from tests.server.http.stage import FakeState, Logs, reasons, until

DATA = "/dashboard/api/tabs/tab-1/picture"


@asynccontextmanager
async def served(logs: Logs) -> AsyncGenerator[tuple[FakeState, str, str]]:
    state = FakeState()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_local_dashboard, cast("Any", state))
        await until(lambda: logs)
        origin, _, token = logs[0]["address"].partition("/dashboard/#token=")
        yield state, origin, token
        nursery.cancel_scope.cancel()


async def get(url: str, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(timeout=PATIENCE) as http:
        return await http.get(url, headers=headers)


async def test_its_address_with_the_token_is_logged_once_as_a_warning(logs: Logs) -> None:
    async with served(logs) as (state, origin, token):
        assert [("the dashboard is served", "warning")] == [
            (line["event"], line["log_level"]) for line in logs
        ]
        assert f"http://127.0.0.1:{state.port}" == origin
        assert 40 < len(token)


async def test_its_page_is_public_and_its_data_requires_the_token(logs: Logs) -> None:
    async with served(logs) as (_, origin, token):
        page = await get(f"{origin}/dashboard/")
        shown = await get(origin + DATA, authorization=f"Bearer {token}")
        refused = [await get(origin + DATA), await get(origin + DATA, authorization="Bearer x")]

    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert b"a picture" == shown.content
    assert "no-store" == shown.headers["cache-control"]
    assert [401, 401] == [answer.status_code for answer in refused]
    assert ["no token", "wrong token"] == reasons(logs)
    assert 1 == str(logs).count(token)


async def test_it_refuses_foreign_names_and_origins_and_serves_nothing_else(logs: Logs) -> None:
    async with served(logs) as (_, origin, _token):
        refused = [
            await get(f"{origin}/dashboard/", host="evil.test"),
            await get(f"{origin}/dashboard/", origin="http://evil.test"),
            *[await get(origin + path) for path in ("/mcp", "/metrics", "/healthz", "/")],
        ]
    assert [421, 403, 404, 404, 404, 404] == [answer.status_code for answer in refused]


async def test_a_port_that_cannot_be_opened_is_a_warning(
    logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")

    monkeypatch.setattr(serve, "bind_port", refuse)
    with trio.fail_after(PATIENCE):
        await serve_local_dashboard(cast("Any", FakeState()))

    [line] = logs
    assert ("the dashboard cannot be served", "warning") == (line["event"], line["log_level"])
    assert "Cannot assign requested address" == line["error"]


def test_a_server_over_stdio_imports_it_on_demand() -> None:
    asked = (
        "import sys, charlotte.cli.serve, charlotte.server, charlotte.api.app;"
        "print('charlotte.server.http' in sys.modules, 'charlotte.base.asgi_server' in sys.modules)"
    )
    assert "False False\n" == run_python("-c", asked).out
