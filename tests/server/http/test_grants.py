"""The route of the dashboard on which the owner of the browser grants tabs."""

import json

import pytest

from charlotte.actors.state.events import AdoptionChanged, GrantChanged
from charlotte.server.http.dashboard import event_row
from tests.server.http.stage import ALLOWED, JSON, TOKEN, Logs, open_http, reasons, until

PATH = "/dashboard/api/owner/owner-1"
GRANT = json.dumps({"site": "https://a.test"})


async def test_a_site_is_granted_and_withdrawn() -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        answers = [await running.post(PATH, body) for body in (GRANT, '{"site": null}')]

    assert [204, 204] == [answer.status_code for answer in answers]
    assert {"no-store"} == {answer.headers["cache-control"] for answer in answers}
    assert ["https://a.test", None] == running.application.dashboard_state.granted


async def test_a_site_that_the_tab_does_not_show_is_not_granted() -> None:
    other = json.dumps({"site": "https://b.test"})
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        answers = [await running.post(PATH, other), await running.post(PATH + "9", GRANT)]

    assert [409, 409] == [answer.status_code for answer in answers]
    assert "shows another site" in answers[0].json()["error"]
    assert [] == running.application.dashboard_state.granted


@pytest.mark.parametrize("token", [None, "Bearer wrong"])
async def test_a_grant_requires_the_token(token: str | None, logs: Logs) -> None:
    headers = JSON | ({} if token is None else {"authorization": token})
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        assert 401 == (await running.post(PATH, GRANT, headers)).status_code
    assert [] == running.application.dashboard_state.granted
    assert ["wrong token" if token else "no token"] == reasons(logs)


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("origin", "https://a.test", 403),
        ("origin", "null", 403),
        ("host", "a.test", 421),
        ("content-type", "text/plain", 400),
        ("content-type", "application/x-www-form-urlencoded", 400),
    ],
)
async def test_a_request_of_another_site_grants_nothing(
    header: str, value: str, status: int, logs: Logs
) -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        answer = await running.post(PATH, GRANT, {**ALLOWED, header: value})
    assert status == answer.status_code
    assert [] == running.application.dashboard_state.granted


@pytest.mark.parametrize(
    "body", ["", "site", "[]", "{}", '{"site": 1}', '{"site": ["https://a.test"]}']
)
async def test_an_invalid_body_grants_nothing(body: str) -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        answer = await running.post(PATH, body)
    assert 400 == answer.status_code
    assert "body" in answer.json()["error"]
    assert [] == running.application.dashboard_state.granted


async def test_the_token_of_clients_grants_no_tab_of_the_owner() -> None:
    async with open_http(dashboard=True, auth_token=TOKEN, attach="chrome") as running:
        await until(lambda: len(running.announced) > 1)
        own = running.announced[1].partition("#token=")[2]
        with_token = {**JSON, "authorization": f"Bearer {own}"}
        answers = [await running.post(PATH, GRANT), await running.post(PATH, GRANT, with_token)]
    assert own not in {"", TOKEN}
    assert [401, 204] == [answer.status_code for answer in answers]


async def test_the_owner_is_served_at_the_port_that_is_kept_from_agents() -> None:
    async with open_http(dashboard=True) as running:
        assert running.origin.endswith(f":{running.application.dashboard_state.port}")
    async with open_http() as running:
        assert running.application.dashboard_state.port is None


def test_events_describe_grants_and_adoptions() -> None:
    events = (
        GrantChanged(tab_id="owner-1", site="https://a.test"),
        GrantChanged(tab_id="owner-1", site=None),
        AdoptionChanged(tab_id="tab-3", owner_tab="owner-1", is_adopted=True),
        AdoptionChanged(tab_id="tab-3", owner_tab="owner-1", is_adopted=False),
    )
    assert [
        ("owner-1", "granted for https://a.test"),
        ("owner-1", "grant withdrawn"),
        ("tab-3", "adopted owner-1"),
        ("tab-3", "released owner-1"),
    ] == [(row["tab"], row["text"]) for row in map(event_row, events)]
