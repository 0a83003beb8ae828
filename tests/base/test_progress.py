"""Progress reports of a long call."""

from functools import partial

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.kernel.mailbox import Mailbox, Message
from charlotte.base.errors import TabNotFound
from charlotte.base.progress import current_progress, report_progress, stage, track_progress

Received = tuple[float, float | None, str | None]


class Client:
    """A client that keeps its reports, and blocks while it is busy."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.free = trio.Event()
        self.free.set()

    async def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        await self.free.wait()
        self.received.append((progress, total, message))

    @property
    def messages(self) -> list[str | None]:
        return [message for _, _, message in self.received]


@pytest.fixture
def client() -> Client:
    return Client()


async def test_progress_grows_with_every_report(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> None:
        for text in "abc":
            stage(text)
            await wait_all_tasks_blocked()

    await report_progress(client, work)
    numbers = [number for number, _, _ in client.received]
    assert client.messages == ["a", "b", "c"]
    assert numbers == sorted(set(numbers))


async def test_steps_are_counted(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> None:
        progress = current_progress()
        assert progress is not None
        progress.count_steps(2)
        for name in ("click", "type"):
            progress.begin_step(name)
            await wait_all_tasks_blocked()
            stage("settling")
            await wait_all_tasks_blocked()
            progress.end_step()
            await wait_all_tasks_blocked()

    await report_progress(client, work)
    assert [(int(number), total, text) for number, total, text in client.received] == [
        (0, 2, "click"),
        (0, 2, "click: settling"),
        (1, 2, "click: settling"),
        (1, 2, "type"),
        (1, 2, "type: settling"),
        (2, 2, "type: settling"),
    ]


async def test_a_slow_client_blocks_nothing_and_gets_the_latest_report(
    client: Client, autojump_clock: MockClock
) -> None:
    client.free = trio.Event()

    async def work() -> None:
        for text in ("one", "two", "three"):
            stage(text)
            await wait_all_tasks_blocked()
        client.free.set()
        await wait_all_tasks_blocked()

    await report_progress(client, work)
    assert client.messages == ["one", "three"]


async def test_work_in_an_actors_task_can_say_what_it_does(
    client: Client, autojump_clock: MockClock
) -> None:
    mailbox = Mailbox[str]("actor")

    async def in_the_actor(_: str) -> None:
        stage("acting")
        await wait_all_tasks_blocked()

    async def ask() -> None:
        progress = current_progress()
        assert progress is not None

        async def work(state: str) -> None:
            with track_progress(progress):
                await in_the_actor(state)

        async with mailbox.post(message := Message(work, "act")):
            await message.result()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.serve, "state")
        await report_progress(client, ask)
        await mailbox.ask(in_the_actor)
        nursery.cancel_scope.cancel()
    assert client.messages == ["acting"]


async def test_progress_of_an_actor_reaches_the_caller(
    client: Client, autojump_clock: MockClock
) -> None:
    mailbox = Mailbox[str]("actor")

    async def in_the_actor(state: str) -> None:
        stage(state)
        await wait_all_tasks_blocked()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.serve, "acting")
        await report_progress(client, partial(mailbox.ask, in_the_actor))
        await mailbox.ask(in_the_actor)
        nursery.cancel_scope.cancel()
    assert client.messages == ["acting"]


@pytest.mark.req("P-PROG-01")
async def test_a_new_stage_is_reported_at_once(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> str:
        stage("loading")
        await trio.sleep(0.3)
        stage("reading")
        await trio.sleep(0.3)
        return "done"

    assert await report_progress(client, work) == "done"
    assert client.received == [(0.001, None, "loading"), (0.3, None, "reading")]


async def test_an_error_is_raised_unchanged(client: Client, autojump_clock: MockClock) -> None:
    async def work() -> None:
        raise TabNotFound("no tab")

    with pytest.raises(TabNotFound):
        await report_progress(client, work)
