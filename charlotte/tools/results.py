"""What tools give to programs: the values of their answers, as objects and uncut.

Everything here is a frozen record: it stays as it was, and may be used in any thread.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import attrs

from charlotte.actors.browser.downloads import Download
from charlotte.actors.monitors.transcript import ConsoleMessage
from charlotte.actors.state.dialogs import PendingDialog
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.request_log import RequestRecord, Source
from charlotte.page.content_summary import text_lines
from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.model import Element, Form, Heading, Landmark, PageView

R = TypeVar("R", bound=attrs.AttrsInstance)
T_co = TypeVar("T_co", covariant=True)


def _copy(kind: type[R], record: object, **values: Any) -> R:
    """Copy the fields of ``kind`` from a record that may change; ``values`` replace some."""
    names = (field.name for field in attrs.fields(kind) if field.name not in values)
    return kind(**{name: getattr(record, name) for name in names}, **values)


@attrs.frozen(kw_only=True)
class TabRow:
    """A tab as the browser knows it; ``dialog`` is the kind of the one that blocks its page."""

    id: str
    url: str
    title: str
    active: bool
    loading: bool
    crashed: bool
    hung: bool
    dialog: str | None


def row_of(record: TabRecord) -> TabRow:
    """Return a tab's row now."""
    dialog = record.dialog.type if record.dialog else None
    active = record.session.active == record.id
    return _copy(TabRow, record, active=active, dialog=dialog)


@attrs.frozen(kw_only=True)
class SavedFile:
    """A file of the output directory or a root, with its size in bytes."""

    path: Path
    bytes: int


@attrs.frozen(kw_only=True)
class DownloadRow:
    """One download; ``state`` is in_progress, completed (then it has a path) or canceled."""

    name: str
    url: str
    state: str
    bytes: int
    path: Path | None


def download_of(download: Download) -> DownloadRow:
    """Return the state of a download now."""
    return _copy(DownloadRow, download)


@attrs.frozen(kw_only=True)
class Exchange:
    """Headers, bodies and timing (in ms, -1 for what did not happen) of one request.

    A body is a text, a file where it is binary or long, or None; ``note`` says if it may
    come later.
    """

    request_headers: Mapping[str, str]
    request_body: str | SavedFile | None
    response_headers: Mapping[str, str]
    response_body: str | SavedFile | None
    mime_type: str
    timing: Mapping[str, float]
    note: str = ""


@attrs.frozen(kw_only=True)
class Request:
    """One request; ``status`` is None while it runs, 0 with ``error`` when it failed.

    ``by`` is the kind of worker that made it, ``source`` what answered, if not a page and the
    network. ``exchange`` is there when it was asked for by its id.
    """

    id: int
    url: str
    method: str
    resource_type: str
    timestamp: str
    status: int | None
    status_text: str
    error: str | None
    by: str | None
    source: Source | None
    exchange: Exchange | None = None


def request_of(record: RequestRecord, exchange: Exchange | None = None) -> Request:
    """Return the state of a request now."""
    source = record.exchange.source
    return _copy(Request, record, id=record.number, source=source, exchange=exchange)


@attrs.frozen(kw_only=True)
class Page:
    """A page as it was when a tool answered, and what the tool has to say besides.

    ``view`` has all of it; it is None while a dialog blocks the page, and of the rest of a delta
    that was cut. ``snapshot_id`` is 0 if it is not stored. ``delta`` is what an action changed;
    None when it led to another document. ``errors`` and ``failed`` are the console's and the
    network's since the action began. ``extras`` are as agents get them: ``invalid`` of a form,
    ``scroll``, ``device``, ….
    ``str(page)`` is the whole answer as an agent reads it.
    """

    tab_id: str
    url: str
    title: str
    told: str
    view: PageView | None = None
    snapshot_id: int = 0
    timestamp: str = ""
    delta: SnapshotDiff | None = None
    status: int | None = None
    dialog: PendingDialog | None = None
    unsettled: str | None = None
    note: str | None = None
    errors: tuple[ConsoleMessage, ...] = ()
    failed: tuple[Request, ...] = ()
    notices: tuple[str, ...] = ()
    opened_tabs: tuple[TabRow, ...] = ()
    downloads: tuple[DownloadRow, ...] = ()
    extras: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    def __str__(self) -> str:
        return self.told

    @property
    def elements(self) -> tuple[Element, ...]:
        """Every interactive element, in document order."""
        return self.view.interactive if self.view else ()

    @property
    def landmarks(self) -> tuple[Landmark, ...]:
        """Every landmark."""
        return self.view.landmarks if self.view else ()

    @property
    def headings(self) -> tuple[Heading, ...]:
        """Every heading."""
        return self.view.headings if self.view else ()

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every form."""
        return self.view.forms if self.view else ()

    @property
    def text(self) -> str:
        """All visible text, a line for each block."""
        return "\n".join(text_lines(self.view)) if self.view else ""

    def shown(self) -> Iterator[str]:
        """The ids that this tells anew; after an action, those before it were told before."""
        if self.delta is None:
            for part in (self.landmarks, self.headings, self.elements, self.forms):
                yield from (record.id for record in part)

    def element(self, label: str, type: str | None = None) -> Element:  # noqa: A002
        """The first element with that label, and of that type if one is given.

        Raises:
            LookupError: there is none.
        """
        for element in self.elements:
            if element.label == label and type in {None, element.type}:
                return element
        raise LookupError(f"No {type or 'element'} {label!r} on {self.tab_id} at {self.url}")


@attrs.frozen(kw_only=True)
class Listing(Sequence[T_co], Generic[T_co]):
    """A sequence that may be the part of a longer one: ``total`` says of how many.

    ``dropped`` are those that were forgotten before anybody asked; ``note``: what is yet to come.
    """

    items: tuple[T_co, ...]
    total: int
    dropped: int = 0
    note: str | None = None

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        return self.items[index]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@attrs.frozen(kw_only=True)
class Found(Listing[Element]):
    """What find found; of nodes a selector found, ``type`` is the tag, ``label`` the text.

    ``texts`` are nodes too: where the text stands that is not found in an element. Asked about
    ids: ``valid`` ones, and of the others why they are not. ``dialog`` blocks the page.
    """

    tab_id: str
    texts: tuple[Element, ...] = ()
    valid: tuple[str, ...] = ()
    invalid: Mapping[str, str] = attrs.field(factory=dict[str, str])
    dialog: PendingDialog | None = None

    def shown(self) -> Iterator[str]:
        """The ids that this tells."""
        return (element.id for element in (*self.items, *self.texts))


@attrs.frozen(kw_only=True)
class Requests(Listing[Request]):
    """Requests, oldest first; ``har`` is the archive, if one was asked for."""

    har: Path | None = None


@attrs.frozen(kw_only=True)
class Screenshot:
    """An image: its bytes, its size in CSS pixels, and where it was saved, if it was."""

    data: bytes
    format: str
    width: int
    height: int
    path: Path | None
    note: str | None


@attrs.frozen(kw_only=True)
class Stored:
    """What was saved or loaded, in numbers; ``state`` in Playwright's format, unless in a file.

    ``not_reached``: the origins of which no document can be had.
    """

    cookies: int
    origins: int
    not_reached: Sequence[str] = ()
    path: Path | None = None
    state: Mapping[str, Any] | None = None
