"""Notices for the agent, and positions up to which logs have been reported."""

import attrs

MOST_NOTICES = 20
"""Notices kept per tab; a page that is never observed may cause any number."""


@attrs.frozen
class LogPosition:
    """The number of messages in the console log, and of failures in the request log, of a tab."""

    messages: int = 0
    failures: int = 0

    def later(self, other: "LogPosition") -> "LogPosition":
        """Return the later of two positions."""
        return LogPosition(max(self.messages, other.messages), max(self.failures, other.failures))


@attrs.define(eq=False)
class NoticeLog:
    """The last `MOST_NOTICES` notices of a tab that wait for delivery.

    Notices are numbered from 1. ``added`` is the number of the last notice, ``reported`` of the
    last that a step of a batch reported, ``delivered`` of the last that reached the agent.
    """

    added: int = 0
    reported: int = 0
    delivered: int = 0
    _waiting: list[str] = attrs.field(factory=list[str])

    def add(self, notice: str) -> None:
        """Keep a notice, unless an equal notice waits to be reported."""
        if notice not in self.since(self.reported):
            self._waiting = [*self._waiting[1 - MOST_NOTICES :], notice]
            self.added += 1

    def since(self, number: int) -> list[str]:
        """Return the kept notices with higher numbers."""
        later = self.added - number
        return self._waiting[-later:] if later > 0 else []

    def report(self, number: int) -> None:
        """Record that the notices up to that number are reported: equal later ones are kept."""
        self.reported = max(self.reported, number)

    def deliver(self, number: int) -> None:
        """Remove the notices up to that number, which have reached the agent."""
        self._waiting = self.since(number)
        self.delivered = max(self.delivered, number)
