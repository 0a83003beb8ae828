"""Questions to people about held requests and calls."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from secrets import token_urlsafe

import attrs
import trio

from charlotte.base.blocks import kept_in
from charlotte.base.log import now

DEFAULT_SECONDS = 120

_NOT_ASKED = (
    "no person could be asked: the client shows no questions, and there is no dashboard "
    "(--dashboard)"
)
_NOT_SHOWN = "the client could not show the question, and there is no dashboard (--dashboard)"


@attrs.frozen
class Verdict:
    """The outcome of a question; ``reason`` follows "because" in messages."""

    is_allowed: bool
    reason: str


@attrs.define(eq=False)
class Question:
    """A held request or call of a tab that a person may allow, once, until the ``deadline``.

    ``held`` describes it. ``deadline`` is in trio's time.
    """

    held: str
    rule: str
    tab_id: str
    page: str
    seconds: float
    id: str = attrs.field(factory=lambda: token_urlsafe(12))
    timestamp: str = attrs.field(factory=now)
    deadline: float = attrs.field(init=False)
    verdict: Verdict | None = attrs.field(default=None, init=False)
    settled: trio.Event = attrs.field(factory=trio.Event, init=False)

    def __attrs_post_init__(self) -> None:
        self.deadline = trio.current_time() + self.seconds

    @property
    def text(self) -> str:
        """The question for a person."""
        return (
            f"An agent works at {self.page}. Rule {self.rule!r} holds: {self.held}. "
            "Allow this once?"
        )

    def answer(self, verdict: Verdict) -> bool:
        """Settle the question; return whether it was still open."""
        if self.settled.is_set():
            return False
        self.verdict = verdict
        self.settled.set()
        return True

    def decide(self, *, allow: bool) -> bool:
        """Record the answer of a person; return whether the question was still open."""
        did = "allowed" if allow else "refused"
        return self.answer(Verdict(allow, f"a person {did} it"))


Channel = Callable[[Question], None]
"""Passes a question to a person, without waiting for the answer."""


@attrs.define(eq=False)
class Questions:
    """The open questions of a session, and the ways to a person.

    ``seconds`` is the time for each answer. ``publish`` is called with a question when it is asked
    and when it is settled.
    """

    seconds: float = DEFAULT_SECONDS
    has_dashboard: bool = False
    publish: Callable[[Question], None] = lambda _: None
    open: dict[str, Question] = attrs.field(factory=dict[str, Question])
    _channels: list[tuple[str | None, Channel]] = attrs.field(
        factory=list[tuple[str | None, Channel]]
    )
    _limits: list[tuple[str, trio.CancelScope]] = attrs.field(
        factory=list[tuple[str, trio.CancelScope]]
    )

    async def ask(self, held: str, rule: str, tab_id: str, page: str) -> Verdict:
        """Ask a person, and return the verdict: without an answer in time, a refusal."""
        # the way of the newest call on the tab, or else of the newest call
        ways = [one for tab, one in self._channels if tab == tab_id]
        ways = ways or [one for _, one in self._channels]
        if not ways and not self.has_dashboard:
            return Verdict(is_allowed=False, reason=_NOT_ASKED)
        question = Question(held, rule, tab_id, page, self.seconds)
        limits = [scope for tab, scope in self._limits if tab == tab_id]
        for scope in limits:
            scope.deadline += self.seconds
        self.open[question.id] = question
        self.publish(question)
        try:
            if ways:
                ways[-1](question)
            with trio.move_on_at(question.deadline):
                await question.settled.wait()
        finally:
            question.answer(
                Verdict(is_allowed=False, reason=f"there was no answer within {self.seconds:g} s")
            )
            del self.open[question.id]
            for scope in limits:
                scope.deadline -= max(question.deadline - trio.current_time(), 0)
            self.publish(question)
        return question.verdict or Verdict(is_allowed=False, reason=_NOT_ASKED)

    def give_back(self, question: Question) -> None:
        """Leave a question that a client could not show to the dashboard, or refuse it."""
        if not self.has_dashboard:
            question.answer(Verdict(is_allowed=False, reason=_NOT_SHOWN))

    def withdraw(self, tab_id: str) -> None:
        """Refuse the open questions of a tab that is closed."""
        for question in self.of(tab_id):
            question.answer(Verdict(is_allowed=False, reason="its tab was closed"))

    def of(self, tab_id: str) -> list[Question]:
        """Return the open questions of a tab."""
        return [question for question in self.open.values() if question.tab_id == tab_id]

    async def wait_until_settled(self, tab_id: str) -> bool:
        """Wait until a tab has no open question; return whether it had one."""
        had = False
        while questions := self.of(tab_id):
            had = True
            await questions[0].settled.wait()
            await trio.lowlevel.checkpoint()
        return had

    def channel(self, tab_id: str | None, channel: Channel) -> AbstractContextManager[None]:
        """Use a way to a person during the block, first of all for the questions of a tab."""
        return kept_in(self._channels, (tab_id, channel))

    def extending(self, tab_id: str, limit: trio.CancelScope) -> AbstractContextManager[None]:
        """Prolong a time limit during the block by the time for questions of a tab."""
        return kept_in(self._limits, (tab_id, limit))
