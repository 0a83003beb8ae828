"""How a log of requests is written: by what CDP sessions tell of each."""

from charlotte.actors.state.request_log import Exchange, RequestLog, RequestRecord, posted
from charlotte.actors.state.wire_headers import kept
from charlotte.browser.emulation_state import DOCUMENT
from charlotte.clock import from_seconds
from charlotte.protocol import network
from charlotte.protocol.session import Session
from charlotte.urls import origin_of

_URL_LIMIT = 2000

Progress = (
    network.RequestServedFromCache
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
NetworkEvent = (
    network.RequestWillBeSent
    | network.RequestWillBeSentExtraInfo
    | network.ResponseReceivedExtraInfo
    | Progress
)
FOLLOWED: tuple[type[NetworkEvent], ...] = (
    network.RequestWillBeSent,
    network.RequestServedFromCache,
    network.RequestWillBeSentExtraInfo,
    network.ResponseReceivedExtraInfo,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)


def note(log: RequestLog, session: Session, event: NetworkEvent, by: str | None = None) -> None:
    """Write down what a session tells of a request, made ``by`` a worker that no tab has."""
    match event:
        case network.RequestWillBeSent():
            _begin(log, session, event, by)
        case network.RequestWillBeSentExtraInfo(request_id, headers):
            log.trail(request_id).note_sent(headers)
        case network.ResponseReceivedExtraInfo(request_id, headers):
            log.trail(request_id).note_came(headers)
        case _:
            if record := log.records.get(event.request_id):
                _go_on(log, session, record, event)


def _begin(
    log: RequestLog, session: Session, event: network.RequestWillBeSent, by: str | None
) -> None:
    if event.type == DOCUMENT:
        log.goes(event.frame_id, origin_of(event.request.url))
    if event.redirect_response is not None:
        log.redirect(event, event.redirect_response)
    trail = log.trail(event.request_id)
    record = RequestRecord(
        url=log.hidden(event.request.url)[:_URL_LIMIT],
        method=event.request.method,
        resource_type=event.type.lower(),
        timestamp=from_seconds(event.wall_time),
        number=log.added + 1,
        by=by,
        exchange=Exchange(
            request_id=event.request_id,
            told_by=session,
            loader=event.loader_id,
            request_headers=kept(event.request.headers),
            has_post_data=event.request.has_post_data,
            post_data=posted(event.request),
            trail=trail,
            place=trail.places,
            began=event.timestamp,
        ),
    )
    log.begin(event.request_id, record)


def _go_on(log: RequestLog, session: Session, record: RequestRecord, event: Progress) -> None:
    exchange = record.exchange
    match event:
        case network.RequestServedFromCache():
            exchange.was_in_memory = True
        case network.ResponseReceived():
            record.answered(event.response)
            exchange.was_on_wire, exchange.told_by = event.has_extra_info, session
            log.ended(record)
        case network.LoadingFinished():
            exchange.ended, exchange.size = event.timestamp, event.encoded_data_length
        case network.LoadingFailed() if record.status is None:
            record.status, record.error = 0, event.blocked_reason or event.error_text
            log.ended(record)
        case _:
            pass
