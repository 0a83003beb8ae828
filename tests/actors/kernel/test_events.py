"""Events are published to all streams and hooks, in bounded buffers, without waiting."""

import structlog
import trio

from charlotte.actors.kernel.mailbox import Event, EventStream, Feed
from charlotte.actors.state.events import ConsoleLogged, Crashed, TabClosed, TabOpened
from charlotte.actors.state.logs import ConsoleMessage
from charlotte.actors.state.records import SessionRecord
from charlotte.actors.state.registry import Registry

CLOSED = TabClosed(tab_id="tab-1")
CRASHED = Crashed(tab_id="tab-1", url="about:blank")


async def rest(stream: EventStream[Event]) -> list[Event]:
    stream.close()
    return [event async for event in stream]


async def test_a_stream_has_the_events_since_its_creation_and_ends_with_its_feed() -> None:
    feed = Feed()
    feed.publish(CLOSED)
    stream = feed.subscribe()
    feed.publish(CRASHED)
    feed.close()
    feed.publish(CLOSED)

    assert [CRASHED] == [event async for event in stream]


async def test_of_too_many_the_newest_are_kept_and_the_others_counted() -> None:
    feed = Feed()
    stream = feed.subscribe(capacity=2)
    for number in range(5):
        feed.publish(TabClosed(tab_id=f"tab-{number}"))

    assert 3 == stream.lost
    assert [TabClosed(tab_id="tab-3"), TabClosed(tab_id="tab-4")] == await rest(stream)


async def test_waiting_readers_are_woken(autojump_clock: trio.testing.MockClock) -> None:
    feed = Feed()
    stream = feed.subscribe()
    async with trio.open_nursery() as nursery:

        async def publish_later() -> None:
            await trio.sleep(1)
            feed.publish(CLOSED)

        nursery.start_soon(publish_later)
        with trio.fail_after(2):
            assert CLOSED == await anext(stream)


async def test_a_wider_feed_hears_it_too() -> None:
    wide = Feed()
    stream = wide.subscribe()
    Feed(wide).publish(CLOSED)

    assert [CLOSED] == await rest(stream)


def test_a_hook_that_fails_is_logged_and_disturbs_no_subscriber() -> None:
    feed = Feed()
    heard: list[Event] = []

    def fail(_: Event) -> None:
        raise ZeroDivisionError

    feed.add_hook(Event, fail)
    feed.add_hook(Crashed, heard.append)
    with structlog.testing.capture_logs() as logs:
        feed.publish(CRASHED)
        feed.publish(CLOSED)

    assert [CRASHED] == heard
    assert ["an event hook failed"] * 2 == [entry["event"] for entry in logs]


async def test_opened_and_closed_tabs_and_console_messages_are_published() -> None:
    session = SessionRecord("session-1")
    tab = Registry().new_tab(session)
    stream = session.feed.subscribe()
    session.add(tab)
    tab.console_log.add(ConsoleMessage("log", "hello", ""))
    session.remove(tab)
    session.remove(tab)

    message = ConsoleMessage("log", "hello", "", number=1)
    assert [
        TabOpened(tab_id=tab.id),
        ConsoleLogged(tab_id=tab.id, message=message),
        TabClosed(tab_id=tab.id),
    ] == await rest(stream)
