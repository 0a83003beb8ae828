"""Answers to tool calls, independent of MCP, and their values for programs."""

import json
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, Self, overload

import attrs
import trio
from typing_extensions import TypeVar

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.logs import ConsoleMessage, Download, RequestRecord, ResponseSource
from charlotte.actors.state.records import TabRecord
from charlotte.answers.answer_format import wants_text
from charlotte.answers.news import News
from charlotte.answers.text_answers import TextAnswer
from charlotte.base.errors import CharlotteError, report_nothing
from charlotte.base.log import now
from charlotte.base.version import __version__
from charlotte.page.model import (
    Element,
    Form,
    Heading,
    Landmark,
    PageView,
    SnapshotDiff,
    compact_json,
)
from charlotte.page.tokens import write_line
from charlotte.secrets.redaction import Secrets

R_co = TypeVar("R_co", covariant=True, default=Any)


@attrs.frozen
class Text:
    """One text block: ``json``, text of a ``page``, or ``lines``, which no page can imitate."""

    text: str
    form: Literal["lines", "page", "json"] = "lines"


@attrs.frozen
class Image:
    """One image block; ``data`` is base64, ``mime_type`` as ``image/png``."""

    data: str
    mime_type: str


@attrs.frozen
class Link:
    """A file that the client can read; ``uri`` is ``file://…``."""

    uri: str
    name: str
    mime_type: str


Content = Text | Image | Link


@attrs.frozen
class Answer(Generic[R_co]):
    """Content blocks in order, and metadata that costs the agent no tokens (``_meta``).

    ``value`` is the complete result for programs, as an object.
    ``delivered`` is called once the caller has the answer; its news are then not reported again.
    ``news`` are the reported events, which `batch` leaves out of its later steps; ``shown`` are the
    parts of a text answer about a page, from which `batch` makes one for all its steps.
    """

    blocks: tuple[Content, ...]
    metadata: dict[str, Any] = attrs.field(factory=dict[str, Any])
    is_error: bool = False
    delivered: Callable[[], None] = report_nothing
    news: News | None = attrs.field(default=None, kw_only=True)
    shown: TextAnswer | None = attrs.field(default=None, kw_only=True)
    value: R_co = attrs.field(default=None, kw_only=True)

    @property
    def text(self) -> str:
        """All text of the answer; each block begins a line."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def document(self) -> str:
        """The answer as one JSON document; the text of a page is the member ``text``."""
        match [block for block in self.blocks if isinstance(block, Text)]:
            case [Text(text, "json")]:
                return text
            case [Text(page, "page"), Text(about, "json")]:
                return f'{{"text":{compact_json(page)},{about[1:]}'
            case _:
                return compact_json(self.text)

    def with_error_page(self, note: str | None) -> Self:
        """Return the answer with the note that the browser shows its error page, if it does."""
        if note is None or note in self.text or compact_json(note) in self.text:
            return self
        return self.with_note(note, "error_page")

    def with_note(self, note: str, name: str = "note") -> Self:
        """Return the answer with a note: a remark, a key of an object or an entry of an array."""
        if wants_text():
            kind = "" if name == "note" else f"{name.replace('_', ' ')}: "
            return attrs.evolve(self, blocks=(*self.blocks, Text(f"! {kind}{write_line(note)}")))
        return attrs.evolve(self, blocks=tuple(_add_note(one, name, note) for one in self.blocks))

    def noting_wait(self, seconds: float, behind: str) -> Self:
        """Return the answer with how long its call waited for other calls in its tab."""
        line = Text(f"\n! waited {seconds:.1f} s for {behind} in this tab")
        blocks = (*self.blocks, line) if wants_text() else self.blocks
        waited = {"ms": round(seconds * 1000), "behind": behind}
        return attrs.evolve(self, blocks=blocks, metadata={**self.metadata, "waited": waited})

    def hiding(self, hidden: Secrets) -> Self:
        """Return the answer with secrets hidden in its texts, links and metadata."""

        def redacted(block: Content) -> Content:
            match block:
                case Text(text):
                    return attrs.evolve(block, text=hidden.hidden(text))
                case Link(uri, name, mime_type):
                    return Link(hidden.hidden(uri), hidden.hidden(name), mime_type)
                case _:
                    return block

        blocks = tuple(map(redacted, self.blocks))
        return attrs.evolve(self, blocks=blocks, metadata=hidden.hidden_in(self.metadata))

    def marked_untrusted(self, *, with_boundaries: bool) -> Self:
        """Return an answer in the text form marked as untrusted, in boundary lines if wanted."""
        blocks = tuple(
            attrs.evolve(block, text=add_boundaries(block.text))
            if with_boundaries and isinstance(block, Text) and block.form != "json"
            else block
            for block in self.blocks
        )
        return attrs.evolve(self, blocks=blocks, metadata={**self.metadata, "untrusted": True})


async def deliver(making: Awaitable[Answer]) -> Answer:
    """Return the answer of a call, or raise its error, to a caller that has it then."""
    try:
        answer = await making
    except CharlotteError as error:
        error.delivered()
        raise
    answer.delivered()
    return answer


def _add_note(block: Content, name: str, note: str) -> Content:
    """Add a note to a JSON block; a truncation stays the last entry of an array."""
    if not isinstance(block, Text) or block.form != "json":
        return block
    body: Any = json.loads(block.text)
    if block.text.startswith("{"):
        return Text(compact_json({**body, name: note}), "json")
    rows: list[dict[str, Any]] = [*body, {"type": name, "text": note}]
    rows.sort(key=lambda row: row.get("type") == "truncation")
    return Text(compact_json(rows), "json")


def add_boundaries(text: str) -> str:
    """Return a text between lines with a random number, so that the text cannot end itself."""
    nonce = secrets.token_hex(8)
    return f"--- page {nonce} ---\n{text}\n--- end of page {nonce} ---"


_ACTIONS = {"screenshot": "screenshot", "click_at": "click", "type": "type", "scroll": "scroll"}
_ONLY_AT_POINTS = {"type", "scroll"}


def metadata_of(tab_id: str | None, begun: float) -> dict[str, Any]:
    """Return the duration and other metadata of a call that began at a time (S-META-01…04)."""
    return {
        "duration_ms": round((trio.current_time() - begun) * 1000, 1),
        "tab_id": tab_id,
        "timestamp": now(),
        "tool_version": __version__,
    }


def add_envelope(
    error: CharlotteError, tool: str, arguments: Mapping[str, Any], tab_id: str | None, begun: float
) -> None:
    """Add the envelope to the error of a call, if the call is one that has an envelope."""
    action = _ACTIONS.get(tool)
    at_point = any(arguments.get(name) is not None for name in ("x", "y", "coordinates"))
    if tool == "page_screenshot":
        action = str(arguments.get("action"))
    elif tool in _ONLY_AT_POINTS and not at_point:
        action = None
    if action and not error.envelope:
        metadata = metadata_of(tab_id, begun)
        error.envelope = {"success": False, "action": action, "metadata": metadata}


R = TypeVar("R", bound=attrs.AttrsInstance)
T_co = TypeVar("T_co", covariant=True)


def _copy(kind: type[R], record: object, **values: Any) -> R:
    """Copy the fields of ``kind`` from a record that may change; ``values`` replace some."""
    names = (field.name for field in attrs.fields(kind) if field.name not in values)
    return kind(**{name: getattr(record, name) for name in names}, **values)


@attrs.frozen(kw_only=True)
class TabRow:
    """A tab in the list of tabs.

    ``error_page`` is why the browser shows its error page, ``dialog`` the type of the dialog that
    blocks the page. A tab that is ``adoptable`` is one of the browser's owner.
    """

    id: str
    url: str
    title: str
    active: bool = False
    loading: bool = False
    crashed: bool = False
    hung: bool = False
    error_page: str | None = None
    dialog: str | None = None
    adoptable: bool = False


def row_of(record: TabRecord) -> TabRow:
    """Return the present row of a tab."""
    dialog = record.dialog.type if record.dialog else None
    active = record.session.active == record.id
    url, title = record.shown
    return _copy(
        TabRow, record, url=url, title=title, active=active, dialog=dialog, adoptable=False
    )


@attrs.frozen(kw_only=True)
class SavedFile:
    """A file of the output directory or a root, with its size in bytes."""

    path: Path
    bytes: int


@attrs.frozen(kw_only=True)
class Request:
    """A request; ``status`` is None until the response, and 0 with ``error`` after a failure.

    ``by`` is the type of the worker that sent the request, None for pages; ``source`` is the cache
    or worker that answered, None for the network. ``exchange`` has headers, timing and bodies as in
    the answer, if the call named the id. ``sent`` and ``received`` are the numbers of messages of a
    WebSocket or event stream.
    """

    id: int
    url: str
    method: str
    status: int | None
    status_text: str
    resource_type: str
    timestamp: str
    error: str | None = None
    by: str | None = None
    source: ResponseSource | None = None
    sent: int | None = None
    received: int | None = None
    exchange: Mapping[str, Any] | None = None


def request_of(record: RequestRecord, exchange: Mapping[str, Any] | None = None) -> Request:
    """Return the present state of a request."""
    source, conversation = record.exchange.source, record.conversation
    return _copy(
        Request,
        record,
        id=record.number,
        source=source,
        sent=conversation and conversation.sent,
        received=conversation and conversation.received,
        exchange=exchange,
    )


@attrs.frozen(kw_only=True)
class Page:
    """A page at the time of an answer, and the other parts of the answer.

    ``view`` is the complete page; None while a dialog blocks it, and in the rest of a delta.
    ``snapshot_id`` is 0 if the snapshot is not stored. ``delta`` contains the changes by an action;
    None after a navigation. ``errors`` and ``failed`` are console errors and failed requests since
    the action began. ``extras`` are further keys of the JSON answer: ``invalid`` of a form,
    ``scroll``, ``device``, …. ``str(page)`` is the whole answer as an agent reads it.
    """

    tab_id: str
    url: str
    title: str
    answer_text: str
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
    downloads: tuple[Download, ...] = ()
    extras: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    def __str__(self) -> str:
        return self.answer_text

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
        return "\n".join(line.text for line in self.view.lines) if self.view else ""

    def shown(self) -> Iterator[str]:
        """Return the ids that the answer shows; the ids in a delta have been shown already."""
        if self.delta is None:
            for part in (self.landmarks, self.headings, self.elements, self.forms):
                yield from (record.id for record in part)

    def element(self, label: str, type: str | None = None) -> Element:  # noqa: A002
        """Return the first element with that label, and of that type if given.

        Raises:
            LookupError: the element is not found.
        """
        for element in self.elements:
            if element.label == label and type in {None, element.type}:
                return element
        raise LookupError(f"No {type or 'element'} {label!r} on {self.tab_id} at {self.url}")


@attrs.frozen(kw_only=True)
class Listing(Sequence[T_co], Generic[T_co]):
    """A part of a list with ``total`` items.

    ``dropped`` counts the items that were lost before the call.
    """

    items: tuple[T_co, ...]
    total: int
    dropped: int = 0

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
    """The elements that find found; for nodes, ``type`` is the tag and ``label`` the text.

    ``texts`` are nodes outside the elements that contain the text. For ``refs``, ``valid`` are the
    valid ids, ``invalid`` the others with reasons. ``dialog`` is the dialog that blocks the page.
    """

    tab_id: str
    texts: tuple[Element, ...] = ()
    valid: tuple[str, ...] = ()
    invalid: Mapping[str, str] = attrs.field(factory=dict[str, str])
    dialog: PendingDialog | None = None

    def shown(self) -> Iterator[str]:
        """Return the ids that the answer shows."""
        return (element.id for element in (*self.items, *self.texts))


@attrs.frozen(kw_only=True)
class Requests(Listing[Request]):
    """Requests, oldest first; ``har`` is the path of the archive, if requested."""

    har: Path | None = None


@attrs.frozen(kw_only=True)
class Screenshot:
    """An image, its size in pixels, and its path if it was saved.

    ``marked`` are the ids that are drawn on it. ``unchanged_since`` is when the tab's images of
    this part began to be equal to this one, if that was asked for.
    """

    data: bytes
    format: str
    width: int
    height: int
    path: Path | None
    note: str | None
    marked: tuple[str, ...] = ()
    unchanged_since: str | None = None


@attrs.frozen(kw_only=True)
class Stored:
    """The number of cookies and origins that were saved or loaded.

    ``state`` is in Playwright's format, None if saved to ``path`` or as a ``login``.
    ``not_reached`` are the origins whose storage could not be accessed.
    """

    cookies: int
    origins: int
    login: str | None = None
    not_reached: Sequence[str] = ()
    path: Path | None = None
    state: Mapping[str, Any] | None = None
