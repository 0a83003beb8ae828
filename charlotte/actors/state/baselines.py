"""Clients that use one session, and the baseline of each: what it was shown of a tab.

A session of its own has one client, which needs no name. Shells, MCP connections and programs that
share a session are different clients: what one was shown stays news for the others.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from charlotte.actors.kernel.mailbox import carry
from charlotte.actors.state.logs import Download, ImageLog, LogPosition
from charlotte.actors.state.page_tools import Place
from charlotte.page.identity.id_book import ShownMemory
from charlotte.page.identity.references import RefBook
from charlotte.page.model import PageView

_MOST_SECTIONS = 100


@attrs.define(eq=False)
class Client:
    """A client of a shared session; ``sections`` are the margins of pages that it was sent.

    Changes that only a client with ``is_program`` has read are still reported to the agent, who
    sees only the result of the program.
    """

    name: str = ""
    is_program: bool = False
    sections: dict[str, None] = attrs.field(factory=dict[str, None])

    def note_sections(self, sections: Sequence[str]) -> None:
        """Remember margins of pages that were delivered, dropping the oldest beyond 100."""
        for text in sections:
            self.sections.pop(text, None)
            self.sections[text] = None
        for text in [*self.sections][:-_MOST_SECTIONS]:
            del self.sections[text]


current_client: ContextVar[Client | None] = carry(ContextVar("client", default=None))
"""The client whose call is running; None in a session with a single client."""


@contextmanager
def acting_as(client: Client) -> Generator[None]:
    """Make the calls of the block, and of tasks that it starts, in the name of a client."""
    token = current_client.set(client)
    try:
        yield
    finally:
        current_client.reset(token)


@attrs.define(eq=False)
class Baseline:
    """What a client was shown of a tab, and what it was not shown yet.

    ``view`` is the page as the last delivered answer shows it, ``reported`` how far errors are
    reported, ``notified`` the number of the last notice, ``images`` are the last images. ``opened``
    are popups and ``edits`` file changes that were not reported. ``downloads`` have the state that
    was reported last. ``refs`` are the references in answers, ``shown`` the elements, and
    ``page_tools`` the digests of the page's tools. ``offered`` are all tools that were counted.
    """

    refs: RefBook
    shown: ShownMemory = attrs.field(factory=ShownMemory)
    images: ImageLog = attrs.field(factory=ImageLog)
    view: PageView | None = None
    reported: LogPosition = attrs.field(factory=LogPosition)
    notified: int = 0
    opened: list[Any] = attrs.field(factory=list[Any])
    edits: list[Any] = attrs.field(factory=list[Any])
    downloads: WeakKeyDictionary[Download, str] = attrs.field(
        factory=WeakKeyDictionary[Download, str]
    )
    page_tools: dict[Place, str] = attrs.field(factory=dict[Place, str])
    offered: frozenset[tuple[Place, str]] = frozenset()

    def for_new_client(self) -> "Baseline":
        """Return the baseline of a client that was shown nothing yet.

        Its news are those that no other client was shown. References of other clients are valid.
        """
        return Baseline(
            RefBook(self.refs.prefix, everyone=self.refs),
            reported=self.reported,
            notified=self.notified,
            opened=[*self.opened],
            edits=[*self.edits],
            downloads=self.downloads.copy(),
            page_tools=dict(self.page_tools),
            offered=self.offered,
        )


@attrs.define(eq=False)
class Baselines:
    """The baselines of one tab; ``everyone`` has what any client was shown last."""

    everyone: Baseline
    _by_client: WeakKeyDictionary[Client, Baseline] = attrs.field(
        factory=WeakKeyDictionary[Client, Baseline]
    )

    @property
    def current(self) -> Baseline:
        """The baseline of the client whose call is running."""
        client = current_client.get()
        if client is None:
            return self.everyone
        if client not in self._by_client:
            self._by_client[client] = self.everyone.for_new_client()
        return self._by_client[client]

    def delivered(self) -> list[Baseline]:
        """Return the baselines that change with an answer to the client whose call is running."""
        client = current_client.get()
        if client is not None and client.is_program:
            return [self.current]
        return list(dict.fromkeys((self.current, self.everyone)))

    def all(self) -> list[Baseline]:
        """Return every baseline."""
        return [self.everyone, *self._by_client.values()]
