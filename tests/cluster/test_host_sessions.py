"""Sessions of a host on a fake browser: crashes, errors, and the status in polls."""

import pickle
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.state.saved_session import SavedSession
from charlotte.cluster.deliveries import DELIVERY_WAIT
from charlotte.cluster.host_sessions import (
    GATEWAY_LOST,
    REPORT_PERIOD,
    UNSEEN_SNAPSHOTS,
    UNSEEN_TABS,
    HostSessions,
    Publish,
)
from charlotte.cluster.messages import (
    DeliveriesWanted,
    HostReport,
    HostSettings,
    Opening,
    Place,
    Reply,
    Request,
    SessionEnded,
)
from charlotte.cluster.ray_calls import ActorGone
from charlotte.engine import SessionKey
from charlotte.errors import SessionProblem
from charlotte.tools.answer import Changed

GATEWAY = "gateway"
SETTINGS = HostSettings(name="host", group="gateways", config={}, slots=3)
OTHER_DIGESTS = {"max_sessions": "another digest"}
SAVED = SavedSession(
    tabs=(), active=None, contexts={}, settings={}, enabled=frozenset(), last_tab=0, last_snapshot=0
)


@attrs.define(eq=False)
class FakeSession:
    """A session whose calls fail, and whose stream of events crashes once ``crash`` is set.

    ``delivered`` counts the errors that the agent has.
    """

    crash: trio.Event = attrs.field(factory=trio.Event)
    record: SimpleNamespace = attrs.field(factory=lambda: SimpleNamespace(id="session-1"))
    notify: Callable[[Changed], None] = lambda _: None
    tab_count: int = 0
    delivered: int = 0

    async def answer(self, *_: object) -> None:
        await trio.lowlevel.checkpoint()
        error = SessionProblem("It failed.")
        error.delivered = self.note_delivered
        raise error

    def note_delivered(self) -> None:
        self.delivered += 1

    def listed(self) -> tuple[()]:
        return ()

    def most_characters(self) -> int:
        return 1000

    def on_change(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        self.notify = callback
        return lambda: None

    async def events(self) -> AsyncGenerator[None]:
        await self.crash.wait()
        yield
        raise ValueError("a bug")


@attrs.define(eq=False)
class FakeCharlotte:
    """A browser whose sessions do nothing; ``problem`` is the error of the next one."""

    sessions: list[FakeSession] = attrs.field(factory=list[FakeSession])
    problem: SessionProblem | None = None
    tabs: int = 0
    last_tab: int = 0
    last_snapshot: int = 0
    skipped: tuple[int, int] = (0, 0)

    def skip_numbers(self, *numbers: int) -> None:
        tab, snapshot = numbers
        self.skipped = tab, snapshot

    def status(self) -> dict[str, Any]:
        return {"sessions": []}

    def save(self, _: object) -> SavedSession:
        return SAVED

    @asynccontextmanager
    async def open_private_session(self, **_: object) -> AsyncGenerator[FakeSession]:
        if self.problem is not None:
            raise self.problem
        self.sessions.append(FakeSession())
        yield self.sessions[-1]


def ignore(_method: str, /, *_arguments: Any) -> None:
    """Send nothing to the directory."""


@attrs.define(eq=False)
class FakeDirectory:
    """A directory that fails with the first report, and lacks all states at the second one."""

    reports: list[HostReport] = attrs.field(factory=list[HostReport])
    sent: list[tuple[str, bytes]] = attrs.field(factory=list[tuple[str, bytes]])

    def send(self, method: str, /, *arguments: Any) -> None:
        if method == "save":
            self.sent.append((arguments[0], arguments[2]))

    async def call(self, method: str, *arguments: Any) -> set[str]:
        await trio.lowlevel.checkpoint()
        assert method == "report"
        [report] = arguments
        self.reports.append(report)
        if len(self.reports) == 1:
            raise ActorGone
        return {key.name for key, _ in report.sessions} if len(self.reports) == 2 else set()


@asynccontextmanager
async def open_host(
    charlotte: FakeCharlotte, publish: Publish = ignore
) -> AsyncGenerator[HostSessions]:
    """Yield a host that a gateway has greeted."""
    async with trio.open_nursery() as nursery:
        fake: Any = charlotte
        host = HostSessions(SETTINGS, "node", fake, 60.0, publish, nursery)
        await host.hello(GATEWAY)
        yield host
        nursery.cancel_scope.cancel("done")


def opening(name: str) -> Opening:
    return Opening(key=SessionKey(name, is_resumable=True))


async def test_a_crash_of_a_session_leaves_the_other_sessions_of_the_host_alone() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(GATEWAY, opening("one"))
        await host.open(GATEWAY, opening("two"))
        charlotte.sessions[0].crash.set()
        await wait_all_tasks_blocked()
        assert await host.load() == ("node", 1)
        assert await host.join(GATEWAY, SessionKey("one")) is None
        assert await host.join(GATEWAY, SessionKey("two")) is not None
        assert await host.open(GATEWAY, opening("one")) is not None


async def test_a_session_that_goes_on_elsewhere_ends_here() -> None:
    async with open_host(FakeCharlotte()) as host:
        await host.open(GATEWAY, opening("one"))
        await host.end_copy("one", "an earlier incarnation")
        assert await host.load() == ("node", 1)
        await host.end_copy("one", host.incarnation)
        assert await host.load() == ("node", 0)
        request = Request(session="one", tool="click", arguments={}, number=1)
        assert await host.answer(GATEWAY, request) is None, "the gateway looks for the session"


async def test_a_closed_session_ends_for_all_its_gateways() -> None:
    async with open_host(FakeCharlotte()) as host:
        await host.hello("other")
        await host.open(GATEWAY, opening("one"))
        await host.join("other", SessionKey("one"))
        assert not await host.end(SessionKey("one", ("eve",)))
        assert await host.end(SessionKey("one"))
        await wait_all_tasks_blocked()
        assert await host.load() == ("node", 0)
        news = await host.poll("other", host.incarnation, wants_events=False)
        assert news is not None
        assert [*news.notices] == [SessionEnded("one")]


async def test_a_session_that_another_gateway_can_continue_outlives_its_gateway(
    autojump_clock: MockClock,
) -> None:
    bound = Opening(key=SessionKey("bound to its connection"))
    async with open_host(FakeCharlotte()) as host, trio.open_nursery() as nursery:
        nursery.start_soon(host.end_unused)
        await host.open(GATEWAY, opening("lasting"))
        await host.open(GATEWAY, bound)
        await trio.sleep(GATEWAY_LOST + 10)
        assert await host.load() == ("node", 1)
        await host.hello("next")
        assert await host.join("next", SessionKey("lasting")) is not None
        await host.open("next", bound)
        await host.goodbye("next")
        assert await host.load() == ("node", 1)
        assert not host.unused.is_set()
        await trio.sleep(60)
        assert await host.load() == ("node", 0), "the idle time is over"
        nursery.cancel_scope.cancel("done")


async def test_a_session_that_was_only_out_of_reach_of_a_gateway_goes_on() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(GATEWAY, opening("one"))
        lost = attrs.evolve(opening("one"), lost=host.place)
        assert await host.open("other", lost) is not None
        assert len(charlotte.sessions) == 1
        await host.open("other", attrs.evolve(lost, lost=Place("host", "an earlier incarnation")))
        assert len(charlotte.sessions) == 2, "it has been elsewhere meanwhile"


async def test_news_that_another_gateway_has_sent_are_not_repeated(
    autojump_clock: MockClock,
) -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host, trio.open_nursery() as nursery:
        await host.hello("other")
        await host.open(GATEWAY, opening("one"))
        await host.join("other", SessionKey("one"))
        request = Request(session="one", tool="click", arguments={}, number=7)
        await host.answer(GATEWAY, request)

        async def report() -> None:
            news = await host.poll(GATEWAY, host.incarnation, wants_events=False)
            assert news is not None
            assert [*news.notices] == [DeliveriesWanted("one")]
            await host.note_delivered(GATEWAY, "one", [7])

        nursery.start_soon(report)
        began = trio.current_time()
        await host.answer("other", request)
        assert charlotte.sessions[0].delivered == 1
        assert trio.current_time() == began
        await host.answer(GATEWAY, attrs.evolve(request, number=8))
        assert trio.current_time() == began + DELIVERY_WAIT, "the other gateway does not report"
        assert charlotte.sessions[0].delivered == 1


async def call_beside_a_silent_gateway(
    host: HostSessions, meanwhile: Callable[[], Awaitable[object]]
) -> Reply | None:
    """Make a call that waits for the reports of another gateway; ``meanwhile`` runs then."""
    await host.hello("silent")
    await host.open(GATEWAY, opening("one"))
    await host.join("silent", SessionKey("one"))
    request = Request(session="one", tool="click", arguments={}, number=1)
    await host.answer("silent", request)
    replies = list[Reply | None]()

    async def call() -> None:
        replies.append(await host.answer(GATEWAY, request))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(call)
        await wait_all_tasks_blocked()
        await meanwhile()
    return replies[0]


async def test_a_session_is_not_released_while_a_call_waits_for_reports_of_other_gateways(
    autojump_clock: MockClock,
) -> None:
    async with open_host(FakeCharlotte()) as host:

        async def release() -> None:
            assert await host.release("one") is None

        assert await call_beside_a_silent_gateway(host, release) is not None
        assert await host.release("one") is not None


async def test_a_call_whose_session_ends_before_it_begins_does_nothing(
    autojump_clock: MockClock,
) -> None:
    async with open_host(FakeCharlotte()) as host:

        async def end() -> None:
            await host.end_copy("one", host.incarnation)

        assert await call_beside_a_silent_gateway(host, end) is None


async def test_a_host_reports_its_sessions_and_sends_states_that_the_directory_lacks(
    autojump_clock: MockClock,
) -> None:
    directory, state = FakeDirectory(), SAVED.pack()
    async with (
        open_host(FakeCharlotte(), directory.send) as host,
        trio.open_nursery() as nursery,
    ):
        await host.open(GATEWAY, attrs.evolve(opening("one"), state=state))
        await host.open(GATEWAY, opening("two"))
        nursery.start_soon(host.report, directory.call)
        await trio.sleep(2.5 * REPORT_PERIOD)
        await host.leave(GATEWAY, "two")
        await trio.sleep(REPORT_PERIOD)
        nursery.cancel_scope.cancel("done")
    one, two = (SessionKey("one"), True), (SessionKey("two"), True)
    assert [report.sessions for report in directory.reports] == [[one, two]] * 3 + [[one]]
    assert {report.place for report in directory.reports} == {host.place}
    assert directory.sent == [("one", state)]


async def test_a_gateway_with_other_settings_only_joins_sessions_that_are_here() -> None:
    async with open_host(FakeCharlotte()) as host:
        await host.open(GATEWAY, opening("one"))
        hello = await host.hello("newer", OTHER_DIGESTS)
        assert (hello.other_settings, hello.is_idle) == (["max_sessions"], False)
        assert await host.open("newer", opening("two")) is None
        assert await host.join("newer", SessionKey("one")) is not None
        assert not (await host.hello("third", SETTINGS.digests())).other_settings


async def test_a_host_is_idle_once_only_gateways_with_other_settings_are_left(
    autojump_clock: MockClock,
) -> None:
    async with open_host(FakeCharlotte()) as host, trio.open_nursery() as nursery:
        nursery.start_soon(host.end_unused)

        async def is_idle() -> bool:
            news = await host.poll("newer", host.incarnation, wants_events=False)
            assert news is not None
            return news.is_idle

        for gateway in ("newer", "newest"):
            assert not (await host.hello(gateway, OTHER_DIGESTS)).is_idle
        assert not await is_idle()
        await host.goodbye(GATEWAY)
        assert await is_idle()
        await host.hello(GATEWAY)
        await host.open(GATEWAY, opening("one"))
        await host.join("newer", SessionKey("one"))
        await host.goodbye(GATEWAY)
        await trio.sleep(10)
        assert not await is_idle(), "the newer gateway serves a session"
        await host.leave("newer", "one")
        assert await is_idle()
        nursery.cancel_scope.cancel("done")


async def test_a_host_without_a_gateway_of_its_settings_is_emptied_between_calls(
    autojump_clock: MockClock,
) -> None:
    async with open_host(FakeCharlotte()) as host:
        await host.hello("newer", OTHER_DIGESTS)

        async def retire() -> None:
            await host.goodbye(GATEWAY)
            await host.goodbye("silent")
            assert not await host.retire(), "a call is running"

        assert await call_beside_a_silent_gateway(host, retire) is not None
        await host.hello(GATEWAY)
        assert not await host.retire(), "a gateway has the settings of the host"
        await host.goodbye(GATEWAY)
        assert await host.retire()
        assert await host.load() == ("node", 0)


async def test_sessions_without_a_gateway_do_not_keep_a_host_with_former_settings(
    autojump_clock: MockClock,
) -> None:
    async with open_host(FakeCharlotte()) as host, trio.open_nursery() as nursery:
        nursery.start_soon(host.end_unused)
        await host.open(GATEWAY, opening("one"))
        assert not (await host.hello("newer", OTHER_DIGESTS)).is_idle
        await trio.sleep(GATEWAY_LOST + 10)
        assert (await host.hello("newer", OTHER_DIGESTS)).is_idle, "clients resume it elsewhere"
        nursery.cancel_scope.cancel("done")


@pytest.mark.parametrize("use", ["join", "answer"])
async def test_a_session_that_is_used_after_a_gateway_left_it_outlives_its_gateways(
    autojump_clock: MockClock, use: str
) -> None:
    async with open_host(FakeCharlotte()) as host, trio.open_nursery() as nursery:
        nursery.start_soon(host.end_unused)
        await host.hello("other")
        await host.open(GATEWAY, opening("one"))
        await host.join("other", SessionKey("one"))
        await host.leave("other", "one")
        if use == "join":
            await host.join("other", SessionKey("one"))
        else:
            request = Request(session="one", tool="click", arguments={}, number=1)
            await host.answer(GATEWAY, request)
        await trio.sleep(2 * GATEWAY_LOST)
        assert await host.load() == ("node", 1), "a client may continue it by a new gateway"
        await trio.sleep(60)
        assert await host.load() == ("node", 0)
        nursery.cancel_scope.cancel("done")


async def test_a_session_that_its_gateway_does_not_know_ends() -> None:
    async with open_host(FakeCharlotte()) as host:
        await host.hello("other")
        for name in ("known", "opened for a cancelled caller", "shared"):
            await host.open(GATEWAY, opening(name))
        await host.join("other", SessionKey("shared"))

        async def poll(names: Sequence[str] | None) -> int:
            await host.poll(GATEWAY, host.incarnation, False, names)  # noqa: FBT003 - a message
            await wait_all_tasks_blocked()
            return (await host.load())[1]

        assert await poll(["known"]) == 3, "the answer of `open` may not have arrived"
        assert await poll(None) == 3
        assert await poll(["known"]) == 2
        assert await host.join(GATEWAY, SessionKey("shared")) is not None


async def test_an_error_of_opening_is_that_of_the_call_and_takes_no_slot() -> None:
    charlotte = FakeCharlotte(problem=SessionProblem("The login is not stored."))
    async with open_host(charlotte) as host:
        with pytest.raises(SessionProblem, match="The login is not stored"):
            await host.open(GATEWAY, opening("one"))
        assert await host.load() == ("node", 0)


async def test_the_news_of_an_error_are_consumed_once_a_gateway_has_sent_it() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(GATEWAY, opening("one"))
        request = Request(session="one", tool="click", arguments={}, number=7)
        reply = await host.answer(GATEWAY, request)
        assert reply is not None
        with pytest.raises(SessionProblem, match="It failed"):
            pickle.loads(pickle.dumps(reply.result)).unwrap()  # noqa: S301 - our own bytes
        assert charlotte.sessions[0].delivered == 0
        await host.answer(GATEWAY, attrs.evolve(request, number=8, delivered=[7]))
        assert charlotte.sessions[0].delivered == 1


@pytest.mark.parametrize("last", [0, 50])
async def test_numbers_that_another_gateway_may_have_shown_are_not_used_again(last: int) -> None:
    charlotte = FakeCharlotte()
    state = attrs.evolve(SAVED, last_tab=7, last_snapshot=40).pack()
    moved = Opening(key=SessionKey("moved"), state=state, last_tab=last, last_snapshot=last)
    async with open_host(charlotte) as host:
        await host.open(GATEWAY, moved)
        assert charlotte.skipped == (max(last, 7), max(last, 40)), "its last host still runs"
        await host.open(GATEWAY, attrs.evolve(moved, lost=Place("host", "earlier")))
        assert charlotte.skipped == (
            max(last, 7) + UNSEEN_TABS,
            max(last, 40) + UNSEEN_SNAPSHOTS,
        )


async def test_polls_send_the_status_at_most_twice_a_second(autojump_clock: MockClock) -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(GATEWAY, opening("one"))
        has_status = list[bool]()
        for notices in (0, 1, 1, 0):
            if notices:
                charlotte.sessions[0].notify("tools")
            news = await host.poll(GATEWAY, host.incarnation, wants_events=False)
            assert news is not None
            assert len(news.notices) == notices
            has_status.append(news.status is not None)
        assert has_status == [True, False, False, True]
