"""Charlotte as the driver of OpenAI's browser tools (``openai.lib.browser``).

    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        driver = CharlotteBrowserDriver(session, url_policy=allow)
        toolset = AsyncBrowserToolset(driver, confirm=confirm, url_policy=...)

The session is one of `charlotte` (trio) or of `charlotte.aio` (asyncio). Needs the extra
``charlotte-mcp[openai]``.
"""

import ipaddress
import re
import shutil
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import attrs
import trio
from openai.lib import browser as sdk
from openai.types.responses.response_input_image_content_param import (
    ResponseInputImageContentParam,
)

from charlotte.actors.state.events import (
    DialogAnswered,
    DownloadChanged,
    Navigated,
    NavigationRefused,
    TabClosed,
    TabEvent,
    TabOpened,
)
from charlotte.browser.input import modifier_named
from charlotte.errors import SessionProblem, valid_unicode
from charlotte.page.model import Element, PageView
from charlotte.tools.answer import TabRow
from charlotte.toolsets.browser import (
    NOTCH,
    AnySession,
    BrowserAccess,
    BrowserState,
    ToolsetBrowser,
)
from charlotte.toolsets.keys import chord_name, key_name
from charlotte.toolsets.lines import role_of
from charlotte.toolsets.refs import TabMissing, ToolsetError
from charlotte.toolsets.wording import Wording

T = TypeVar("T")

Allow = Callable[[str], Coroutine[Any, Any, bool]]
"""Returns whether a document may be loaded from a URL."""

_WORDING = Wording(
    {
        "observe": "read_page",
        "read_page": "read_page",
        "find": "find",
        "screenshot": "screenshot",
        "click": "click",
        "click_at": "click_at",
        "type": "type",
        "select": "select_option",
        "toggle": "set_checked",
        "fill_form": "type",
        "upload": "upload_file",
        "scroll": "scroll",
        "hover": "hover",
        "drag": "drag_path",
        "key": "key",
        "wait_for": "wait_for",
        "evaluate": "run_script",
        "navigate": "navigate",
        "tabs": "list_tabs",
        "tab_open": "new_tab",
        "tab_switch": "switch_tab",
        "tab_close": "close_tab",
    }
)
_MOST_CHANGES = 50
"""Changes in the log; the model pays for each in every state."""

_MOST_NOTCHES = 20
"""Larger amounts of scrolling are px."""

_LONGEST_TEXT, _LONGEST_VALUE = 256, 512
_MOST_ELEMENTS, _MOST_OPTIONS = 200, 50
_MODIFIERS = {"Control": "ctrl", "Alt": "alt", "Meta": "meta", "Shift": "shift"}
_CLICKS = {1: "left", 2: "double", 3: "triple"}
_PLAIN_CHANGES: Mapping[type[TabEvent], str] = {
    TabOpened: "tab_opened",
    TabClosed: "tab_closed",
    Navigated: "navigation",
}
_DIALOGS = {"alert", "confirm", "prompt", "beforeunload"}
_DOWNLOADS = {"in_progress": "started", "completed": "completed", "canceled": "failed"}
_READ_ROLES: Mapping[str, str] = {
    **{role: role for role in ("button", "textbox", "combobox", "checkbox", "radio", "slider")},
    "listbox": "listbox",
    "searchbox": "textbox",
    "spinbutton": "textbox",
    "switch": "checkbox",
    "link": "button",
    "tab": "button",
    "menuitem": "button",
    "clickable": "button",
}
"""Roles of reports by the roles of elements."""

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_REFUSED = "The URL policy refuses this address."
_NO_FILE = "The grant does not exist, or was used."


@attrs.frozen
class UploadGrant:
    """Files that the model may give to a file input, by the id of the grant.

    ``selector`` is a CSS selector of the input; by default, the page must have exactly one.
    """

    paths: Sequence[Path]
    selector: str | None = None


@attrs.frozen
class DownloadGrant:
    """Path to which the model may copy the file that the session downloaded last."""

    path: Path


class CharlotteBrowserDriver:
    """A driver with all members, which return what they changed on the page.

    ``url_policy`` is asked about every document, also those of redirects, links, popups and frames;
    it must be given before the session has a tab. ``grants`` are single-use, by id; files in
    ``upload_roots`` may be read.
    """

    def __init__(
        self,
        session: AnySession,
        *,
        url_policy: Allow | None = None,
        grants: Mapping[str, UploadGrant | DownloadGrant] | None = None,
        upload_roots: Sequence[Path] = (),
    ) -> None:
        self._charlotte = BrowserAccess(
            session,
            _WORDING,
            between="\n",
            policy=None if url_policy is None else _in_browser(url_policy),
            roots=upload_roots,
        )
        self._log = _ChangeLog()
        self._grants = dict(grants or {})
        self._downloaded: Path | None = None

    async def state(self) -> sdk.BrowserState:
        """Return the tabs, and the log of changes; both are the same until something happens."""
        state = await self._charlotte.take_state()
        self.note(state)
        active = next((row.id for row in state.tabs if row.active), None)
        self._log.note_active(active)
        tabs: list[sdk.BrowserTab] = [_tab(row) for row in state.tabs]
        return {"tabs": tabs, "observation": self._log.observation()}

    def note(self, state: BrowserState) -> None:
        """Add the events of a state to the log of changes."""
        self._log.drop(state.lost)
        for event in state.events:
            if isinstance(event, DownloadChanged) and event.path is not None:
                self._downloaded = event.path
            if (change := _change(event)) is not None:
                self._log.add(change)

    async def _do(self, function: Callable[[ToolsetBrowser], Awaitable[T]]) -> T:
        try:
            return await self._charlotte.do(function)
        except TabMissing:
            raise sdk.BrowserError("That tab is not open. Use list_tabs to see the tabs.") from None
        except ToolsetError as error:
            raise sdk.BrowserError(valid_unicode(str(error))) from None
        except SessionProblem as error:
            raise RuntimeError(f"{error.message} {error.suggestion or ''}".strip()) from error

    # ------------------------------------------------------------------------ navigation and tabs

    async def navigate(self, action: sdk.NavigateInput) -> str:
        """Load a URL; return the page."""

        async def work(browser: ToolsetBrowser) -> str:
            return browser.answer(await browser.navigate(action["tab_id"], action["url"]))

        return await self._do(work)

    async def new_tab(self, action: sdk.NewTabInput) -> str:
        """Open a tab; return its page."""

        async def work(browser: ToolsetBrowser) -> str:
            return browser.answer(await browser.open_tab(action["url"]))

        return await self._do(work)

    async def switch_tab(self, action: sdk.TabInput) -> None:
        """Make a tab the active one."""
        await self._do(lambda browser: browser.switch_tab(action["tab_id"] or ""))

    async def close_tab(self, action: sdk.TabInput) -> None:
        """Close a tab."""
        await self._do(lambda browser: browser.close_tab(action["tab_id"] or ""))

    # ------------------------------------------------------------------------ readings

    async def read_page(self, action: sdk.ReadPageInput) -> str:
        """Return the page, or its controls, with refs."""
        interactive = action["filter"] == "interactive"
        return await self._do(
            lambda browser: browser.read_page(action["tab_id"], interactive=interactive)
        )

    async def get_page_text(self, action: sdk.TabInput) -> str:
        """Return the text of the page."""
        return await self._do(lambda browser: browser.read_text(action["tab_id"]))

    async def find(self, action: sdk.FindInput) -> str:
        """Return what fits a description."""
        return await self._do(lambda browser: browser.find(action["tab_id"], action["query"]))

    async def read_page_scoped(self, action: sdk.ReadPageScopedInput) -> sdk.BrowserScopedReadV1:
        """Return a part of the page, its controls, and the parts in it as scopes."""
        root, interactive = action["root"], action["filter"] == "interactive"

        async def work(browser: ToolsetBrowser) -> sdk.BrowserScopedReadV1:
            tab_id = action["tab_id"]
            text = await browser.read_page(
                tab_id, interactive=interactive, depth=action["depth"], ref=root
            )
            page, view = await browser.read_view(tab_id, ref=root)
            name = browser.namer(page.tab_id)
            return _build_report(view, valid_unicode(text), name, browser.session.record.hidden)

        return await self._do(work)

    async def read_diagnostics(self, action: sdk.ReadDiagnosticsInput) -> sdk.BrowserReadV1:
        """Return the last messages of the console, or the last requests, since the last reading."""
        tab_id, limit = action["tab_id"], action["limit"]
        read = (
            ToolsetBrowser.read_console
            if action["source"] == "console"
            else ToolsetBrowser.read_network
        )
        text = await self._do(lambda browser: read(browser, tab_id, limit))
        return {"version": 1, "text": valid_unicode(text), "elements": [], "omitted": []}

    async def screenshot(self, action: sdk.TabInput) -> ResponseInputImageContentParam:
        """Return an image of the viewport."""
        return _image(await self._do(lambda browser: browser.screenshot(action["tab_id"])))

    async def zoom(self, action: sdk.ZoomInput) -> ResponseInputImageContentParam:
        """Return an enlarged image of a region of the viewport."""
        region = action["region"]
        return _image(await self._do(lambda browser: browser.screenshot(action["tab_id"], region)))

    async def wait_for(self, action: sdk.WaitForInput) -> str:
        """Wait for a text; return what changed."""
        return await self._do(
            lambda browser: browser.wait_for(action["tab_id"], action["text"], action["timeout_ms"])
        )

    async def run_script(self, action: sdk.RunScriptInput) -> str:
        """Run a script; return its value as text."""
        return await self._do(
            lambda browser: browser.evaluate(
                action["tab_id"], action["source"], action["timeout_ms"]
            )
        )

    # ------------------------------------------------------------------------ actions

    async def click(self, action: sdk.ClickInput) -> str:
        """Click an element."""
        return await self._do(lambda browser: browser.click(action["tab_id"], action["target"]))

    async def click_at(self, action: sdk.ClickAtInput) -> str:
        """Click a point."""
        button, count = action["button"], action["click_count"]
        if button != "left" and count > 1:
            raise sdk.BrowserError("click_count above 1 is only for the left button.")
        kind = _CLICKS[count] if button == "left" else button
        modifiers = [_MODIFIERS[key] for key in action["keys"]]
        at = action["x"], action["y"]
        return await self._do(
            lambda browser: browser.click(
                action["tab_id"], at, click_type=kind, modifiers=modifiers
            )
        )

    async def hover(self, action: sdk.ClickInput) -> str:
        """Move the mouse over an element."""
        return await self._do(lambda browser: browser.hover(action["tab_id"], action["target"]))

    async def hover_at(self, action: sdk.HoverAtInput) -> str:
        """Move the mouse to a point."""
        at = action["x"], action["y"]
        return await self._do(lambda browser: browser.hover(action["tab_id"], at))

    async def drag_path(self, action: sdk.DragPathInput) -> str:
        """Drag over points."""
        points = [(point["x"], point["y"]) for point in action["path"]]
        modifiers = [_MODIFIERS[key] for key in action["keys"]]
        return await self._do(lambda browser: browser.drag(action["tab_id"], points, modifiers))

    async def scroll(self, action: sdk.ScrollInput) -> str:
        """Scroll the page by notches of the wheel; 0 is a window, and more than 20 are px."""
        amount = action["amount"]
        px = amount if amount > _MOST_NOTCHES else amount * NOTCH
        return await self._do(
            lambda browser: browser.scroll(action["tab_id"], action["direction"], px or "page")
        )

    async def scroll_to(self, action: sdk.ClickInput) -> str:
        """Scroll an element into view."""
        return await self._do(lambda browser: browser.scroll_to(action["tab_id"], action["target"]))

    async def type(self, action: sdk.TypeInput) -> str:
        """Fill a field, or type at the focus."""
        target, text = action["target"], action["text"]
        if target is None:
            return await self._do(lambda browser: browser.type(action["tab_id"], text))
        return await self._do(lambda browser: browser.set_value(action["tab_id"], target, text))

    async def select_option(self, action: sdk.SelectOptionInput) -> str:
        """Choose options of a list."""
        values = action["values"]
        value = values[0] if len(values) == 1 else values
        return await self._do(
            lambda browser: browser.set_value(action["tab_id"], action["target"], value)
        )

    async def set_checked(self, action: sdk.SetCheckedInput) -> str:
        """Check or uncheck a checkbox."""
        return await self._do(
            lambda browser: browser.set_value(action["tab_id"], action["target"], action["checked"])
        )

    async def key(self, action: sdk.KeyInput) -> str:
        """Press a key while the modifiers before it are held; several keys one after the other."""
        names = _chords(action["keys"])
        return await self._do(lambda browser: browser.press(action["tab_id"], names))

    async def hold_keys(self, action: sdk.HoldKeysInput) -> str:
        """Hold keys down at the same time."""
        names = [chord_name(key) for key in action["keys"]]
        return await self._do(
            lambda browser: browser.press(
                action["tab_id"], names, together=True, hold=action["duration_ms"]
            )
        )

    # ------------------------------------------------------------------------ files

    async def upload_file(self, action: sdk.BrowserFileInput) -> sdk.BrowserFileOutcome:
        """Give the files of a grant to a file input of the active tab."""
        grant = self._grants.get(action["grant_id"])
        if not isinstance(grant, UploadGrant):
            raise sdk.BrowserError(_NO_FILE)
        paths = [str(path) for path in grant.paths]
        await self._do(lambda browser: browser.upload_to(grant.selector, paths))
        del self._grants[action["grant_id"]]
        return _COMPLETED

    async def download_file(self, action: sdk.BrowserFileInput) -> sdk.BrowserFileOutcome:
        """Copy the file that was downloaded last to the path of a grant."""
        grant = self._grants.get(action["grant_id"])
        if not isinstance(grant, DownloadGrant):
            raise sdk.BrowserError(_NO_FILE)
        if self._downloaded is None or grant.path.exists():
            return {"version": 1, "status": "refused", "effect": "none", "cleanup": "not_started"}
        source, target = self._downloaded, grant.path

        async def copy(_: ToolsetBrowser) -> None:
            await trio.to_thread.run_sync(shutil.copyfile, source, target)

        await self._do(copy)
        del self._grants[action["grant_id"]]
        return _COMPLETED


_COMPLETED: sdk.BrowserFileOutcome = {
    "version": 1,
    "status": "completed",
    "effect": "completed",
    "cleanup": "completed",
}


class _ChangeLog:
    """The numbered changes; earlier ones never change, and the oldest are dropped."""

    def __init__(self) -> None:
        self._changes = deque[sdk.BrowserStateChange](maxlen=_MOST_CHANGES)
        self._sequence = 0
        self._active: str | None = None

    def add(self, change: Mapping[str, Any]) -> None:
        """Append a change with the next number."""
        self._sequence += 1
        numbered = {**change, "sequence": self._sequence}
        self._changes.append(cast("sdk.BrowserStateChange", numbered))

    def drop(self, count: int) -> None:
        """Count changes that were lost: those before them cannot be listed any more."""
        if count:
            self._sequence += count
            self._changes.clear()

    def note_active(self, tab_id: str | None) -> None:
        """Append a change if another tab has become active."""
        if tab_id is not None and self._active not in {None, tab_id}:
            self.add({"type": "tab_switched", "tab_id": tab_id})
        self._active = tab_id

    def observation(self) -> sdk.BrowserObservationV1:
        """Return the log."""
        return {
            "version": 1,
            "sequence": self._sequence,
            "dropped_changes": self._sequence - len(self._changes),
            "title_truncated": False,
            "changes": [*self._changes],
        }


def _change(event: TabEvent) -> dict[str, Any] | None:
    """Return the change that an event is for the vendor; None for other events."""
    if (kind := _PLAIN_CHANGES.get(type(event))) is not None:
        return {"type": kind, "tab_id": event.tab_id}
    match event:
        case NavigationRefused():
            facts = {"type": "navigation_refused", "reason": "policy"}
        case DialogAnswered(dialog=dialog):
            known = dialog.type if dialog.type in _DIALOGS else "other"
            facts = {"type": "dialog_dismissed", "kind": known}
        case DownloadChanged(state=state):
            facts = {"type": "download", "status": _DOWNLOADS[state]}
        case _:
            return None
    return {**facts, "tab_id": event.tab_id}


def _tab(row: TabRow) -> sdk.BrowserTab:
    return {
        "id": row.id,
        "title": valid_unicode(row.title),
        "url": _accepted_url(row.url),
        "active": row.active,
    }


def _accepted_url(url: str) -> str:
    """Return the origin of a URL, about:blank for one that the SDK would not accept."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:  # the port
        return "about:blank"
    is_accepted = parts.scheme in {"http", "https"} and _is_accepted_host(host)
    return f"{parts.scheme}://{parts.netloc}/" if is_accepted else "about:blank"


def _is_accepted_host(host: str) -> bool:
    if ":" in host:
        return _is_address(host)
    labels = host.removesuffix(".").split(".")
    is_number = bool(re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]))
    return _is_address(host) if is_number else all(map(_LABEL.fullmatch, labels))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _chords(names: Collection[str]) -> list[str]:
    """Return the keys to press, each with the modifiers before it."""
    held: list[str] = []
    chords: list[str] = []
    for name in map(key_name, names):
        if modifier_named(name) is not None:
            held.append(name)
        else:
            chords.append("+".join([*held, chord_name(name)]))
    if chords or held:
        return chords or held[-1:]
    raise sdk.BrowserError("keys must name a key.")


def _image(data: str) -> ResponseInputImageContentParam:
    return {
        "type": "input_image",
        "image_url": f"data:image/png;base64,{data}",
        "detail": "original",
    }


def _build_report(
    view: PageView, text: str, name: Callable[[str], str], hidden: Callable[[str], str]
) -> sdk.BrowserScopedReadV1:
    """Return the controls and scopes of a view as the SDK wants them, beside the text."""
    elements = [
        described
        for element in view.interactive
        if (described := _describe(element, name, hidden)) is not None
    ]
    labels = [(landmark.id, landmark.label) for landmark in view.landmarks]
    labels += [(heading.id, heading.text) for heading in view.headings]
    scopes: list[sdk.BrowserReadScope] = [
        {"ref": name(scope_id), "label": _clip(hidden(label), _LONGEST_TEXT) or "part"}
        for scope_id, label in labels
    ]
    report = {
        "version": 1,
        "text": text,
        "elements": elements[:_MOST_ELEMENTS],
        "omitted": ["target_limit"] if len(elements) > _MOST_ELEMENTS else [],
        "scopes": scopes[:_MOST_ELEMENTS],
    }
    return cast("sdk.BrowserScopedReadV1", report)


def _describe(
    element: Element, name: Callable[[str], str], hidden: Callable[[str], str]
) -> dict[str, Any] | None:
    """Return the report of an element; None for an element of another kind."""
    role = _READ_ROLES.get(role_of(element))
    label = _clip(hidden(element.label or element.near or element.placeholder or ""), _LONGEST_TEXT)
    if role is None:
        return None
    described: dict[str, Any] = {"ref": name(element.id), "role": role, "label": label or role}
    if element.value is not None:
        described["value"] = _clip(hidden(element.value), _LONGEST_VALUE)
    if role in {"checkbox", "radio"} and isinstance(checked := element.state.get("checked"), bool):
        described["checked"] = checked
    if element.options and role in {"combobox", "listbox"}:
        options = [_clip(hidden(option), _LONGEST_TEXT) for option in element.options if option]
        described["options"] = [
            {"label": option, "value": option} for option in options[:_MOST_OPTIONS]
        ]
    return described


def _clip(text: str, limit: int) -> str:
    """Return the beginning of a text, with at most ``limit`` bytes."""
    return valid_unicode(text).encode()[:limit].decode(errors="ignore")


def _in_browser(allow: Allow) -> Callable[[str], Coroutine[Any, Any, str | None]]:
    """Return a policy of a program as one for each document: the reason for a refusal, or None."""

    async def check(url: str) -> str | None:
        return None if await allow(url) is True else _REFUSED

    return check
