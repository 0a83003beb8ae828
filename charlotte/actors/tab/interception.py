"""Interception of requests: block them, answer them with mocks, or log in."""

import base64
import json
from collections import deque
from contextlib import suppress

import trio

from charlotte.actors.state.records import TabRecord
from charlotte.browser.emulation import DOCUMENT, Mock, NetworkConditions
from charlotte.patterns import glob_matches
from charlotte.protocol import network
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import Command, Nothing

Held = network.RequestPaused | network.AuthRequired
HELD: tuple[type[Held], ...] = network.RequestPaused, network.AuthRequired

_REMEMBERED = 200
"""Requests with known logins."""


async def answer_held(session: Session, record: TabRecord, held: Subscription[Held]) -> None:
    """Continue, block or answer each held request until the session ends."""
    shown = deque[str](maxlen=_REMEMBERED)
    async with trio.open_nursery() as nursery:
        with suppress(SessionGone):
            while True:
                event = await held.next()
                if isinstance(event, network.AuthRequired):
                    await session.begin(_login(event, record, shown))
                elif record.desired.guarded and _is_guarded(event):
                    nursery.start_soon(_check_address, session, record, event)
                else:
                    await session.begin(answer_to(event, record.desired.conditions))


def _login(
    event: network.AuthRequired, record: TabRecord, shown: deque[str]
) -> network.ContinueWithAuth:
    """Log in if credentials are configured, once per request; ``shown`` are earlier requests."""
    origin = event.auth_challenge.origin
    known = next((one for one in record.desired.credentials if one.origin == origin), None)
    answer = network.AuthChallengeResponse("CancelAuth")
    if known is not None and event.request_id in shown:
        record.notify([f"{origin} does not take the credentials that are configured for it."])
    elif known is not None:
        shown.append(event.request_id)
        answer = network.AuthChallengeResponse("ProvideCredentials", known.username, known.password)
    return network.ContinueWithAuth(request_id=event.request_id, auth_challenge_response=answer)


def _is_guarded(event: network.RequestPaused) -> bool:
    return event.resource_type == DOCUMENT or event.request.url.startswith("file:")


async def _check_address(session: Session, record: TabRecord, event: network.RequestPaused) -> None:
    """Continue a request unless its address is refused; other requests do not wait."""
    answer = answer_to(event, record.desired.conditions)
    if refusal := await record.session.refusal(event.request.url):
        record.notify([refusal])
        answer = _blocked(event)
    with suppress(SessionGone):
        await session.begin(answer)


def _blocked(event: network.RequestPaused) -> network.FailRequest:
    return network.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")


def answer_to(event: network.RequestPaused, conditions: NetworkConditions) -> Command[Nothing]:
    """Return the command for a request: fail it, answer it with a mock, or continue it."""
    url = event.request.url
    if any(glob_matches(glob, url) for glob in conditions.block):
        return _blocked(event)
    mock = next((one for one in conditions.mocks if glob_matches(one.url, url)), None)
    if mock is None:
        return network.ContinueRequest(request_id=event.request_id)
    return _build_answer(event, mock)


def _build_answer(event: network.RequestPaused, mock: Mock) -> network.FulfillRequest:
    """Return a mock's answer, readable by other origins unless its headers restrict that."""
    given = {name.lower() for name in mock.headers}
    implied = {
        "content-type": content_type(mock.body),
        "access-control-allow-origin": "*",
    }
    headers = {**mock.headers, **{k: v for k, v in implied.items() if k not in given}}
    return network.FulfillRequest(
        request_id=event.request_id,
        response_code=mock.status,
        response_headers=[network.HeaderEntry(name, value) for name, value in headers.items()],
        body=base64.b64encode(mock.body.encode()).decode(),
    )


def content_type(body: str) -> str:
    """Guess the content type of a body."""
    try:
        json.loads(body)
    except ValueError:
        kind = "html" if body.lstrip().startswith("<") else "plain"
        return f"text/{kind}; charset=utf-8"
    return "application/json"
