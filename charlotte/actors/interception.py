"""Requests that a tab's conditions block or answer: they are held until we have said how."""

import base64
import json
import re
from contextlib import suppress
from functools import lru_cache

import trio

from charlotte.actors.records import TabRecord
from charlotte.browser.desired import DOCUMENT, Conditions, Mock
from charlotte.protocol import fetch
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription
from charlotte.protocol.wire import Command, Nothing


async def answer_held(
    session: Session, record: TabRecord, held: Subscription[fetch.RequestPaused]
) -> None:
    """Say of each held request how it goes on, until the session ends."""
    async with trio.open_nursery() as nursery:
        with suppress(SessionGone):
            while True:
                event = await held.next()
                if record.desired.guarded and event.resource_type == DOCUMENT:
                    nursery.start_soon(_judge, session, record, event)
                else:
                    await session.begin(answer_to(event, record.desired.conditions))


async def _judge(session: Session, record: TabRecord, event: fetch.RequestPaused) -> None:
    """Let a document be loaded unless its host is refused; others need not wait for that."""
    answer = answer_to(event, record.desired.conditions)
    if refusal := await record.session.refusal(event.request.url):
        record.notify([refusal])
        answer = _blocked(event)
    with suppress(SessionGone):
        await session.begin(answer)


def _blocked(event: fetch.RequestPaused) -> fetch.FailRequest:
    return fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")


def answer_to(event: fetch.RequestPaused, conditions: Conditions) -> Command[Nothing]:
    """The fate of a request: what is blocked fails, the first mock that matches answers."""
    url = event.request.url
    if any(matches(glob, url) for glob in conditions.block):
        return _blocked(event)
    mock = next((one for one in conditions.mocks if matches(one.url, url)), None)
    if mock is None:
        return fetch.ContinueRequest(request_id=event.request_id)
    return _fulfilled(event, mock)


def matches(glob: str, url: str) -> bool:
    """Whether a URL is what a glob says: ``*`` is any text, ``?`` any character."""
    return _compiled(glob).fullmatch(url) is not None


@lru_cache(maxsize=1000)
def _compiled(glob: str) -> re.Pattern[str]:
    wild = {"*": ".*", "?": "."}
    return re.compile("".join(wild.get(one) or re.escape(one) for one in glob), re.DOTALL)


def _fulfilled(event: fetch.RequestPaused, mock: Mock) -> fetch.FulfillRequest:
    """The mock's answer, readable by pages of other origins too unless its headers say more."""
    given = {name.lower() for name in mock.headers}
    implied = {
        "content-type": content_type(mock.body),
        "access-control-allow-origin": "*",
    }
    headers = {**mock.headers, **{k: v for k, v in implied.items() if k not in given}}
    return fetch.FulfillRequest(
        request_id=event.request_id,
        response_code=mock.status,
        response_headers=[fetch.HeaderEntry(name, value) for name, value in headers.items()],
        body=base64.b64encode(mock.body.encode()).decode(),
    )


def content_type(body: str) -> str:
    """What a body seems to be."""
    try:
        json.loads(body)
    except ValueError:
        kind = "html" if body.lstrip().startswith("<") else "plain"
        return f"text/{kind}; charset=utf-8"
    return "application/json"
