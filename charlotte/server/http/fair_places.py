"""A limited number of places, shared fairly by owners: subjects, or the sessions of a subject."""

from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

import attrs
import trio

K = TypeVar("K", bound=Hashable)


@attrs.define(eq=False)
class _Waiter(Generic[K]):
    """A task that waits for a place; ``decided`` is set when it gets one or is displaced."""

    owner: K
    has_place: bool = False
    decided: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class FairPlaces(Generic[K]):
    """At most ``limit`` places, ``share`` of them for an owner, and a queue of ``queue`` tasks.

    A free place goes to the waiting owner with the fewest places. Among equals it goes to the owner
    whose last place was given the longest ago. The tasks of an owner are served in their order.
    """

    limit: int
    queue: float = float("inf")
    share: float = float("inf")
    _held: Counter[K] = attrs.field(factory=Counter[K])
    _waiters: list[_Waiter[K]] = attrs.field(factory=list[_Waiter[K]])
    _given: dict[K, int] = attrs.field(factory=dict[K, int])
    """The number of the last place of an owner, counted from the start."""
    _count: int = 0

    @property
    def is_full(self) -> bool:
        """Whether every place is taken."""
        return self._held.total() >= self.limit

    @property
    def taken(self) -> int:
        """The number of taken places."""
        return self._held.total()

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a place."""
        return len(self._waiters)

    def held(self, owner: K) -> int:
        """Return the number of places of an owner."""
        return self._held[owner]

    def queued(self, owner: K) -> int:
        """Return the number of tasks of an owner that wait for a place."""
        return sum(waiter.owner == owner for waiter in self._waiters)

    async def enter(self, owner: K, patience: float, *, expected: bool = False) -> bool:
        """Take a place within ``patience`` seconds; give it back with `leave`.

        Returns whether the owner got a place. If the queue is full, the last task of the owner
        with the longest queue is displaced, unless the queue of this owner is as long. If a place
        is ``expected`` to become free, the task waits whatever the length of the queue.
        """
        if not self.is_full and self.held(owner) < self.share:
            self._give(owner)
            return True
        if self.waiting >= self.queue and not expected and not self._displace_for(owner):
            return False
        waiter = _Waiter(owner)
        self._waiters.append(waiter)
        try:
            with trio.move_on_after(patience):
                await waiter.decided.wait()
        except BaseException:
            if waiter.has_place:  # given after the task was cancelled, before it ran again
                self.leave(owner)
            raise
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            self._forget(owner)
        return waiter.has_place

    def enter_beyond(self, owner: K) -> None:
        """Take a place even if all are taken; give it back with `leave`."""
        self._give(owner)

    def leave(self, owner: K) -> None:
        """Give a place back, and pass it on if a task waits for it."""
        self._held[owner] -= 1
        self._pass_on()
        self._forget(owner)

    def resize(self, limit: int) -> None:
        """Change the number of places; owners beyond it keep theirs until they leave."""
        self.limit = limit
        while self._pass_on():
            pass

    def _pass_on(self) -> bool:
        """Give a free place to a task that waits; return whether there were both."""
        able = [each for each in self._waiters if self._held[each.owner] < self.share]
        if self.is_full or not able:
            return False
        chosen = min(able, key=lambda each: (self._held[each.owner], self._turn(each.owner)))
        self._waiters.remove(chosen)
        self._give(chosen.owner)
        chosen.has_place = True
        chosen.decided.set()
        return True

    def _turn(self, owner: K) -> int:
        return self._given.get(owner, 0)

    def _give(self, owner: K) -> None:
        self._count += 1
        self._given[owner] = self._count
        self._held[owner] += 1

    def _displace_for(self, owner: K) -> bool:
        """Remove the last task of the longest queue to make room for an owner's next task.

        Places break ties, so that no owner can displace the one that displaced it.
        """
        queues = Counter(waiter.owner for waiter in self._waiters)
        weights = {each: (queues[each], self._held[each]) for each in queues}
        longest = max(weights, key=lambda each: weights[each], default=owner)
        if weights.get(longest, (0, 0)) <= (queues[owner] + 1, self._held[owner]):
            return False
        last = next(each for each in reversed(self._waiters) if each.owner == longest)
        self._waiters.remove(last)
        last.decided.set()
        return True

    def _forget(self, owner: K) -> None:
        """Drop the counts of an owner without places and tasks."""
        if not self._held[owner]:
            del self._held[owner]
            if not self.queued(owner):
                self._given.pop(owner, None)
