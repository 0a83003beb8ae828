"""Recording of requests in a log, from the CDP events that report them."""

from charlotte.actors.state.request_log import (
    HttpExchange,
    RequestLog,
    RequestRecord,
    compact_headers,
    post_body,
)
from charlotte.browser.emulation_state import DOCUMENT
from charlotte.clock import from_seconds
from charlotte.protocol import network
from charlotte.protocol.session import Session
from charlotte.urls import origin_of

_URL_LIMIT = 2000

RequestEvent = (
    network.RequestWillBeSent
    | network.RequestWillBeSentExtraInfo
    | network.ResponseReceivedExtraInfo
    | network.RequestServedFromCache
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
FOLLOWED: tuple[type[RequestEvent], ...] = (
    network.RequestWillBeSent,
    network.RequestServedFromCache,
    network.RequestWillBeSentExtraInfo,
    network.ResponseReceivedExtraInfo,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)


def note(log: RequestLog, session: Session, event: RequestEvent, by: str | None = None) -> None:
    """Record an event of a session; ``by`` is the type of the worker, if a worker sent it."""
    match event:
        case network.RequestWillBeSent():
            _begin(log, session, event, by)
            return
        case network.RequestWillBeSentExtraInfo(request_id, headers):
            log.wire_headers(request_id).add_sent(headers)
            return
        case network.ResponseReceivedExtraInfo(request_id, headers):
            log.wire_headers(request_id).add_received(headers)
            return
        case _:
            record = log.records.get(event.request_id)
    if record is None:
        return
    exchange = record.exchange
    match event:
        case network.RequestServedFromCache():
            exchange.was_in_memory = True
        case network.ResponseReceived():
            record.note_response(event.response)
            exchange.was_on_wire, exchange.session = event.has_extra_info, session
            log.note_end(record)
        case network.LoadingFinished():
            exchange.ended, exchange.size = event.timestamp, event.encoded_data_length
        case network.LoadingFailed() if record.status is None:
            record.status, record.error = 0, event.blocked_reason or event.error_text
            log.note_end(record)
        case _:
            pass


def _begin(
    log: RequestLog, session: Session, event: network.RequestWillBeSent, by: str | None
) -> None:
    if event.type == DOCUMENT:
        log.note_navigation(event.frame_id, origin_of(event.request.url))
    if event.redirect_response is not None:
        log.redirect(event, event.redirect_response)
    wire = log.wire_headers(event.request_id)
    record = RequestRecord(
        url=log.hidden(event.request.url)[:_URL_LIMIT],
        method=event.request.method,
        resource_type=event.type.lower(),
        timestamp=from_seconds(event.wall_time),
        number=log.added + 1,
        by=by,
        exchange=HttpExchange(
            request_id=event.request_id,
            session=session,
            loader=event.loader_id,
            request_headers=compact_headers(event.request.headers),
            has_post_data=event.request.has_post_data,
            post_data=post_body(event.request),
            wire=wire,
            hop=wire.hops,
            began=event.timestamp,
        ),
    )
    log.begin(event.request_id, record)
