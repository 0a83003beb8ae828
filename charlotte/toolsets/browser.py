"""The work of vendors' browser tools on a session: actions, readings, state of the browser."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import attrs

from charlotte.actors.kernel.mailbox import EventStream
from charlotte.actors.state import events
from charlotte.actors.state.events import TabEvent
from charlotte.actors.state.session_settings import UrlPolicy
from charlotte.aio import AsyncioSession
from charlotte.answers.answer import Page, Request, TabRow
from charlotte.answers.text.lines import Line
from charlotte.answers.text.outline import build_outline, redact_outline
from charlotte.api.session import Session
from charlotte.base.errors import (
    LONGEST,
    CharlotteError,
    ElementChanged,
    ElementNotFound,
    TabNotFound,
    ellipsize,
    valid_unicode,
)
from charlotte.browser.input.input import modifier_named
from charlotte.page.model import Element, PageView, compact_json
from charlotte.page.tokens import write_address, write_line
from charlotte.tools import filling, gestures, interaction, keys, monitoring, screenshots, tabs
from charlotte.tools.observe import observe
from charlotte.tools.schema.tool import Tool
from charlotte.tools.session import configure
from charlotte.toolsets.text import (
    RefTable,
    StaleRef,
    TabMissing,
    ToolsetError,
    answer_lines,
    cut_lines,
    describe,
    find_parts,
    rewrite,
    write_outline,
    write_piece,
)

T = TypeVar("T")
R = TypeVar("R")

AnySession = Session | AsyncioSession
Point = tuple[int, int]
Target = str | Point
"""A ref, or a point of the viewport."""

_LONGEST_READING, _LONGEST_ANSWER, _MOST_EVENTS = 50_000, 4_096, 2_000
_LONGEST_WAIT = 30
_ENLARGED = 2
_LONGEST_EDGE = 2000
"""Px of an image that models accept, also beside many other images."""

_FOLLOWED = (
    events.TabOpened, events.NavigationRefused, events.DialogAnswered, events.DownloadChanged,
)  # fmt: skip
_COMMENT = re.compile(r"^<!-- (?:source|xpath|end): .* -->\n*", re.MULTILINE)
_CHECKABLE = {"checkbox", "radio", "toggle"}
_CHECKED: Mapping[str, bool] = {
    **dict.fromkeys(("true", "on", "yes", "1", "checked"), True),
    **dict.fromkeys(("false", "off", "no", "0", "unchecked"), False),
}
_ACTIONS: Mapping[str, Tool[..., Page]] = {
    "hover": gestures.hover,
    "scroll": gestures.scroll,
    "type": keys.type_,
    "upload": filling.upload,
    "wait_for": interaction.wait_for,
}
"""Tools with the arguments of the vendors' members, apart from the target."""


@attrs.frozen
class BrowserState:
    """The tabs, and the events since the state before."""

    tabs: tuple[TabRow, ...] = ()
    events: tuple[TabEvent, ...] = ()


class ToolsetBrowser:
    """A session as a vendor's tool sees it.

    `do` and `take_state` run in any event loop. The others are called by `do` in trio; they
    raise `ToolsetError`, and those that act return what they changed. ``between`` is the text
    between the lines of an answer. Files in ``roots`` may be uploaded.
    """

    session: Session
    _events: EventStream[TabEvent]

    def __init__(
        self,
        session: AnySession,
        between: str,
        policy: UrlPolicy | None = None,
        roots: Sequence[Path] = (),
    ) -> None:
        self._outer = session
        self._between = between
        self._policy = policy
        self._roots = roots
        self._is_ready = False
        self._refs = RefTable()
        self._views: dict[str, PageView] = {}
        self._fresh: BrowserState | None = None

    async def do(self, method: str, **given: Any) -> Any:
        """Call a method, and keep the state after it: the threads of asyncio are crossed once."""
        if self._policy is not None:
            await self._outer.use_url_policy(self._policy)
            self._policy = None

        async def work(session: Session) -> Any:
            if not self._is_ready:
                self.session = session
                self._events = session.events(*_FOLLOWED, capacity=_MOST_EVENTS)
                if self._roots:
                    session.use_roots(self._roots)
                await session.run_tool(configure, {"dialog_auto_dismiss": "dismiss_and_leave"})
                self._is_ready = True  # a call that is cancelled before prepares it again
            try:
                call = getattr(self, method, None) or partial(self.act, _ACTIONS[method])
                return await call(**given)
            finally:
                earlier = self._fresh.events if self._fresh else ()
                news = map(self._without_secrets, self._events.drain())
                self._fresh = BrowserState(self._rows(), (*earlier, *news))

        return await self._outer.run_in_trio(work)

    async def take_state(self) -> BrowserState:
        """Return the state after the last call once; without a call since, the present state."""
        if self._fresh is None:
            await self.do("list_tabs")
        state, self._fresh = self._fresh, None
        return state or BrowserState()

    def _rows(self) -> tuple[TabRow, ...]:
        rows: list[TabRow] = []
        for row in self.session.rows():
            state = "crashed" if row.crashed else "not responding" if row.hung else row.error_page
            title = f"({state}) {row.title}".strip() if state else row.title
            rows.append(attrs.evolve(row, url=self._shown_url(row.url), title=self.hidden(title)))
        return tuple(rows)

    def _without_secrets(self, event: TabEvent) -> TabEvent:
        if isinstance(event, events.DialogAnswered):
            message = self.hidden(event.dialog.message)
            return attrs.evolve(event, dialog=attrs.evolve(event.dialog, message=message))
        if isinstance(event, events.DownloadChanged):
            return attrs.evolve(event, url=self._shown_url(event.url))
        return event

    def hidden(self, text: str) -> str:
        """Return a text without the secrets of the configuration."""
        return self.session.record.hidden(text)

    def _shown_url(self, url: str) -> str:
        """Return a URL without secrets, user name and password."""
        try:
            parts = urlsplit(self.hidden(url))
        except ValueError:
            return "about:blank"
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    # ------------------------------------------------------------------------ calls

    def tab(self, tab_id: str | None) -> str:
        """Return the id of a tab, by default of the active one; "" if no tab is open."""
        rows = self.session.rows()
        if tab_id and all(row.id != tab_id for row in rows):
            raise TabMissing
        return tab_id or next((row.id for row in rows if row.active), "")

    async def run(
        self, tool: Tool[..., R], tab_id: str = "", *, ref: str | None = None, **arguments: Any
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
            raise ToolsetError(describe(error, self.rewriter(tab_id))) from None
        if isinstance(value, Page) and value.view is not None:
            self._refs.enter(value.tab_id, value.view.document)
            self._views[value.tab_id] = value.view
        return value

    def name(self, tab_id: str, element_id: str) -> str:
        """Return the ref of an element of a tab."""
        return self._refs.name(tab_id, element_id)

    def rewriter(self, tab_id: str) -> Callable[[str], str]:
        """Return the function that puts refs in place of ids, and hides secrets."""
        elements, name = self._elements(tab_id), partial(self.name, tab_id)
        return lambda text: rewrite(self.hidden(text), name, elements)

    def _elements(self, tab_id: str) -> Mapping[str, Element]:
        """Return the elements of the last known view of a tab by their ids."""
        view = self._views.get(tab_id)
        return {element.id: element for element in view.interactive} if view else {}

    def answer(self, page: Page) -> str:
        """Return what an action changed, in the words of the vendor's tool."""
        lines = answer_lines(self.rewriter(page.tab_id)(page.answer_text))
        if page.delta is None and page.status not in {None, 200}:
            lines.insert(0, f"HTTP {page.status}")
        more = "… {} more lines were left out: read_page returns the page."
        return cut_lines(lines, _LONGEST_ANSWER, self._between, more)

    async def act(
        self,
        tool: Tool[..., Page],
        tab_id: str | None = None,
        target: Target | None = None,
        **arguments: Any,
    ) -> str:
        """Run a tool that acts on a tab, an element or a point; return the changes."""
        tab = self.tab(tab_id)
        if isinstance(target, str):
            arguments |= {"ref": target, "element_id": self._refs.resolve(tab, target)}
        elif target is not None:
            arguments |= {"x": target[0], "y": target[1]}
        return self.answer(await self.run(tool, tab, **arguments))

    # ------------------------------------------------------------------------ navigation and tabs

    async def navigate(self, url: str, tab_id: str | None = None) -> Page:
        """Load a URL, or go ``back`` or ``forward``, or ``reload``."""
        tab, text = self.tab(tab_id), url.strip()
        moves: Mapping[str, Tool[..., Page]] = {
            "back": tabs.back,
            "forward": tabs.forward,
            "reload": tabs.reload,
        }
        if (move := moves.get(text.lower())) is not None:
            return await self._visit(move, tab)
        check_scheme(text)
        return await self._visit(tabs.navigate, tab, url=text)

    async def _visit(self, tool: Tool[..., Page], tab_id: str = "", **arguments: Any) -> Page:
        """Run a tool; return its page without secrets and credentials in URL and title."""
        page = await self.run(tool, tab_id, **arguments)
        return attrs.evolve(page, url=self._shown_url(page.url), title=self.hidden(page.title))

    async def new_tab(self, url: str | None = None) -> Page:
        """Open a tab, which becomes the active one."""
        check_scheme(url or "")
        return await self._visit(tabs.tab_open, url=url)

    async def list_tabs(self) -> tuple[TabRow, ...]:
        """Return the open tabs, without secrets and credentials."""
        return self._rows()

    async def switch_tab(self, tab_id: str) -> Page:
        """Make a tab the active one."""
        return await self._visit(tabs.tab_switch, self.tab(tab_id), detail="minimal")

    async def close_tab(self, tab_id: str) -> None:
        """Close a tab."""
        await self.run(tabs.tab_close, self.tab(tab_id))

    # ------------------------------------------------------------------------ readings

    async def view(
        self, tab_id: str | None, ref: str | None = None, *, in_view: bool = False
    ) -> tuple[str, PageView, Sequence[Line]]:
        """Return a page or a part of it with the id of its tab, and its lines without secrets."""
        tab = self.tab(tab_id)
        part = self._refs.resolve(tab, ref) if ref else None
        page = await self.run(
            observe, tab, detail="minimal", in_view=in_view or None, selector=part
        )
        if page.view is None:
            raise ToolsetError("A dialog of the page blocks it. Try again.")
        lines = redact_outline(build_outline(page.view, with_refs=True), self.hidden).lines
        return page.tab_id, page.view, lines

    async def read_page(
        self,
        tab_id: str | None = None,
        filter: str | None = None,  # noqa: A002 - the vendors' name
        depth: int | None = None,
        ref: str | None = None,
        *,
        in_view: bool = False,
    ) -> str:
        """Return the page in lines; with the filter ``interactive``, its controls."""
        if depth is not None and depth < 1:
            raise ToolsetError("depth must be at least 1.")
        tab, _, lines = await self.view(tab_id, ref, in_view=in_view)
        name = partial(self.name, tab)
        controls = {control.id: control for line in lines for control in line.controls()}
        texts = (
            (write_piece(control, name) for control in controls.values())
            if filter == "interactive"
            else write_outline(lines, name, depth)
        )
        advice = " Narrow with a ref or a smaller depth, or use find."
        return _cut(texts, advice)

    async def get_page_text(self, tab_id: str | None = None) -> str:
        """Return the text of a page, main content first."""
        page = await self.run(
            observe, self.tab(tab_id), mode="content", format="markdown", max_length=50_000
        )
        text = _COMMENT.sub("", self.hidden(page.answer_text)).strip()
        return _cut(text.split("\n"), " Read parts with read_page and ref, or find.")

    async def find(self, query: str, tab_id: str | None = None) -> str:
        """Return lines about the elements and texts that fit a description."""
        tab, _, lines = await self.view(tab_id)
        return "\n".join(find_parts(lines, query, partial(self.name, tab))) or (
            "No element matches. Use other words, or read_page for the whole page."
        )

    async def read_console(self, tab_id: str | None = None, limit: int = 500) -> str:
        """Return the console messages since the last such reading, a line each."""
        found = await self.run(monitoring.console, self.tab(tab_id), clear=True, limit=limit)
        return _cut(map(monitoring.write_message, found))

    async def read_network(self, tab_id: str | None = None, limit: int = 500) -> str:
        """Return the requests since the last such reading, such as ``GET 404 http://… (fetch)``."""

        def write(request: Request) -> str:
            result = request.status or request.error or "pending"
            url = self._shown_url(write_address(request.url, limit=LONGEST))
            return f"{write_line(request.method)} {result} {url} ({request.resource_type})"

        found = await self.run(monitoring.requests, self.tab(tab_id), clear=True, limit=limit)
        return _cut(map(write, found))

    async def screenshot(self, tab_id: str | None = None, **part: Any) -> str:
        """Return a PNG image of the viewport in base64."""
        image = await self.run(screenshots.screenshot, self.tab(tab_id), **part)
        return base64.b64encode(image.data).decode()

    async def zoom(self, region: Sequence[int], tab_id: str | None = None) -> str:
        """Return an enlarged image of a region of the viewport."""
        match region:
            case [left, top, right, bottom] if left < right and top < bottom:
                size = {"width": right - left, "height": bottom - top}
                zoom = min(_ENLARGED, _LONGEST_EDGE / max(size.values()))
                return await self.screenshot(
                    tab_id, region={"x": left, "y": top, **size}, zoom=zoom
                )
            case _:
                raise ToolsetError("region must be [x0, y0, x1, y1] with x0 < x1 and y0 < y1.")

    async def evaluate(self, text: str, tab_id: str | None = None, timeout: int = 30_000) -> str:  # noqa: ASYNC109 - of the page
        """Run a script; return its value as text."""
        result = await self.run(
            interaction.evaluate, self.tab(tab_id), expression=text, timeout=timeout
        )
        value = "undefined" if result.type == "undefined" else result.value
        text = valid_unicode(value if isinstance(value, str) else compact_json(value))
        return _cut(self.hidden(text).split("\n"))

    # ------------------------------------------------------------------------ actions

    async def click(
        self, target: Target, tab_id: str | None = None, modifiers: str = "", **how: Any
    ) -> str:
        """Click an element or a point, with modifiers such as ``ctrl+shift``."""
        tool = gestures.click if isinstance(target, str) else gestures.click_at
        return await self.act(tool, tab_id, target, modifiers=_modifiers(modifiers), **how)

    async def drag(
        self, points: Sequence[Point], tab_id: str | None = None, modifiers: str = ""
    ) -> str:
        """Drag from the first point over the others to the last one."""
        first, *way, (to_x, to_y) = points
        via = [{"x": x, "y": y} for x, y in way] or None
        held = _modifiers(modifiers)
        return await self.act(
            gestures.drag, tab_id, first, to_x=to_x, to_y=to_y, via=via, modifiers=held
        )

    async def press(self, names: Sequence[str], tab_id: str | None = None, **how: Any) -> str:
        """Press keys one after the other."""
        if not names:
            raise ToolsetError("Name a key, such as Enter or ctrl+a.")
        return await self.act(keys.key, tab_id, keys=[*map(key_name, names)], **how)

    async def set_value(self, target: str, value: Any, tab_id: str | None = None) -> str:
        """Set a field of any kind."""
        tab = self.tab(tab_id)
        element_id = self._refs.resolve(tab, target)
        element = self._elements(tab).get(element_id)
        if isinstance(value, str) and element is not None and element.type in _CHECKABLE:
            value = _CHECKED.get(value.strip().lower(), value)
        fields = [{"element_id": element_id, "value": value}]
        return self.answer(await self.run(filling.fill_form, tab, ref=target, fields=fields))

    async def wait(self, duration: float, tab_id: str | None = None) -> str:
        """Wait for some seconds; return what changed."""
        return await self.act(interaction.wait_for, tab_id, time=to_ms(duration))


def _cut(lines: Iterable[str], advice: str = "") -> str:
    return cut_lines(lines, _LONGEST_READING, "\n", f"[Truncated: {{}} more lines.{advice}]")


def check_scheme(url: str) -> None:
    """Raise `ToolsetError` unless a URL is one of the web; a URL without a scheme is one."""
    head, colon, rest = url.strip().partition(":")
    is_port = rest.partition("/")[0].isdigit()
    if colon and not is_port and head.lower() not in {"http", "https"} and "/" not in head:
        raise ToolsetError("Navigation refused. Only http and https URLs are allowed.")


def to_ms(duration: float) -> int:
    """Return seconds, of which a call may take 30, in milliseconds."""
    if not 0 <= duration <= _LONGEST_WAIT:
        raise ToolsetError(f"duration must be between 0 and {_LONGEST_WAIT} seconds.")
    return round(duration * 1000)


def key_name(text: str) -> str:
    """Return Charlotte's name of a key or chord with X11 names, such as ``ctrl+Page_Down``."""
    parts = [part or "+" for part in re.split(r"\+(?!$)", text)] if len(text) > 1 else [text]
    return "+".join(re.sub(r"^KP_|_[LR]$|(?<=\w)_", "", part) for part in parts)


def _modifiers(text: str) -> list[str] | None:
    """Return the modifiers of a chord such as ``ctrl+shift``."""
    names = [part.strip() for part in text.split("+") if part.strip()]
    if unknown := next((name for name in names if modifier_named(name) is None), None):
        raise ToolsetError(
            f"{ellipsize(unknown, 40)} is not a modifier key: use ctrl, shift, alt or meta."
        )
    return [str(modifier_named(name)) for name in names] or None
