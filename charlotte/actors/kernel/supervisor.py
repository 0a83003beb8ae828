"""Supervision of actors, one for one: each actor has its own restart intensity.

The end of an incarnation has one of these consequences (in OTP's vocabulary):

* It raised `CharlotteError` (but not `Fatal`) while opening: queued messages get that error, and
  the next message opens the actor again.
* Its mailbox was closed before: the end was requested, so no error counts as a crash.
* It raised anything else, or anything while serving: a crash. The actor is opened again after a
  wait that doubles.
* The actor is ``on_demand``: queued messages get the error, and the next message opens the actor.
* It crashed more often than the policy allows: the supervisor gives up and the mailbox refuses all
  messages. With ``escalate`` the supervisor itself fails with the cause, unless the actor could not
  be opened: that is tried again and again.
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal, TypeVar, cast

import attrs
import structlog
import trio

from charlotte.actors.kernel.mailbox import Event, Mailbox, Restarted
from charlotte.base.errors import CharlotteError, Fatal, SessionProblem, ellipsize

S = TypeVar("S")
Phase = Literal["starting", "running", "restarting"]
Opener = Callable[[], AbstractAsyncContextManager[S]]

log = structlog.get_logger(__name__)


@attrs.frozen
class RestartPolicy:
    """Restart at most ``limit`` crashes in any ``period`` seconds; each wait doubles."""

    limit: float = 3
    period: float = 30.0
    first_wait: float = 0.1
    longest_wait: float = 5.0
    escalate: bool = False

    def wait_after(self, crashes: deque[float]) -> float | None:
        """Add a crash; return the seconds to wait before the restart, or None to give up."""
        now = trio.current_time()
        crashes.append(now)
        while crashes[0] < now - self.period:
            crashes.popleft()
        if len(crashes) > self.limit:
            return None
        return min(self.first_wait * 2.0 ** (len(crashes) - 1), self.longest_wait)


@attrs.define(eq=False)
class Child:
    """A supervised actor: its mailbox, its opener, and its history.

    ``since`` is the trio time at which its ``phase`` began. A message opens an actor that is
    ``on_demand``, at first and after each end.
    """

    mailbox: Mailbox[Any]
    opener: Opener[Any]
    policy: RestartPolicy
    on_demand: bool = False
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    crashes: deque[float] = attrs.field(factory=deque[float])
    failed_starts: deque[float] = attrs.field(factory=deque[float])
    ended: trio.Event = attrs.field(factory=trio.Event)
    restarts: int = 0
    phase: Phase = "starting"
    since: float = attrs.field(factory=trio.current_time)
    starting: trio.TaskStatus[None] | None = None
    ending: BaseException | None = None

    def enter(self, phase: Phase) -> None:
        """Record the beginning of a phase."""
        self.phase, self.since = phase, trio.current_time()

    def check_started(self) -> None:
        """Raise the reason if the first incarnation will never be ready."""
        if self.starting is not None and self.mailbox.closed is not None:
            raise self.mailbox.closed.again()


@attrs.define(eq=False)
class Supervisor:
    """Starts, restarts and stops actors in its nursery."""

    _nursery: trio.Nursery
    _policy: RestartPolicy
    _interruption: Callable[[], CharlotteError]
    _publish: Callable[[Event], None]
    children: dict[Mailbox[Any], Child] = attrs.field(factory=dict[Mailbox[Any], Child])

    async def start(self, mailbox: Mailbox[S], opener: Opener[S]) -> None:
        """Start an actor; return when it is ready, or raise the error that prevented it."""
        child = self.children[mailbox] = Child(mailbox, opener, self._policy)
        await self._nursery.start(self._start, child)

    async def _start(self, child: Child, task_status: trio.TaskStatus[None]) -> None:
        child.starting = task_status
        await self._keep_alive(child)
        child.check_started()

    def start_soon(
        self,
        mailbox: Mailbox[S],
        opener: Opener[S],
        *,
        on_demand: bool = False,
        policy: RestartPolicy | None = None,
    ) -> None:
        """Start an actor without waiting for it; messages queue until it is ready.

        With ``on_demand``, only a message opens the actor, also after each of its ends. ``policy``
        replaces the supervisor's.
        """
        child = Child(mailbox, opener, policy or self._policy, on_demand)
        self.children[mailbox] = child
        mailbox.dormant = on_demand
        self._nursery.start_soon(self._keep_alive, child)

    async def stop(self, *mailboxes: Mailbox[Any], reason: CharlotteError) -> None:
        """End actors permanently; all of their callers get ``reason``."""
        for mailbox in mailboxes:
            mailbox.close(reason)
        children = [self.children[box] for box in mailboxes if box in self.children]
        for child in children:
            child.scope.cancel("stopped")
        for child in children:
            await child.ended.wait()

    async def _keep_alive(self, child: Child) -> None:
        try:
            with child.scope:
                while child.mailbox.closed is None:
                    if child.on_demand:
                        await child.mailbox.wait_for_message()
                    await self._run_once(child)
        finally:
            child.mailbox.interrupt(self._interruption())
            del self.children[child.mailbox]
            child.ended.set()

    async def _run_once(self, child: Child) -> None:
        """Run one incarnation and handle its end."""
        child.enter("starting")
        try:
            await self._live(child)
        except Exception as error:
            cause = reason_for(error, child.mailbox.name)
            child.mailbox.interrupt(cause)
            if child.mailbox.closed is not None:
                return
            if child.starting is not None:
                raise cause from error
            domain = _domain_error(error)
            if child.on_demand:
                self._rest(child, error, cause)
            elif child.phase == "running" or domain is None or isinstance(domain, Fatal):
                await self._pause(child, error, cause)
            else:
                child.mailbox.refuse(cause)
                await child.mailbox.wait_for_message()
        except BaseExceptionGroup as group:  # the actor failed while it was being cancelled
            raise _without_failures(group, child.mailbox.name) from None
        except BaseException as ending:
            forget_frames(ending)
            raise
        finally:
            # The opener's context manager keeps an exception that is thrown into it. From CPython
            # 3.12 on, its traceback refers to the context manager: a cycle with the actor's state.
            if not isinstance(child.ending, Exception):
                forget_frames(child.ending)
            child.ending = None

    async def _live(self, child: Child) -> None:
        """Open the actor and serve its mailbox.

        A separate frame, because the exceptions that `_run_once` raises would keep the locals.
        """
        async with child.opener() as state:
            child.enter("running")
            if child.starting is not None:
                child.starting.started()
                child.starting = None
            try:
                await child.mailbox.serve(state)
            except BaseException as error:
                child.ending = error
                raise

    def _rest(self, child: Child, error: Exception, cause: CharlotteError) -> None:
        """Answer the queued messages, so that none of them opens the actor again."""
        child.mailbox.dormant = True
        child.mailbox.refuse(cause)
        if child.phase == "running":
            child.restarts += 1
            _warn("actor ended until the next message", error, child.mailbox.name)
            self._publish(
                Restarted(actor=child.mailbox.name, cause=cause, restarts=child.restarts, wait=0.0)
            )
        elif _domain_error(error) is None:
            _warn("actor failed", error, child.mailbox.name)
        forget_frames(error)

    async def _pause(self, child: Child, error: Exception, cause: CharlotteError) -> None:
        """Wait before the next incarnation, or give up."""
        policy = child.policy
        has_run = child.phase == "running" or not policy.escalate
        wait = policy.wait_after(child.crashes if has_run else child.failed_starts)
        if wait is None and not has_run:
            child.mailbox.refuse(cause)
            wait = policy.longest_wait
        _warn("actor crashed", error, child.mailbox.name, wait=wait)
        if _domain_error(error) is not None:
            forget_frames(error)
        name, restarts = child.mailbox.name, child.restarts + (wait is not None)
        self._publish(Restarted(actor=name, cause=cause, restarts=restarts, wait=wait))
        if wait is None:
            child.mailbox.close(
                SessionProblem(
                    f"{name} was given up after {len(child.crashes)} crashes in "
                    f"{policy.period:.0f} s; the last: {cause.message}",
                    "Close the tab and open a new one.",
                )
            )
            if policy.escalate:
                raise error
        else:
            child.restarts = restarts
            child.enter("restarting")
            await trio.sleep(wait)


def _without_failures(group: BaseExceptionGroup[BaseException], name: str) -> BaseException:
    """Log the failures in a group; return the exception that ends the actor's task.

    A separate frame, because an exception kept in the frame that raises it forms a cycle with the
    state of the actor.
    """
    failures, cancelled = group.split(Exception)
    if failures is not None:
        _warn("actor failed", failures, name)
    forget_frames(group)
    forget_frames(cancelled)
    return cancelled or group


def forget_frames(error: BaseException | None) -> None:
    """Drop the tracebacks of an exception and of all exceptions that it contains or was caused by.

    A context manager through which an exception passes keeps the exception in a frame that the
    traceback refers to: a cycle with the state of the actor.
    """
    known = set[int]()
    rest = [error]
    while rest:
        error = rest.pop()
        if error is not None and id(error) not in known:
            known.add(id(error))
            error.__traceback__ = None
            rest += [error.__cause__, error.__context__]
            if isinstance(error, BaseExceptionGroup):
                rest += cast("BaseExceptionGroup[BaseException]", error).exceptions


def _warn(event: str, error: Exception, name: str, **about: object) -> None:
    """Log why an actor ended, with tracebacks of bugs but not of domain errors."""
    cause = reason_for(error, name).message
    bugs: Exception | None = None if isinstance(error, CharlotteError) else error
    if isinstance(error, ExceptionGroup):
        bugs = cast("ExceptionGroup[Exception]", error).split(CharlotteError)[1]
    log.warning(event, actor=name, cause=cause, exc_info=bugs, **about)


def reason_for(error: Exception, name: str) -> CharlotteError:
    """Return the error for callers in flight: the domain error in ``error``, or a bug report."""
    reason = _domain_error(error)
    if reason is None:
        reason = SessionProblem(
            f"Internal error in {name}: {ellipsize(repr(next(_leaves(error))), 300)}. "
            "The action may or may not have happened.",
            "Observe the page before you repeat the action.",
        )
        reason.__cause__ = error
    return reason


def _domain_error(error: BaseException) -> CharlotteError | None:
    return next((leaf for leaf in _leaves(error) if isinstance(leaf, CharlotteError)), None)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Return the exceptions in a group at any depth, or the exception itself."""
    if isinstance(error, BaseExceptionGroup):
        for inside in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inside)
    else:
        yield error


@asynccontextmanager
async def open_supervisor(
    policy: RestartPolicy,
    interruption: Callable[[], CharlotteError],
    publish: Callable[[Event], None] = lambda _: None,
) -> AsyncGenerator[Supervisor]:
    """Supervise actors inside the block.

    ``interruption`` returns the error for callers in flight at the end of the block. ``publish`` is
    called with an event for each crash. A `KeyboardInterrupt` leaves the block without the errors
    of callers in flight.
    """
    try:
        async with trio.open_nursery() as nursery:
            yield Supervisor(nursery, policy, interruption, publish)
            nursery.cancel_scope.cancel("supervisor closed")
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is None:
            raise
        _, rest = group.split(CharlotteError)  # without the errors of calls that it interrupted
        raise rest or group from None
