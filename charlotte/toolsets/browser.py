"""The work of vendors' browser tools on a session: actions, readings, state of the browser.

A `ToolsetBrowser` runs in trio. `BrowserAccess` is for the classes of the vendors, in any event
loop: each call crosses the threads of an asyncio program once, and brings the state back.
"""

import base64
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol
from urllib.parse import urlsplit, urlunsplit

import attrs
from typing_extensions import TypeVar

from charlotte.actors.state.events import (
    Crashed,
    DialogAnswered,
    DownloadChanged,
    Navigated,
    NavigationRefused,
    TabClosed,
    TabEvent,
    TabOpened,
)
from charlotte.actors.state.session_settings import UrlPolicy
from charlotte.errors import (
    LONGEST,
    CharlotteError,
    ElementChanged,
    ElementNotFound,
    TabNotFound,
    valid_unicode,
)
from charlotte.page.model import Element, PageView, compact_json
from charlotte.page.text.outline import build_outline
from charlotte.page.text.plain import write_address, write_line
from charlotte.page.text.redacting import redact_outline
from charlotte.session import Session
from charlotte.tools import gestures, interaction, keys, monitoring, screenshots, tabs
from charlotte.tools.answer import Page, Request, Screenshot, TabRow
from charlotte.tools.filling import fill_form, upload
from charlotte.tools.find import find
from charlotte.tools.monitoring import write_message
from charlotte.tools.observe import observe
from charlotte.tools.schema.tool import Tool
from charlotte.tools.session import configure
from charlotte.toolsets.finding import find_described
from charlotte.toolsets.lines import (
    LONGEST_READING,
    answer_lines,
    cut_reading,
    rewrite,
    shorten_answer,
    write_control,
    write_outline,
)
from charlotte.toolsets.refs import RefTable, StaleRef, TabMissing, ToolsetError
from charlotte.toolsets.wording import Wording

T = TypeVar("T")
R = TypeVar("R")

Point = tuple[int, int]
Target = str | Point
"""A ref, or a point of the viewport."""

NOTCH = 100
"""CSS px of a notch of the wheel."""

_ENLARGED = 2
_LONGEST_EDGE = 2000
"""Px of an image that models accept, also beside many other images."""

_COMMENT = re.compile(r"^<!-- (?:source|xpath|end): .* -->\n*", re.MULTILINE)
_SCHEMES = {"http", "https"}
_BAD_SCHEME = "Navigation refused. Only http and https URLs are allowed."
_FOLLOWED = (
    TabOpened, TabClosed, Navigated, NavigationRefused, Crashed, DialogAnswered, DownloadChanged,
)  # fmt: skip
_MOST_EVENTS = 2_000


@attrs.frozen
class BrowserState:
    """The tabs, and the events since the state before; ``lost`` events had no room."""

    tabs: tuple[TabRow, ...] = ()
    events: tuple[TabEvent, ...] = ()
    lost: int = 0


class AnySession(Protocol):
    """A session of `charlotte` or `charlotte.aio`."""

    async def run_in_trio(self, function: Callable[[Session], Awaitable[T]]) -> T:
        """Run a function with the session in trio."""
        ...

    async def use_url_policy(self, policy: UrlPolicy) -> None:
        """Set the policy for documents."""
        ...


def shown_url(url: str) -> str:
    """Return a URL without user name and password."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "about:blank"
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])) if "@" in url else url


class ToolsetBrowser:
    """A session as a vendor's tool sees it; all methods raise `ToolsetError`."""

    def __init__(self, session: Session, wording: Wording, between: str) -> None:
        self.session = session
        self.refs = RefTable()
        self._wording = wording
        self._between = between
        self._views: dict[str, PageView] = {}
        self._events = session.events(*_FOLLOWED, capacity=_MOST_EVENTS)

    async def open(self, roots: Sequence[Path]) -> None:
        """Prepare the session: dialogs are dismissed, and files in ``roots`` may be uploaded."""
        if roots:
            self.session.use_roots(roots)
        await self.session.run_tool(configure, {"dialog_auto_dismiss": "dismiss_and_leave"})

    # ------------------------------------------------------------------------ state

    def collect_state(self) -> BrowserState:
        """Return the tabs and the events since the last call; forget refs of left documents."""
        events: Sequence[TabEvent] = self._events.drain()
        lost, self._events.lost = self._events.lost, 0
        for event in events:
            if isinstance(event, TabClosed) or (
                isinstance(event, Navigated) and not event.same_document
            ):
                self._leave(event)
        hidden = self.session.record.hidden
        return BrowserState(self.rows(), tuple(_hide(event, hidden) for event in events), lost)

    def rows(self) -> tuple[TabRow, ...]:
        """Return the open tabs, without secrets and credentials."""
        hidden = self.session.record.hidden
        return tuple(
            attrs.evolve(row, url=shown_url(hidden(row.url)), title=_title(row, hidden))
            for row in self.session.rows()
        )

    async def list_tabs(self) -> tuple[TabRow, ...]:
        """Return the open tabs."""
        return self.rows()

    def _leave(self, event: TabEvent) -> None:
        view = self._views.get(event.tab_id)
        if isinstance(event, TabClosed) or view is None or view.url != getattr(event, "url", ""):
            self.refs.drop(event.tab_id)
            self._views.pop(event.tab_id, None)

    def tab(self, tab_id: str | None) -> str | None:
        """Return the id of a tab, by default of the active one; None if no tab is open."""
        rows = self.session.rows()
        if tab_id and all(row.id != tab_id for row in rows):
            raise TabMissing
        return tab_id or next((row.id for row in rows if row.active), None)

    # ------------------------------------------------------------------------ calls

    async def run(
        self,
        tool: Tool[..., R],
        tab_id: str | None = None,
        *,
        ref: str | None = None,
        **arguments: Any,
    ) -> R:
        """Run a tool of Charlotte's, on a tab unless the tool is one of the session.

        ``ref`` is that of the element which the arguments name, if any.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        if tab_id:
            given["tab_id"] = tab_id
        try:
            value = await self.session.run_tool(tool, {**given, "answers": "text"})
        except TabNotFound:
            raise TabMissing from None
        except CharlotteError as error:
            if ref is not None and isinstance(error, ElementNotFound | ElementChanged):
                raise StaleRef(ref) from None
            raise self._describe(error, tab_id) from None
        if isinstance(value, Page):
            self._note_page(value)
        return value

    def _describe(self, error: CharlotteError, tab_id: str | None) -> ToolsetError:
        def with_refs(text: str) -> str:
            return self._rewrite(self.session.record.hidden(text), tab_id or "")

        return ToolsetError(self._wording.describe(error, with_refs))

    def _rewrite(self, text: str, tab_id: str) -> str:
        return rewrite(text, self.namer(tab_id), self._elements(tab_id))

    def _elements(self, tab_id: str) -> Mapping[str, Element]:
        """Return the elements of the last known view of a tab by their ids."""
        view = self._views.get(tab_id)
        return {element.id: element for element in view.interactive} if view else {}

    def _note_page(self, page: Page) -> None:
        if page.view is not None:
            self.refs.enter(page.tab_id, page.view.document)
            self._views[page.tab_id] = page.view

    def answer(self, page: Page) -> str:
        """Return what an action changed, in the words of the vendor's tool."""
        text = self._rewrite(self.session.record.hidden(page.answer_text), page.tab_id)
        lines = [self._wording.remark(line) for line in answer_lines(text)]
        if page.delta is None and page.status not in {None, 200}:
            lines.insert(0, f"HTTP {page.status}")
        return shorten_answer([line for line in lines if line], self._between)

    async def act(self, tool: Tool[..., Page], tab_id: str | None, **arguments: Any) -> str:
        """Run a tool that acts on a tab; return the changes."""
        return self.answer(await self.run(tool, self.tab(tab_id), **arguments))

    async def act_on(
        self, tool: Tool[..., Page], tab_id: str | None, ref: str, **arguments: Any
    ) -> str:
        """Run a tool on an element; return the changes."""
        element_id = self.refs.resolve(self.tab(tab_id) or "", ref)
        return await self.act(tool, tab_id, ref=ref, element_id=element_id, **arguments)

    # ------------------------------------------------------------------------ navigation and tabs

    async def navigate(self, tab_id: str | None, url: str) -> Page:
        """Load a URL, or go ``back`` or ``forward``, or ``reload``."""
        tab = self.tab(tab_id)
        match url.strip().lower():
            case "back":
                return await self._visit(tabs.back, tab)
            case "forward":
                return await self._visit(tabs.forward, tab)
            case "reload":
                return await self._visit(tabs.reload, tab)
            case _:
                check_scheme(url)
                return await self._visit(tabs.navigate, tab, url=url.strip())

    async def _visit(
        self, tool: Tool[..., Page], tab_id: str | None = None, **arguments: Any
    ) -> Page:
        """Run a tool; return its page without secrets and credentials in URL and title."""
        page, hidden = await self.run(tool, tab_id, **arguments), self.session.record.hidden
        return attrs.evolve(page, url=shown_url(hidden(page.url)), title=hidden(page.title))

    async def open_tab(self, url: str | None = None) -> Page:
        """Open a tab, which becomes the active one."""
        if url is not None:
            check_scheme(url)
        return await self._visit(tabs.tab_open, url=url)

    async def switch_tab(self, tab_id: str) -> Page:
        """Make a tab the active one."""
        return await self._visit(tabs.tab_switch, self.tab(tab_id), detail="minimal")

    async def close_tab(self, tab_id: str) -> None:
        """Close a tab."""
        await self.run(tabs.tab_close, self.tab(tab_id))

    # ------------------------------------------------------------------------ readings

    async def _view(self, tab_id: str | None, **options: Any) -> tuple[Page, PageView]:
        page = await self.run(observe, self.tab(tab_id), detail="minimal", **options)
        if page.view is None:
            raise ToolsetError("A dialog of the page blocks it. Try again.")
        return page, page.view

    def namer(self, tab_id: str) -> Callable[[str], str]:
        """Return the function that returns the ref of an element of a tab."""
        return lambda element_id: self.refs.name(tab_id, element_id)

    async def read_page(
        self,
        tab_id: str | None,
        *,
        interactive: bool = False,
        in_view: bool = False,
        depth: int | None = None,
        ref: str | None = None,
    ) -> str:
        """Return the page in lines with at most one control each."""
        page, view = await self.read_view(tab_id, in_view=in_view, ref=ref)
        name = self.namer(page.tab_id)
        outline = redact_outline(build_outline(view, with_refs=True), self.session.record.hidden)
        if not interactive:
            return cut_reading(write_outline(outline.lines, name, depth))
        shown = {control.id: control for line in outline.lines for control in line.controls()}
        return cut_reading(write_control(each, name) for each in shown.values())

    async def read_view(
        self, tab_id: str | None, *, in_view: bool = False, ref: str | None = None
    ) -> tuple[Page, PageView]:
        """Return a page or a part of it, as an object."""
        part = self.refs.resolve(self.tab(tab_id) or "", ref) if ref else None
        page, view = await self._view(tab_id, in_view=in_view or None, selector=part)
        if part is not None or in_view:  # refs of other parts stay valid
            self.refs.enter(page.tab_id, view.document)
        return page, view

    async def read_text(self, tab_id: str | None) -> str:
        """Return the text of a page, main content first."""
        page = await self.run(
            observe, self.tab(tab_id), mode="content", format="markdown", max_length=LONGEST_READING
        )
        text = _COMMENT.sub("", self.session.record.hidden(page.answer_text)).strip()
        if len(text) <= LONGEST_READING:
            return text
        return f"{text[:LONGEST_READING]}\n[Truncated. Read parts with read_page and ref, or find.]"

    async def find(self, tab_id: str | None, query: str) -> str:
        """Return lines about the elements and texts that fit a description."""
        page, view = await self._view(tab_id)
        hidden = self.session.record.hidden
        found = find_described(view, query, self.namer(page.tab_id))
        return "\n".join(map(hidden, found)) or (
            "No element matches. Use other words, or read_page for the whole page."
        )

    async def read_console(self, tab_id: str | None, limit: int = 500) -> str:
        """Return the console messages since the last such reading, a line each."""
        found = await self.run(monitoring.console, self.tab(tab_id), clear=True, limit=limit)
        return cut_reading(map(write_message, found), "")

    async def read_network(self, tab_id: str | None, limit: int = 500) -> str:
        """Return the requests since the last such reading, a line each."""
        found = await self.run(monitoring.requests, self.tab(tab_id), clear=True, limit=limit)
        return cut_reading(map(_write_request, found), "")

    async def screenshot(self, tab_id: str | None, region: Sequence[int] | None = None) -> str:
        """Return a PNG image of the viewport in base64; of a region, an enlarged one."""
        part: dict[str, Any] = {}
        if region is not None:
            left, top, right, bottom = region
            size = {"width": right - left, "height": bottom - top}
            zoom = min(_ENLARGED, _LONGEST_EDGE / max(size.values()))
            part = {"region": {"x": left, "y": top, **size}, "zoom": zoom}
        image: Screenshot = await self.run(screenshots.screenshot, self.tab(tab_id), **part)
        return base64.b64encode(image.data).decode()

    async def evaluate(self, tab_id: str | None, source: str, timeout_ms: int = 30_000) -> str:
        """Run a script; return its value as text."""
        result = await self.run(
            interaction.evaluate, self.tab(tab_id), expression=source, timeout=timeout_ms
        )
        value = result.value
        text = value if isinstance(value, str) else compact_json(value)
        if value is None and result.type == "undefined":
            text = result.type
        text = self.session.record.hidden(valid_unicode(text))
        if len(text) <= LONGEST_READING:
            return text
        return f"{text[:LONGEST_READING]}\n[Truncated: {len(text)} characters.]"

    # ------------------------------------------------------------------------ actions

    async def click(self, tab_id: str | None, target: Target, **how: Any) -> str:
        """Click an element or a point."""
        if isinstance(target, str):
            return await self.act_on(gestures.click, tab_id, target, **how)
        return await self.act(gestures.click_at, tab_id, x=target[0], y=target[1], **how)

    async def hover(self, tab_id: str | None, target: Target) -> str:
        """Move the mouse over an element or to a point."""
        if isinstance(target, str):
            return await self.act_on(gestures.hover, tab_id, target)
        return await self.act(gestures.hover, tab_id, x=target[0], y=target[1])

    async def drag(
        self, tab_id: str | None, points: Sequence[Point], modifiers: Sequence[str] = ()
    ) -> str:
        """Drag from the first point over the others to the last one."""
        (x, y), *way, (to_x, to_y) = points
        via = [{"x": x, "y": y} for x, y in way]
        ends = {"x": x, "y": y, "to_x": to_x, "to_y": to_y}
        return await self.act(
            gestures.drag, tab_id, **ends, via=via or None, modifiers=[*modifiers] or None
        )

    async def scroll(
        self, tab_id: str | None, direction: str, px: float | str, at: Point | None = None
    ) -> str:
        """Turn the wheel at a point, or scroll the page."""
        where = {"x": at[0], "y": at[1]} if at else {}
        return await self.act(gestures.scroll, tab_id, direction=direction, amount=px, **where)

    async def scroll_to(self, tab_id: str | None, ref: str) -> str:
        """Scroll an element to the middle of the viewport."""
        return await self.act_on(gestures.scroll, tab_id, ref, block="center")

    async def press(self, tab_id: str | None, names: Sequence[str], **how: Any) -> str:
        """Press keys one after the other."""
        return await self.act(keys.key, tab_id, keys=[*names], **how)

    async def type(self, tab_id: str | None, text: str) -> str:
        """Type a text at the focus."""
        return await self.act(keys.type_, tab_id, text=text)

    async def set_value(self, tab_id: str | None, ref: str, value: Any) -> str:
        """Set a field of any kind."""
        tab = self.tab(tab_id) or ""
        element_id = self.refs.resolve(tab, ref)
        element = self._elements(tab).get(element_id)
        if isinstance(value, str) and element is not None and element.type in _CHECKABLE:
            value = _CHECKED.get(value.strip().lower(), value)
        fields = [{"element_id": element_id, "value": value}]
        return await self.act(fill_form, tab_id, ref=ref, fields=fields)

    async def upload(self, tab_id: str | None, ref: str, paths: Sequence[str]) -> str:
        """Give files to a file input."""
        return await self.act_on(upload, tab_id, ref, paths=[*paths])

    async def upload_to(self, selector: str | None, paths: Sequence[str]) -> str:
        """Give files to the only file input of the active tab, or to one that a selector finds."""
        tab = self.tab(None)
        query = {"selector": selector} if selector else {"type": "file_input"}
        found = await self.run(find, tab, **query)
        if len(found) != 1:
            raise ToolsetError(f"The page has {len(found)} file inputs for this grant, not one.")
        return await self.act(upload, tab, element_id=found[0].id, paths=[*paths])

    async def wait_for(self, tab_id: str | None, text: str, timeout_ms: int) -> str:
        """Wait for a text; return what changed."""
        return await self.act(interaction.wait_for, tab_id, text=text, timeout=timeout_ms)

    async def wait(self, tab_id: str | None, seconds: float) -> str:
        """Wait; return what changed."""
        return await self.act(interaction.wait_for, tab_id, time=round(seconds * 1000))


_CHECKABLE = {"checkbox", "radio", "toggle"}
_CHECKED: Mapping[str, bool] = {
    **dict.fromkeys(("true", "on", "yes", "1", "checked"), True),
    **dict.fromkeys(("false", "off", "no", "0", "unchecked"), False),
}


def _write_request(request: Request) -> str:
    """Return a request as ``GET 404 http://… (fetch)``."""
    result = request.status or request.error or "pending"
    url = shown_url(write_address(request.url, limit=LONGEST))
    return f"{write_line(request.method)} {result} {url} ({request.resource_type})"


def _hide(event: TabEvent, hidden: Callable[[str], str]) -> TabEvent:
    """Return an event without secrets and credentials."""
    match event:
        case DialogAnswered(dialog=dialog):
            return attrs.evolve(event, dialog=attrs.evolve(dialog, message=hidden(dialog.message)))
        case DownloadChanged(url=url):
            return attrs.evolve(event, url=shown_url(hidden(url)))
        case _:
            return event


def _title(row: TabRow, hidden: Callable[[str], str]) -> str:
    state = "crashed" if row.crashed else "not responding" if row.hung else row.error_page
    title = hidden(row.title)
    return f"({state}) {title}".strip() if state else title


def check_scheme(url: str) -> None:
    """Raise `ToolsetError` unless a URL is one of the web; a URL without a scheme is one."""
    head, colon, rest = url.strip().partition(":")
    is_port = rest.partition("/")[0].isdigit()
    if colon and not is_port and head.lower() not in _SCHEMES and "/" not in head:
        raise ToolsetError(_BAD_SCHEME)


S = TypeVar("S", bound=AnySession)


class BrowserAccess(Generic[S]):
    """The way of a vendor's class to its browser; the session is prepared by the first call."""

    def __init__(
        self,
        session: S,
        wording: Wording,
        *,
        between: str,
        policy: UrlPolicy | None = None,
        roots: Sequence[Path] = (),
    ) -> None:
        self._session = session
        self._wording = wording
        self._between = between
        self._policy = policy
        self._roots = roots
        self._browser: ToolsetBrowser | None = None
        self._fresh: BrowserState | None = None

    async def do(self, function: Callable[[ToolsetBrowser], Awaitable[T]]) -> T:
        """Run a function with the browser in trio, and keep the state after it."""
        if self._browser is None and self._policy is not None:
            await self._session.use_url_policy(self._policy)
            self._policy = None

        async def work(session: Session) -> T:
            if self._browser is None:
                browser = ToolsetBrowser(session, self._wording, self._between)
                await browser.open(self._roots)
                self._browser = browser  # a call that is cancelled here prepares it again
            browser = self._browser
            try:
                return await function(browser)
            finally:
                self._keep(browser.collect_state())

        return await self._session.run_in_trio(work)

    def _keep(self, state: BrowserState) -> None:
        if self._fresh is not None:
            events = (*self._fresh.events, *state.events)
            state = BrowserState(state.tabs, events, self._fresh.lost + state.lost)
        self._fresh = state

    async def take_state(self) -> BrowserState:
        """Return the state after the last call once; without a call since, the present state."""
        if self._fresh is None:
            await self.do(_nothing)
        state, self._fresh = self._fresh, None
        return state or BrowserState()


async def _nothing(_: ToolsetBrowser) -> None:
    """Do nothing: the state is collected after each call."""
