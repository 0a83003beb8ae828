"""The route of the dashboard on which a person answers a question of the policy."""

import json

import pytest

from charlotte.actors.state.events import QuestionAsked, QuestionSettled
from charlotte.server.http.dashboard import event_row
from tests.server.http.stage import ALLOWED, TOKEN, open_http

PATH = "/dashboard/api/questions/question-1"
HELD = "POST https://shop.test/orders"


@pytest.mark.parametrize("allow", [True, False])
async def test_a_question_is_answered_once(allow: bool) -> None:  # noqa: FBT001
    body = json.dumps({"allow": allow})
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        first, second = [await running.post(PATH, body) for _ in range(2)]

    assert (first.status_code, second.status_code) == (204, 409)
    assert "answered already" in second.json()["error"]
    assert running.application.dashboard_state.answered == [allow]


@pytest.mark.parametrize("body", ["{}", '{"allow": 1}', '{"allow": null}', "[]", "no JSON"])
async def test_other_bodies_answer_nothing(body: str) -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        response = await running.post(PATH, body)

    assert response.status_code == 400
    assert running.application.dashboard_state.answered == []


@pytest.mark.parametrize("left_out", ["authorization", "content-type"])
async def test_pages_of_other_sites_answer_nothing(left_out: str) -> None:
    headers = {name: value for name, value in ALLOWED.items() if name != left_out}
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        response = await running.post(PATH, '{"allow": true}', headers)

    assert response.status_code in {400, 401}
    assert running.application.dashboard_state.answered == []


def test_questions_are_events_of_their_tab() -> None:
    asked = event_row(QuestionAsked(tab_id="tab-1", held=HELD))
    settled = event_row(
        QuestionSettled(tab_id="tab-1", held=HELD, is_allowed=False, reason="a person refused it")
    )
    assert (asked["tab"], asked["text"]) == ("tab-1", f"waits for a person: {HELD}")
    assert settled["text"] == f"{HELD}: a person refused it"
