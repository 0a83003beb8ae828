"""The console messages kept for a tab."""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

import attrs

from charlotte.protocol.connection import Session

ConsoleLevel = Literal["log", "info", "warn", "error", "debug"]

CAPACITY = 1000


@attrs.frozen
class ConsoleMessage:
    """One message of the console (C-CON-03), the ``number``th of its tab.

    ``timestamp`` is ISO 8601 in UTC. ``document`` is the number of documents the tab had left
    before. ``failed_url`` is set if the browser logged the failure of a request to that URL.
    """

    level: ConsoleLevel
    text: str
    timestamp: str
    number: int = attrs.field(default=0, eq=False)
    document: int = attrs.field(default=0, eq=False)
    failed_url: str | None = attrs.field(default=None, eq=False)


@attrs.define(eq=False)
class ConsoleLog:
    """The last `CAPACITY` messages of a tab; outlives the console monitor.

    ``hidden`` redacts a text before it is cut. ``publish`` is called with each message.
    ``holders`` are the sessions in which the browser retains logged objects for inspection.
    ``documents`` counts the documents that have ended.
    """

    hidden: Callable[[str], str] = str
    messages: deque[ConsoleMessage] = attrs.field(factory=lambda: deque(maxlen=CAPACITY))
    added: int = 0
    dropped: int = 0
    documents: int = 0
    publish: Callable[[ConsoleMessage], None] = lambda _: None
    holders: list[Session] = attrs.field(factory=list[Session])
    _errors: deque[ConsoleMessage] = attrs.field(factory=deque[ConsoleMessage])

    def add(self, message: ConsoleMessage) -> None:
        """Keep and publish a message, dropping the oldest beyond `CAPACITY`."""
        self.added += 1
        self.dropped += len(self.messages) == CAPACITY
        numbered = attrs.evolve(message, number=self.added, document=self.documents)
        self.messages.append(numbered)
        if numbered.level == "error":
            self._errors.append(numbered)
        while self._errors and self._errors[0].number <= self.added - CAPACITY:
            self._errors.popleft()
        self.publish(numbered)

    def errors_since(self, added: int) -> list[ConsoleMessage]:
        """Return the errors among the messages after number ``added``."""
        return [message for message in self._errors if message.number > added]

    @contextmanager
    def held_in(self, session: Session) -> Generator[None]:
        """Have logged objects released in a session too while the block runs."""
        self.holders.append(session)
        try:
            yield
        finally:
            self.holders.remove(session)

    def clear(self) -> None:
        """Drop all messages."""
        self.messages.clear()
        self._errors.clear()
        self.dropped = 0
