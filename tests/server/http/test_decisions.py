"""The routes of the dashboard on which a person decides: grants, answers to questions, turns."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
import trio

from charlotte.actors.state.events import (
    AdoptionChanged,
    GrantChanged,
    QuestionAsked,
    QuestionSettled,
    TabEvent,
    TakeoverChanged,
)
from charlotte.actors.state.takeovers import Takeover
from charlotte.protocol.page import ScreencastFrame, ScreencastMetadata
from charlotte.server.http.dashboard import event_row
from tests.server.clients import PATIENCE
from tests.server.http.stage import ALLOWED, JSON, TOKEN, Logs, Running, open_http, reasons, until

GRANT, QUESTION = "owner/owner-1", "questions/question-1"
INPUT, END = "turns/tab-1/input", "turns/tab-1/end"
BODIES: dict[str, Any] = {
    GRANT: {"site": "https://a.test"},
    QUESTION: {"allow": True},
    INPUT: {"events": [{"type": "move", "x": 1, "y": 2}]},
    END: {"ending": "done", "reason": ""},
}
MALFORMED: dict[str, list[Any]] = {
    GRANT: ["site", {"site": 1}, {"site": ["https://a.test"]}],
    QUESTION: [{"allow": 1}, {"allow": None}],
    INPUT: [{"events": [{"type": "boom"}]}, [BODIES[INPUT]]],
    END: [{"ending": "timeout", "reason": ""}, {"ending": "done"}],
}
HELD = "POST https://shop.test/orders"


@asynccontextmanager
async def decided() -> AsyncGenerator[Running]:
    """Serve a dashboard on whose tab-1 an agent has asked for a turn, which begins."""
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        turn = running.application.dashboard_state.turn = Takeover("tab-1", "Log in", 60)
        turn.begin()
        yield running


async def post(running: Running, route: str, body: Any, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, str) else json.dumps(body)
    return await running.post(f"/dashboard/api/{route}", content, {**ALLOWED, **headers})


def turn_of(running: Running) -> Takeover:
    turn = running.application.dashboard_state.turn
    assert turn is not None
    return turn


def is_undecided(running: Running) -> bool:
    state = running.application.dashboard_state
    return not state.granted and not state.answered and turn_of(running).ending is None


@pytest.mark.parametrize("route", BODIES)
async def test_a_decision_requires_the_token(route: str, logs: Logs) -> None:
    async with decided() as running:
        wrong = await post(running, route, BODIES[route], authorization="Bearer wrong")
        path, body = f"/dashboard/api/{route}", json.dumps(BODIES[route])
        none = await running.post(path, body, JSON)
        assert is_undecided(running)
    assert [401, 401] == [wrong.status_code, none.status_code]
    assert ["wrong token", "no token"] == reasons(logs)


@pytest.mark.parametrize("route", BODIES)
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("origin", "https://a.test", 403),
        ("origin", "null", 403),
        ("host", "a.test", 421),
        ("content-type", "text/plain", 400),
        ("content-type", "application/x-www-form-urlencoded", 400),
        ("content-type", "", 400),
    ],
)
async def test_a_request_of_another_site_decides_nothing(
    route: str, header: str, value: str, status: int
) -> None:
    async with decided() as running:
        assert status == (await post(running, route, BODIES[route], **{header: value})).status_code
        assert is_undecided(running)


@pytest.mark.parametrize("route", BODIES)
async def test_a_malformed_body_decides_nothing(route: str) -> None:
    async with decided() as running:
        bodies: list[Any] = ["", "no JSON", [], {}, *MALFORMED[route]]
        for body in bodies:
            answer = await post(running, route, body)
            assert (body, 400) == (body, answer.status_code)
            assert "body" in answer.json()["error"] or route == INPUT
        assert is_undecided(running)


async def test_a_site_is_granted_and_withdrawn() -> None:
    async with decided() as running:
        answers = [await post(running, GRANT, body) for body in (BODIES[GRANT], {"site": None})]

    assert [204, 204] == [answer.status_code for answer in answers]
    assert {"no-store"} == {answer.headers["cache-control"] for answer in answers}
    assert ["https://a.test", None] == running.application.dashboard_state.granted


async def test_a_site_that_the_tab_does_not_show_is_not_granted() -> None:
    async with decided() as running:
        other = await post(running, GRANT, {"site": "https://b.test"})
        unknown = await post(running, GRANT + "9", BODIES[GRANT])
        assert is_undecided(running)

    assert [409, 409] == [other.status_code, unknown.status_code]
    assert "shows another site" in other.json()["error"]


async def test_the_token_of_clients_grants_no_tab_of_the_owner() -> None:
    async with open_http(dashboard=True, auth_token=TOKEN, attach="chrome") as running:
        await until(lambda: len(running.announced) > 1)
        own = running.announced[1].partition("#token=")[2]
        refused = await post(running, GRANT, BODIES[GRANT])
        granted = await post(running, GRANT, BODIES[GRANT], authorization=f"Bearer {own}")
    assert own not in {"", TOKEN}
    assert [401, 204] == [refused.status_code, granted.status_code]


async def test_the_owner_is_served_at_the_port_that_is_kept_from_agents() -> None:
    async with open_http(dashboard=True) as running:
        assert running.origin.endswith(f":{running.application.dashboard_state.port}")
    async with open_http() as running:
        assert running.application.dashboard_state.port is None


@pytest.mark.parametrize("allow", [True, False])
async def test_a_question_is_answered_once(allow: bool) -> None:  # noqa: FBT001
    async with decided() as running:
        first, second = [await post(running, QUESTION, {"allow": allow}) for _ in range(2)]

    assert (first.status_code, second.status_code) == (204, 409)
    assert "answered already" in second.json()["error"]
    assert running.application.dashboard_state.answered == [allow]


@pytest.mark.parametrize("route", [INPUT, END])
async def test_input_for_a_tab_without_a_turn_is_refused(route: str) -> None:
    async with decided() as running:
        answer = await post(running, route.replace("tab-1", "tab-2"), BODIES[route])
    assert 409 == answer.status_code
    assert "has ended" in answer.json()["error"]


async def test_a_person_ends_the_turn_once_with_a_short_reason() -> None:
    async with decided() as running:
        first = await post(running, END, {"ending": "cannot", "reason": "x" * 900})
        await post(running, END, BODIES[END])
    assert 204 == first.status_code
    assert ("cannot", "x" * 500 + "…") == (turn_of(running).ending, turn_of(running).reason)


async def test_a_viewer_gets_the_newest_picture_and_the_end() -> None:
    async with decided() as running:
        for name in ("old", "new"):
            turn_of(running).show(ScreencastFrame(name, ScreencastMetadata(800, 600), 1))
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
                        turn_of(running).end("done")
    shown = {"width": 800, "height": 600, "top": 0, "jpeg": "new"}
    assert ["event: picture", f"data: {json.dumps(shown)}", ""] == lines[:3]
    assert ["event: end", 'data: {"ending": "done"}'] == lines[3:5]


def test_decisions_are_events_of_their_tab() -> None:
    texts: dict[TabEvent, str] = {
        GrantChanged(tab_id="owner-1", site="https://a.test"): "granted for https://a.test",
        GrantChanged(tab_id="owner-1", site=None): "grant withdrawn",
        AdoptionChanged(tab_id="tab-3", owner_tab="owner-1", is_adopted=True): "adopted owner-1",
        AdoptionChanged(tab_id="tab-3", owner_tab="owner-1", is_adopted=False): "released owner-1",
        QuestionAsked(tab_id="tab-1", held=HELD): f"waits for a person: {HELD}",
        QuestionSettled(tab_id="tab-1", held=HELD, is_allowed=False, reason="no"): f"{HELD}: no",
        TakeoverChanged(tab_id="tab-1", what="Log in", ending=None): "a person is asked: Log in",
        TakeoverChanged(
            tab_id="tab-1", what="Log in", ending="cannot"
        ): "the turn of a person ended: cannot",
    }
    for event, text in texts.items():
        row = event_row(event)
        assert (event.tab_id, text) == (row["tab"], row["text"])
