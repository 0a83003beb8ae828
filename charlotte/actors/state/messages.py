"""Messages of a tab's WebSockets and event streams, bounded in number and characters."""

from collections import deque
from collections.abc import Callable

import attrs

from charlotte.base.errors import ellipsize

LONGEST_MESSAGE = 10_000
"""Characters that are kept of a message; a multiple of 4, so that cut base64 is valid."""

CAPACITY = 1_000_000
"""Characters that are kept of all messages of a tab, each counted with `_OVERHEAD` more."""

_OVERHEAD = 200


@attrs.frozen
class SocketMessage:
    """A message, the ``number``th of its connection; ``time`` in seconds since the epoch.

    ``text`` is base64 if the message ``is_binary``. It may be cut: ``length`` is that of the whole
    message, in characters, or bytes if it is binary. ``event`` and ``event_id`` are those of a
    server-sent event.
    """

    number: int
    is_sent: bool
    time: float
    text: str
    length: int
    is_binary: bool = False
    event: str = ""
    event_id: str = ""

    @property
    def size(self) -> int:
        """The share of `CAPACITY` that the message takes."""
        return len(self.text) + len(self.event) + len(self.event_id) + _OVERHEAD


@attrs.define(eq=False)
class Conversation:
    """The newest messages of one connection, and how many there were.

    ``epoch`` is the difference between the time since the epoch and the browser's clock. ``paused``
    is set if the messages arrived too fast, so that some were not recorded.
    """

    is_stream: bool = False
    epoch: float = 0
    is_cleared: bool = False
    sent: int = 0
    received: int = 0
    size: int = 0
    paused: bool = False
    kept: deque[SocketMessage] = attrs.field(factory=deque[SocketMessage])

    @property
    def dropped(self) -> int:
        """The number of older messages that are not kept any more."""
        return self.sent + self.received - len(self.kept)


@attrs.define(eq=False)
class MessageLog:
    """All conversations of a tab; beyond `CAPACITY`, the largest drops its oldest message.

    ``hidden`` redacts secrets from a text before it is cut.
    """

    hidden: Callable[[str], str] = str
    size: int = 0
    _conversations: dict[int, Conversation] = attrs.field(factory=dict[int, Conversation])

    def add(
        self,
        to: Conversation,
        text: str,
        at: float,
        *,
        is_sent: bool = False,
        is_binary: bool = False,
        event: str = "",
        event_id: str = "",
    ) -> None:
        """Keep a message of a connection, sent or received ``at`` a time of the browser's clock."""
        length = len(text) * 3 // 4 - text[-2:].count("=") if is_binary else len(text)
        text = self.hidden(text)
        to.sent += is_sent
        to.received += not is_sent
        message = SocketMessage(
            number=to.sent + to.received,
            is_sent=is_sent,
            time=at + to.epoch,
            text=text[:LONGEST_MESSAGE] if is_binary else ellipsize(text, LONGEST_MESSAGE),
            length=length,
            is_binary=is_binary,
            event=ellipsize(event, LONGEST_MESSAGE),
            event_id=ellipsize(event_id, LONGEST_MESSAGE),
        )
        self._conversations[id(to)] = to
        to.kept.append(message)
        self._count(to, message.size)
        while self.size > CAPACITY:
            largest = max(self._conversations.values(), key=lambda one: one.size)
            self._count(largest, -largest.kept.popleft().size)

    def _count(self, conversation: Conversation, size: int) -> None:
        conversation.size += size
        self.size += size

    def forget(self, conversation: Conversation | None) -> None:
        """Stop counting the messages of a connection, which nothing but an answer refers to."""
        if conversation is not None:
            self.size -= conversation.size
            self._conversations.pop(id(conversation), None)

    def note_pause(self) -> None:
        """Record that messages are not recorded for a while, because there are too many."""
        for conversation in self._conversations.values():
            conversation.paused = True
