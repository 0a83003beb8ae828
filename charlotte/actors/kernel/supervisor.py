"""Keeps actors alive, one for one: each with its own restart intensity.

How an incarnation ends decides what happens next (OTP's vocabulary):

* it raises `CharlotteError` (but not `Fatal`) while opening: what is queued gets that error,
  and the next request tries again;
* its mailbox was closed meanwhile: it was to end, whatever it raises; no crash;
* it raises anything else, or anything while serving: a crash; it is opened again after a wait
  that doubles;
* it crashed more often than the policy allows: given up, its mailbox refuses everything from
  then on, and with ``escalate`` the supervisor itself fails with the cause.
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal, TypeVar, cast

import attrs
import structlog
import trio

from charlotte.actors.kernel.events import Event, Restarted
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.errors import CharlotteError, Fatal, SessionProblem

S = TypeVar("S")
Phase = Literal["starting", "running", "restarting"]
Opener = Callable[[], AbstractAsyncContextManager[S]]

log = structlog.get_logger(__name__)


@attrs.frozen
class RestartPolicy:
    """At most ``limit`` crashes in any ``period`` seconds; each wait doubles the one before."""

    limit: int = 3
    period: float = 30.0
    first_wait: float = 0.1
    longest_wait: float = 5.0
    escalate: bool = False

    def wait_after(self, crashes: deque[float]) -> float | None:
        """Note a crash; return the seconds to wait before the restart, or None to give up."""
        now = trio.current_time()
        crashes.append(now)
        while crashes[0] < now - self.period:
            crashes.popleft()
        if len(crashes) > self.limit:
            return None
        return min(self.first_wait * 2.0 ** (len(crashes) - 1), self.longest_wait)


@attrs.define(eq=False)
class Child:
    """A supervised actor: where its requests go, how it is opened, and what it has been through.

    ``since`` is the trio time at which its ``phase`` began.
    """

    mailbox: Mailbox[Any]
    opener: Opener[Any]
    policy: RestartPolicy
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    crashes: deque[float] = attrs.field(factory=deque[float])
    ended: trio.Event = attrs.field(factory=trio.Event)
    restarts: int = 0
    phase: Phase = "starting"
    since: float = attrs.field(factory=trio.current_time)
    starting: trio.TaskStatus[None] | None = None
    ending: BaseException | None = None

    def enter(self, phase: Phase) -> None:
        """Take note of what begins now."""
        self.phase, self.since = phase, trio.current_time()

    def announce(self) -> None:
        """Tell whoever waits for the first incarnation that it is ready."""
        if self.starting is not None:
            self.starting.started()
            self.starting = None

    def forget_frames(self) -> None:
        """Free the frames of what ended an incarnation, unless it is a failure.

        The opener's context manager keeps what is thrown into it, whose traceback, from CPython
        3.12 on, leads back to that context manager: a cycle with all that the actor knew.
        """
        if not isinstance(self.ending, Exception):
            forget_frames(self.ending)
        self.ending = None

    def abandon(self) -> None:
        """Raise to whoever waits for the first incarnation why there will be none."""
        if self.starting is not None and self.mailbox.closed is not None:
            raise self.mailbox.closed.again()


class Supervisor:
    """Starts, restarts and stops actors in its nursery."""

    def __init__(
        self,
        nursery: trio.Nursery,
        policy: RestartPolicy,
        interruption: Callable[[], CharlotteError],
        tell: Callable[[Event], None],
    ) -> None:
        self._nursery = nursery
        self._policy = policy
        self._interruption = interruption
        self._tell = tell
        self.children: dict[Mailbox[Any], Child] = {}

    async def start(self, mailbox: Mailbox[S], opener: Opener[S]) -> None:
        """Start an actor; return once it is ready, or raise what kept it from starting."""
        await self._nursery.start(self._start, self._adopt(mailbox, opener))

    async def _start(self, child: Child, task_status: trio.TaskStatus[None]) -> None:
        child.starting = task_status
        await self._keep_alive(child)
        child.abandon()

    def start_soon(self, mailbox: Mailbox[S], opener: Opener[S]) -> None:
        """Start an actor without waiting for it; requests queue until it is ready."""
        self._nursery.start_soon(self._keep_alive, self._adopt(mailbox, opener))

    async def stop(self, *mailboxes: Mailbox[Any], reason: CharlotteError) -> None:
        """End actors for good; every caller of them gets ``reason``."""
        for mailbox in mailboxes:
            mailbox.close(reason)
        children = [self.children[one] for one in mailboxes if one in self.children]
        for child in children:
            child.scope.cancel("stopped")
        for child in children:
            await child.ended.wait()

    def _adopt(self, mailbox: Mailbox[S], opener: Opener[S]) -> Child:
        child = self.children[mailbox] = Child(mailbox, opener, self._policy)
        return child

    async def _keep_alive(self, child: Child) -> None:
        try:
            with child.scope:
                while child.mailbox.closed is None:
                    await self._run_once(child)
        finally:
            child.mailbox.interrupt(self._interruption())
            del self.children[child.mailbox]
            child.ended.set()

    async def _run_once(self, child: Child) -> None:
        """One incarnation, from its opening to what is to be done about its end."""
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
            if child.phase == "running" or is_crash(error):
                await self._pause(child, error, cause)
            else:
                child.mailbox.refuse(cause)
                await child.mailbox.wait_for_request()
        except BaseExceptionGroup as group:  # it failed while it was being ended
            raise _without_failures(group, child.mailbox.name) from None
        except BaseException as ending:
            forget_frames(ending)
            raise
        finally:
            child.forget_frames()

    async def _live(self, child: Child) -> None:
        """Open the actor and serve its mailbox.

        A separate frame, whose locals are not kept by the exceptions that `_run_once` raises.
        """
        async with child.opener() as state:
            child.enter("running")
            child.announce()
            await self._serve(child, state)

    async def _serve(self, child: Child, state: Any) -> None:
        try:
            await child.mailbox.serve(state)
        except BaseException as error:
            child.ending = error
            raise

    async def _pause(self, child: Child, error: Exception, cause: CharlotteError) -> None:
        """Wait before the next incarnation, or give up."""
        wait = child.policy.wait_after(child.crashes)
        _warn("actor crashed", error, child.mailbox.name, wait=wait)
        if _domain_error(error) is not None:
            forget_frames(error)
        name, restarts = child.mailbox.name, child.restarts + (wait is not None)
        self._tell(Restarted(actor=name, cause=cause, restarts=restarts, wait=wait))
        if wait is None:
            child.mailbox.close(given_up(child, cause))
            if child.policy.escalate:
                raise error
        else:
            child.restarts = restarts
            child.enter("restarting")
            await trio.sleep(wait)


def _without_failures(group: BaseExceptionGroup[BaseException], name: str) -> BaseException:
    """What ends an actor's task, its failures logged.

    A function of its own, for an exception that is kept in the frame that raises it is garbage in
    a cycle, with all that the actor knew.
    """
    failures, cancelled = group.split(Exception)
    if failures is not None:
        _warn("actor failed", failures, name)
    forget_frames(group)
    forget_frames(cancelled)
    return cancelled or group


def forget_frames(error: BaseException | None) -> None:
    """Drop the tracebacks of an exception and of all that it contains or was caused by.

    A context manager through which an exception passes keeps it in a frame that its traceback
    refers to: a cycle with everything that the actor's tasks knew.
    """
    known = set[int]()
    rest = [error]
    while rest:
        error = rest.pop()
        if error is not None and id(error) not in known:
            known.add(id(error))
            error.__traceback__ = None
            rest += [*_inside(error), error.__cause__, error.__context__]


def _warn(event: str, error: Exception, name: str, **about: object) -> None:
    """Log why an actor ended, with a traceback of what is a bug, not of a domain error."""
    cause = reason_for(error, name).message
    bugs: Exception | None = None if isinstance(error, CharlotteError) else error
    if isinstance(error, ExceptionGroup):
        bugs = cast("ExceptionGroup[Exception]", error).split(CharlotteError)[1]
    log.warning(event, actor=name, cause=cause, exc_info=bugs, **about)


def reason_for(error: Exception, name: str) -> CharlotteError:
    """What callers in flight are told: the domain error in ``error``, or of a bug."""
    told = _domain_error(error)
    if told is None:
        told = SessionProblem(
            f"Internal error in {name}: {_innermost(error)!r:.300}. "
            "The action may or may not have happened.",
            "Look at the page before repeating it.",
        )
        told.__cause__ = error
    return told


def is_crash(error: Exception) -> bool:
    """Whether an incarnation that never opened should be tried again at once."""
    domain = _domain_error(error)
    return domain is None or isinstance(domain, Fatal)


def _domain_error(error: BaseException) -> CharlotteError | None:
    if isinstance(error, CharlotteError):
        return error
    return next(filter(None, map(_domain_error, _inside(error))), None)


def _innermost(error: BaseException) -> BaseException:
    inside = _inside(error)
    return _innermost(inside[0]) if inside else error


def _inside(error: BaseException) -> tuple[BaseException, ...]:
    if isinstance(error, BaseExceptionGroup):
        return cast("BaseExceptionGroup[BaseException]", error).exceptions
    return ()


def given_up(child: Child, cause: CharlotteError) -> SessionProblem:
    """What callers are told from now on."""
    return SessionProblem(
        f"{child.mailbox.name} was given up after {len(child.crashes)} crashes in "
        f"{child.policy.period:.0f} s; the last: {cause.message}",
        "Close the tab and open a new one.",
    )


@asynccontextmanager
async def open_supervisor(
    policy: RestartPolicy,
    interruption: Callable[[], CharlotteError],
    tell: Callable[[Event], None] = lambda _: None,
) -> AsyncGenerator[Supervisor]:
    """Supervise actors inside the block.

    ``interruption`` is what its end tells callers; ``tell`` hears of each that crashes.
    """
    async with trio.open_nursery() as nursery:
        yield Supervisor(nursery, policy, interruption, tell)
        nursery.cancel_scope.cancel("supervisor closed")
