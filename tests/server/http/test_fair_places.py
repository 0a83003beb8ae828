"""Places shared by owners: the fewest places first, and no owner fills the queue."""

from collections import Counter
from functools import partial

import attrs
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.server.http.fair_places import FairPlaces

PATIENCE = 30.0


@attrs.define(eq=False)
class Queue:
    """Owners at the places; ``got`` are those who got one, ``refused`` the others, in order."""

    places: FairPlaces[str]
    nursery: trio.Nursery
    got: list[str] = attrs.field(factory=list[str])
    refused: list[str] = attrs.field(factory=list[str])

    async def come(self, owners: str, *, expected: bool = False) -> None:
        """Let tasks of these owners ask for a place, one after the other."""
        for owner in owners:
            self.nursery.start_soon(partial(self._enter, owner, expected=expected))
            await wait_all_tasks_blocked()

    async def _enter(self, owner: str, *, expected: bool) -> None:
        has_place = await self.places.enter(owner, PATIENCE, expected=expected)
        (self.got if has_place else self.refused).append(owner)

    async def leave(self, owners: str) -> str:
        """Give back places of these owners; return who got them."""
        before = len(self.got)
        for owner in owners:
            self.places.leave(owner)
            await wait_all_tasks_blocked()
        return "".join(self.got[before:])


async def test_a_free_place_goes_to_the_owner_with_the_fewest_places(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(5), nursery)
        await queue.come("aaaab" + "aabc")
        assert await queue.leave("a") == "c"
        assert await queue.leave("a") == "b"
        assert await queue.leave("b") == "a"
        nursery.cancel_scope.cancel()


async def test_owners_with_equally_many_places_take_turns(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1), nursery)
        await queue.come("x" + "aaabbc")
        assert [await queue.leave(owner) for owner in "xabcab"] == [*"abcaba"]
        nursery.cancel_scope.cancel()


async def test_an_owner_gets_no_more_than_its_share_while_places_are_free(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(9, share=2), nursery)
        await queue.come("aaab")
        assert queue.got == [*"aab"]
        assert await queue.leave("b") == ""
        assert await queue.leave("a") == "a"
        nursery.cancel_scope.cancel()


async def test_a_newcomer_displaces_the_last_task_of_the_longest_queue(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1, queue=3), nursery)
        await queue.come("x" + "aaab")
        assert queue.refused == ["a"]
        await queue.come("a")
        assert queue.refused == ["a", "a"]
        assert queue.places.queued("a") == 2
        assert [await queue.leave(owner) for owner in "xab"] == [*"aba"]
        nursery.cancel_scope.cancel()


async def test_an_owner_without_places_displaces_one_with_places_but_not_back(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1, queue=1), nursery)
        await queue.come("aa" + "b" + "a")
        assert queue.refused == ["a", "a"]
        assert await queue.leave("a") == "b"
        nursery.cancel_scope.cancel()


async def test_an_expected_place_is_waited_for_although_the_queue_is_full(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1, queue=0), nursery)
        await queue.come("ab")
        assert queue.refused == ["b"]
        await queue.come("b", expected=True)
        assert await queue.leave("a") == "b"


async def test_a_task_waits_no_longer_than_its_patience(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1), nursery)
        await queue.come("ab")
        await trio.sleep(PATIENCE + 1)
        assert queue.refused == ["b"]
        assert not queue.places.waiting


async def test_a_place_given_to_a_cancelled_task_is_passed_on(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        queue = Queue(FairPlaces(1), nursery)
        await queue.come("a")
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as others:
                others.start_soon(queue.places.enter, "b", PATIENCE)
                await wait_all_tasks_blocked()
                await queue.come("c")
                scope.cancel()
                queue.places.leave("a")
        await wait_all_tasks_blocked()
        assert queue.got == [*"ac"]
        assert queue.places.taken == 1


STEPS = st.lists(st.tuples(st.sampled_from(["come", "leave", "expire"]), st.sampled_from("abc")))


@pytest.mark.filterwarnings("error")
@given(limit=st.integers(1, 4), queue=st.integers(0, 4), share=st.integers(1, 4), steps=STEPS)
def test_places_are_never_idle_never_exceeded_and_given_to_the_owner_with_the_fewest(
    limit: int, queue: int, share: int, steps: list[tuple[str, str]]
) -> None:
    async def run() -> None:
        async with trio.open_nursery() as nursery:
            line = Queue(FairPlaces(limit, queue, share), nursery)
            for step, owner in steps:
                await _take(line, step, owner)
                _check(line.places)
            nursery.cancel_scope.cancel()

    trio.run(run, clock=MockClock(autojump_threshold=0.01))


async def _take(line: Queue, step: str, owner: str) -> None:
    places = line.places
    if step == "come":
        refused = len(line.refused)
        queued = {each: places.queued(each) for each in "abc"}
        await line.come(owner)
        if line.refused[refused:] == [owner]:  # only if no other queue is longer
            assert max(queued.values()) <= queued[owner] + 1
    elif step == "leave" and places.held(owner):
        held = Counter({each: places.held(each) for each in "abc"})
        held[owner] -= 1
        able = [each for each in "abc" if places.queued(each) and held[each] < places.share]
        given = await line.leave(owner)
        assert len(given) == bool(able)
        assert not able or held[given] == min(held[each] for each in able)
    elif step == "expire":
        await trio.sleep(PATIENCE + 1)
        assert not places.waiting


def _check(places: FairPlaces[str]) -> None:
    held = {each: places.held(each) for each in "abc"}
    assert sum(held.values()) == places.taken <= places.limit
    assert max(held.values()) <= places.share
    assert places.waiting <= places.queue
    for owner, count in held.items():
        if places.queued(owner):
            assert places.is_full or count == places.share
