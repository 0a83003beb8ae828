"""The routes on which a person works in a tab."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
import trio

from charlotte.actors.state.events import TakeoverChanged
from charlotte.actors.state.takeovers import Takeover
from charlotte.protocol.page import ScreencastFrame, ScreencastMetadata
from charlotte.server.http.dashboard import event_row
from tests.server.clients import PATIENCE
from tests.server.http.stage import ALLOWED, TOKEN, FakeState, Running, open_http

MOVE = {"events": [{"type": "move", "x": 1, "y": 2}]}
END = {"ending": "done", "reason": ""}


@asynccontextmanager
async def asked() -> AsyncGenerator[tuple[Running, Takeover]]:
    """Have an agent ask for a turn in tab-1, and the turn begin."""
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        state: FakeState = running.application.dashboard_state
        state.turn = Takeover("tab-1", "Log in", 60)
        state.turn.begin()
        yield running, state.turn


async def post(
    running: Running, name: str, body: Any, tab: str = "tab-1", **headers: str
) -> httpx2.Response:
    path = f"/dashboard/api/turns/{tab}/{name}"
    return await running.post(path, json.dumps(body), {**ALLOWED, **headers})


@pytest.mark.parametrize(("name", "body"), [("input", MOVE), ("end", END)])
async def test_a_turn_requires_the_token_and_json(name: str, body: Any) -> None:
    async with asked() as (running, takeover):
        refused = await post(running, name, body, authorization="Bearer wrong")
        plain = await post(running, name, body, **{"content-type": "text/plain"})
    assert [401, 400] == [refused.status_code, plain.status_code]
    assert takeover.ending is None


@pytest.mark.parametrize(("name", "body"), [("input", MOVE), ("end", END)])
async def test_input_for_a_tab_without_a_turn_is_refused(name: str, body: Any) -> None:
    async with asked() as (running, _):
        answer = await post(running, name, body, tab="tab-2")
    assert 409 == answer.status_code
    assert "has ended" in answer.json()["error"]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("input", {"events": [{"type": "boom"}]}),
        ("input", {}),
        ("input", [MOVE]),
        ("end", {"ending": "timeout", "reason": ""}),
        ("end", {"ending": "done"}),
    ],
)
async def test_a_malformed_body_is_refused(name: str, body: Any) -> None:
    async with asked() as (running, takeover):
        assert 400 == (await post(running, name, body)).status_code
    assert takeover.ending is None


async def test_a_person_ends_the_turn_once_with_a_short_reason() -> None:
    async with asked() as (running, takeover):
        first = await post(running, "end", {"ending": "cannot", "reason": "x" * 900})
        await post(running, "end", END)
    assert 204 == first.status_code
    assert ("cannot", "x" * 500 + "…") == (takeover.ending, takeover.reason)


async def test_a_viewer_gets_the_newest_picture_and_the_end() -> None:
    async with asked() as (running, takeover):
        for name in ("old", "new"):
            takeover.show(ScreencastFrame(name, ScreencastMetadata(800, 600), 1))
        url = f"{running.origin}/dashboard/api/turns/tab-1/pictures"
        lines: list[str] = []
        async with (
            httpx2.AsyncClient(timeout=PATIENCE) as http,
            http.stream("GET", url, headers=ALLOWED) as response,
        ):
            with trio.fail_after(PATIENCE):
                async for line in response.aiter_lines():
                    lines.append(line)
                    if "new" in line:
                        takeover.end("done")
    shown = {"width": 800, "height": 600, "top": 0, "jpeg": "new"}
    assert ["event: picture", f"data: {json.dumps(shown)}", ""] == lines[:3]
    assert ["event: end", 'data: {"ending": "done"}'] == lines[3:5]


def test_turns_are_events_of_the_dashboard() -> None:
    began = event_row(TakeoverChanged(tab_id="tab-1", what="Log in", ending=None))
    ended = event_row(TakeoverChanged(tab_id="tab-1", what="Log in", ending="cannot"))
    assert ("tab-1", "a person is asked: Log in") == (began["tab"], began["text"])
    assert "the turn of a person ended: cannot" == ended["text"]
