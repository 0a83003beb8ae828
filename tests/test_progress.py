"""What a client is told of a call that takes its time."""

from functools import partial

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte import progress
from charlotte.actors.kernel.mailbox import Mailbox, Request
from charlotte.errors import TabNotFound
from charlotte.progress import HEARTBEAT, course, following, reported, stage

Told = tuple[float, float | None, str | None]


class Client:
    """Keeps what it is told; while it is busy it takes nothing in."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.free = trio.Event()
        self.free.set()

    async def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        await self.free.wait()
        self.told.append((progress, total, message))

    @property
    def messages(self) -> list[str | None]:
        return [message for _, _, message in self.told]


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.req("P-PROG-01")
async def test_what_is_being_done_is_told_at_once(
    client: Client, autojump_clock: MockClock
) -> None:
    async def work() -> str:
        stage("loading")
        await trio.sleep(0.3)
        stage("reading")
        await trio.sleep(0.3)
        return "done"

    assert await reported(client, work) == "done"
    assert client.told == [(0.001, None, "loading"), (0.3, None, "reading")]


async def test_a_call_that_goes_on_is_told_so_every_second(
    client: Client, autojump_clock: MockClock
) -> None:
    await reported(client, partial(trio.sleep, 3.5 * HEARTBEAT))
    assert client.told == [(1, None, None), (2, None, None), (3, None, None)]


async def test_progress_always_grows_though_nothing_does(
    client: Client, autojump_clock: MockClock
) -> None:
    async def work() -> None:
        for text in "abc":
            stage(text)
            await wait_all_tasks_blocked()

    await reported(client, work)
    numbers = [number for number, _, _ in client.told]
    assert client.messages == ["a", "b", "c"]
    assert numbers == sorted(set(numbers))


async def test_steps_are_counted(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> None:
        here = course()
        assert here is not None
        here.takes(2)
        for name in ("click", "type"):
            here.makes(name)
            await wait_all_tasks_blocked()
            stage("settling")
            await wait_all_tasks_blocked()
            here.made()
            await wait_all_tasks_blocked()

    await reported(client, work)
    assert [(int(number), total, told) for number, total, told in client.told] == [
        (0, 2, "click"),
        (0, 2, "click: settling"),
        (1, 2, "click: settling"),
        (1, 2, "type"),
        (1, 2, "type: settling"),
        (2, 2, "type: settling"),
    ]


async def test_a_slow_client_holds_up_nothing_and_is_told_the_latest(
    client: Client, autojump_clock: MockClock
) -> None:
    client.free = trio.Event()

    async def work() -> None:
        for text in ("one", "two", "three"):
            stage(text)
            await wait_all_tasks_blocked()
        client.free.set()
        await wait_all_tasks_blocked()

    await reported(client, work)
    assert client.messages == ["one", "three"]


async def test_an_error_comes_as_it_is(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> None:
        raise TabNotFound("no tab")

    with pytest.raises(TabNotFound):
        await reported(client, work)


async def test_work_in_an_actors_task_can_say_what_it_does(
    client: Client, autojump_clock: MockClock
) -> None:
    mailbox = Mailbox[str]("actor")

    async def in_the_actor(_: str) -> None:
        stage("acting")
        await wait_all_tasks_blocked()

    async def ask() -> None:
        here = course()
        assert here is not None

        async def work(state: str) -> None:
            with following(here):
                await in_the_actor(state)

        async with mailbox.posted(request := Request(work, "act")):
            await request.result()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.serve, "state")
        await reported(client, ask)
        await mailbox.ask(in_the_actor)
        nursery.cancel_scope.cancel()
    assert client.messages == ["acting"]


async def test_whom_an_actor_is_asked_for_is_told_what_it_does(
    client: Client, autojump_clock: MockClock
) -> None:
    mailbox = Mailbox[str]("actor")

    async def in_the_actor(state: str) -> None:
        stage(state)
        await wait_all_tasks_blocked()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.serve, "acting")
        await reported(client, partial(mailbox.ask, in_the_actor))
        await mailbox.ask(in_the_actor)
        nursery.cancel_scope.cancel()
    assert client.messages == ["acting"]


async def test_who_wants_to_know_nothing_costs_nothing() -> None:
    assert course() is None
    progress.stage("nobody listens")
