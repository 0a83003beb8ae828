"""The news of a tab, and its readers: what each was shown of the tab.

A reader is a client of the session, or a batch. A session of its own has one client, which needs no
name. Shells, MCP connections and programs that share a session are different clients: what one was
shown stays news for the others.
"""

from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import attrs
import trio

from charlotte.actors.kernel.mailbox import carry
from charlotte.actors.state.logs import Download, ImageLog
from charlotte.page.identity.id_book import ShownMemory
from charlotte.page.identity.references import RefBook
from charlotte.page.model import PageView

T = TypeVar("T")

MOST_NEWS = 100
"""News kept per tab; a page that is never observed may cause any number."""

SAVE_WAIT = 3.0
BEGIN_WAIT = 2.0
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


@attrs.define(eq=False)
class Batch(Client):
    """A batch of the client ``of``: what one of its steps has reported is no news for later ones.

    The client has read it once the answer of the batch is delivered.
    """

    of: Client | None = None
    readers: "dict[NewsLog, NewsReader]" = attrs.field(factory=dict[Any, Any])

    def __attrs_post_init__(self) -> None:
        self.is_program = self.of is not None and self.of.is_program


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


@contextmanager
def in_batch() -> Generator[None]:
    """Make the calls of the block the steps of a batch of the present client."""
    batch = Batch(of=current_client.get())
    try:
        with acting_as(batch):
            yield
    finally:
        batch.readers.clear()  # tasks that were started meanwhile still refer to the batch


@attrs.define(eq=False)
class NewsReader:
    """What a client was shown of a tab.

    ``news`` and ``errors`` are the numbers of the last news and of the last error that it has read.
    ``view`` is the page as the last delivered answer shows it, ``images`` are the last images.
    ``refs`` are the references in answers, ``shown`` the elements, and ``page_tools`` the digests
    of the page's tools. ``offered`` are all tools that were counted.
    ``knows_crash`` is set from the error about a crash to its notice.
    """

    refs: RefBook
    shown: ShownMemory = attrs.field(factory=ShownMemory)
    images: ImageLog = attrs.field(factory=ImageLog)
    view: PageView | None = None
    news: int = 0
    errors: int = 0
    knows_crash: bool = False
    page_tools: dict[str, str] = attrs.field(factory=dict[str, str])
    offered: frozenset[tuple[str, str]] = frozenset()


@attrs.define(eq=False)
class NewsLog:
    """The last `MOST_NEWS` news of a tab: notices, crashes, popups, edits, changes of downloads.

    News are numbered from 1. ``added`` is the number of the last one, ``dropped`` of the last one
    that is not kept, ``read`` of the last one that a reader has read. ``everyone`` has what any
    client was shown last.
    """

    everyone: NewsReader
    added: int = 0
    dropped: int = 0
    read: int = 0
    _kept: deque[tuple[int, object]] = attrs.field(factory=deque[tuple[int, object]])
    _readers: WeakKeyDictionary[Client, NewsReader] = attrs.field(
        factory=WeakKeyDictionary[Client, NewsReader]
    )
    _changed: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    def add(self, news: object) -> None:
        """Have the next answer to each client report something."""
        self.added += 1
        self._kept.append((self.added, news))
        if len(self._kept) > MOST_NEWS:
            self.dropped, _ = self._kept.popleft()
        self._changed.unpark_all()

    def since(self, number: int) -> list[object]:
        """Return the kept news with higher numbers."""
        return [news for added, news in self._kept if added > number]

    def note_crash_known(self) -> None:
        """Record that the present client knows of a crash before it gets the notice."""
        self.current.knows_crash = True

    def unread(self, kind: type[T], reader: NewsReader | None = None) -> list[T]:
        """Return the news of a type that a reader, or the present one, has not read, each once."""
        news = self.since((reader or self.current).news)
        return list(dict.fromkeys(one for one in news if isinstance(one, kind)))

    def note_read(self, number: int) -> None:
        """Record that a reader has read the news up to a number; drop those that all have read."""
        self.read = max(self.read, number)
        all_read = min(one.news for one in (self.everyone, *self._readers.values()))
        while self._kept and self._kept[0][0] <= all_read:
            self._kept.popleft()

    def withdraw(self, withdrawn: object) -> bool:
        """Report something to no more clients; return whether it was reported to one."""
        was_read = all(withdrawn != news for news in self.since(self.read))
        self._kept = deque(each for each in self._kept if each[1] != withdrawn)
        return was_read

    async def wait_until_saved(self, since: int, *, begins: bool) -> None:
        """Wait up to `SAVE_WAIT` seconds for the downloads after the news with a number.

        With ``begins``, first wait up to `BEGIN_WAIT` seconds for a download to begin.
        """

        def find() -> list[Download]:
            return [news for news in self.since(since) if isinstance(news, Download)]

        if begins:
            with trio.move_on_after(BEGIN_WAIT):
                while not find():
                    await self._changed.park()
        awaited = find()
        with trio.move_on_after(SAVE_WAIT):
            while any(download.state == "in_progress" for download in awaited):
                await self._changed.park()

    @property
    def planner(self) -> NewsReader:
        """The reader that chose the call that is running: a batch was planned before its steps."""
        client = current_client.get()
        return self._reader(client.of if isinstance(client, Batch) else client)

    @property
    def current(self) -> NewsReader:
        """The reader whose call is running."""
        return self._reader(current_client.get())

    def _reader(self, client: Client | None) -> NewsReader:
        """Return the reader of a client; a new client has read what any client has read.

        References of other clients are valid for it.
        """
        known = self.everyone
        if client is None:
            return known
        if isinstance(client, Batch):
            if self not in client.readers:
                client.readers[self] = attrs.evolve(self._reader(client.of))
            return client.readers[self]
        if client not in self._readers:
            self._readers[client] = attrs.evolve(
                known,
                refs=RefBook(known.refs.prefix, everyone=known.refs),
                shown=ShownMemory(),
                images=ImageLog(),
                view=None,
                page_tools=dict(known.page_tools),
            )
        return self._readers[client]

    def delivered(self) -> list[NewsReader]:
        """Return the readers that change with an answer to the client whose call is running."""
        client = current_client.get()
        if client is not None and (client.is_program or isinstance(client, Batch)):
            return [self.current]
        return list(dict.fromkeys((self.current, self.everyone)))
