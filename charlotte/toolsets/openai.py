"""Charlotte as the driver of OpenAI's browser tools (``openai.lib.browser``).

    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        driver = CharlotteBrowserDriver(session, url_policy=allow)
        toolset = AsyncBrowserToolset(driver, confirm=confirm, url_policy=...)

The session is one of `charlotte` (trio) or of `charlotte.aio` (asyncio). Needs the extra
``charlotte-mcp[openai]``.
"""

import re
import shutil
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
import trio
from openai.lib import browser as sdk

from charlotte.actors.state.events import DownloadChanged
from charlotte.answers.answer import Page, TabRow
from charlotte.base.errors import SessionProblem, valid_unicode
from charlotte.browser.input.input import modifier_named
from charlotte.tools.filling import upload
from charlotte.tools.find import find
from charlotte.tools.keys import type_
from charlotte.toolsets.browser import AnySession, Point, ToolsetBrowser
from charlotte.toolsets.text import TabMissing, ToolsetError, role_of

Allow = Callable[[str], Coroutine[Any, Any, bool]]
"""Returns whether a document may be loaded from a URL."""

Member = Callable[["CharlotteBrowserDriver", Any], Coroutine[Any, Any, Any]]
"""A method of the driver, with the input of a member."""

_MOST_NOTCHES, _NOTCH = 20, 100
"""Larger amounts of scrolling are px."""

_LONGEST_TEXT, _MOST_ELEMENTS = 256, 200
"""Bytes of a label, and elements of a report."""

_CLICKS = {1: "left", 2: "double", 3: "triple"}
_READ_ROLES: Mapping[str, str] = {
    **{role: role for role in ("textbox", "combobox", "checkbox", "radio", "slider", "listbox")},
    **dict.fromkeys(("button", "link", "tab", "menuitem", "clickable"), "button"),
    **dict.fromkeys(("searchbox", "spinbutton"), "textbox"),
    "switch": "checkbox",
}
"""Roles of reports by the roles of elements."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_ORIGIN = re.compile(rf"https?://(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])(?::\d+)?$")
_COMPLETED: sdk.BrowserFileOutcome = {
    "version": 1, "status": "completed", "effect": "completed", "cleanup": "completed",
}  # fmt: skip


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


def _image(data: str) -> Any:
    url = f"data:image/png;base64,{data}"
    return {"type": "input_image", "image_url": url, "detail": "original"}


def _member(
    method: str,
    convert: Callable[[dict[str, Any]], Mapping[str, Any]] = lambda _: {},
    write: Callable[[Any], Any] = lambda value: value,
) -> Member:
    """Return the member that calls a method of the browser.

    ``convert`` removes fields of the input that the method does not have, and returns others
    instead; ``write`` makes the result.
    """

    async def member(self: "CharlotteBrowserDriver", action: Any) -> Any:
        given = {**action}
        converted = convert(given)
        return write(await self.do(method, **given, **converted))

    return member


def _click_at(given: dict[str, Any]) -> Mapping[str, Any]:
    button, count = given.pop("button"), given.pop("click_count")
    if button != "left" and count > 1:
        raise sdk.BrowserError("click_count above 1 is only for the left button.")
    kind = _CLICKS[count] if button == "left" else button
    modifiers = "+".join(given.pop("keys"))
    return {"target": _point(given), "click_type": kind, "modifiers": modifiers}


def _drag_path(given: dict[str, Any]) -> Mapping[str, Any]:
    return {"points": [*map(_point, given.pop("path"))], "modifiers": "+".join(given.pop("keys"))}


def _point(given: dict[str, Any]) -> Point:
    return given.pop("x"), given.pop("y")


def _scroll(given: dict[str, Any]) -> Mapping[str, Any]:
    """Count the notches of the wheel; 0 is a window, and more than 20 are px."""
    amount = given.pop("amount")
    return {"amount": (amount if amount > _MOST_NOTCHES else amount * _NOTCH) or "page"}


def _options(given: dict[str, Any]) -> Mapping[str, Any]:
    values = given.pop("values")
    return {"value": values[0] if len(values) == 1 else values}


def _key(given: dict[str, Any]) -> Mapping[str, Any]:
    """Hold the modifiers before a key while it is pressed."""
    held: list[str] = []
    chords: list[str] = []
    for name in given.pop("keys"):
        if modifier_named(name) is not None:
            held.append(name)
        else:
            chords.append("+".join([*held, name]))
    return {"names": chords or held[-1:]}


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
        policy = None if url_policy is None else _in_browser(url_policy)
        self._browser = _ComputerBrowser(session, "\n", policy, upload_roots)
        self._grants = dict(grants or {})
        self._downloaded: Path | None = None

    async def state(self) -> sdk.BrowserState:
        """Return the tabs; actions report in their answers what else has happened."""
        state = await self._browser.take_state()
        for event in state.events:
            if isinstance(event, DownloadChanged) and event.path is not None:
                self._downloaded = event.path
        return {"tabs": [_tab(row) for row in state.tabs]}

    async def do(self, method: str, **given: Any) -> Any:
        """Call a method of the browser; an answered page is written."""
        try:
            value = await self._browser.do(method, **given)
        except TabMissing:
            raise sdk.BrowserError("That tab is not open. Use list_tabs to see the tabs.") from None
        except ToolsetError as error:
            raise sdk.BrowserError(valid_unicode(str(error))) from None
        except SessionProblem as error:
            raise RuntimeError(f"{error.message} {error.suggestion or ''}".strip()) from error
        return self._browser.answer(value) if isinstance(value, Page) else value

    navigate = _member("navigate")
    new_tab = _member("new_tab")
    switch_tab = _member("switch_tab", write=lambda _: None)
    close_tab = _member("close_tab")
    read_page = _member("read_page")
    read_page_scoped = _member("read_page_scoped")
    get_page_text = _member("get_page_text")
    find = _member("find")
    read_diagnostics = _member("read_diagnostics")
    screenshot = _member("screenshot", write=_image)
    zoom = _member("zoom", write=_image)
    wait_for = _member("wait_for", lambda given: {"timeout": given.pop("timeout_ms")})
    run_script = _member(
        "evaluate", lambda given: {"text": given.pop("source"), "timeout": given.pop("timeout_ms")}
    )
    click = _member("click")
    click_at = _member("click", _click_at)
    hover = _member("hover")
    hover_at = _member("hover", lambda given: {"target": _point(given)})
    drag_path = _member("drag", _drag_path)
    scroll = _member("scroll", _scroll)
    scroll_to = _member("scroll", lambda _: {"block": "center"})
    type = _member("type")
    select_option = _member("set_value", _options)
    set_checked = _member("set_value", lambda given: {"value": given.pop("checked")})
    key = _member("press", _key)
    hold_keys = _member(
        "press",
        lambda given: {
            "names": given.pop("keys"), "together": True, "hold": given.pop("duration_ms"),
        },
    )  # fmt: skip

    async def upload_file(self, action: sdk.BrowserFileInput) -> sdk.BrowserFileOutcome:
        """Give the files of a grant to a file input of the active tab."""
        grant = self._grants.get(action["grant_id"])
        if not isinstance(grant, UploadGrant):
            raise sdk.BrowserError("The grant does not exist, or was used.")
        await self.do("upload_granted", grant=grant)
        del self._grants[action["grant_id"]]
        return _COMPLETED

    async def download_file(self, action: sdk.BrowserFileInput) -> sdk.BrowserFileOutcome:
        """Copy the file that was downloaded last to the path of a grant."""
        grant = self._grants.get(action["grant_id"])
        if not isinstance(grant, DownloadGrant):
            raise sdk.BrowserError("The grant does not exist, or was used.")
        if self._downloaded is None or grant.path.exists():
            return {"version": 1, "status": "refused", "effect": "none", "cleanup": "not_started"}
        await self.do("copy", source=self._downloaded, target=grant.path)
        del self._grants[action["grant_id"]]
        return _COMPLETED


class _ComputerBrowser(ToolsetBrowser):
    """The browser with what only this vendor's members do."""

    async def read_diagnostics(self, source: str, limit: int, tab_id: str | None) -> Any:
        """Return the last messages of the console, or the last requests, since the last reading."""
        read = self.read_console if source == "console" else self.read_network
        text = valid_unicode(await read(tab_id, limit))
        return {"version": 1, "text": text, "elements": [], "omitted": []}

    async def type(self, text: str, target: str | None, tab_id: str | None) -> str:
        """Fill a field, or type a text at the focus."""
        if target is not None:
            return await self.set_value(target, text, tab_id)
        return await self.act(type_, tab_id, text=text)

    async def upload_granted(self, grant: UploadGrant) -> str:
        """Give files to the only file input of the active tab, or to one that a selector finds."""
        query = {"selector": grant.selector} if grant.selector else {"type": "file_input"}
        found = await self.run(find, self.tab(None), **query)
        if len(found) != 1:
            raise ToolsetError(f"The page has {len(found)} file inputs for this grant, not one.")
        paths = [str(path) for path in grant.paths]
        return await self.act(upload, None, element_id=found[0].id, paths=paths)

    async def copy(self, source: Path, target: Path) -> None:
        """Copy a file."""
        await trio.to_thread.run_sync(shutil.copyfile, source, target)

    async def read_page_scoped(
        self,
        tab_id: str | None,
        root: str | None,
        depth: int,
        filter: str,  # noqa: A002
    ) -> dict[str, Any]:
        """Return a part of the page, its controls, and the parts in it as scopes.

        The text has what the controls contain.
        """
        text = await self.read_page(tab_id, filter, depth, root)
        tab, view, _ = await self.view(tab_id, root)
        elements = [
            {
                "ref": self.name(tab, each.id),
                "role": role,
                "label": self._clip(each.label or each.near or each.placeholder or "") or role,
            }
            for each in view.interactive
            if (role := _READ_ROLES.get(role_of(each)))
        ]
        parts = [(landmark.id, landmark.label) for landmark in view.landmarks]
        parts += [(heading.id, heading.text) for heading in view.headings]
        return {
            "version": 1,
            "text": valid_unicode(text),
            "elements": elements[:_MOST_ELEMENTS],
            "omitted": ["target_limit"] if len(elements) > _MOST_ELEMENTS else [],
            "scopes": [
                {"ref": self.name(tab, part), "label": self._clip(label) or "part"}
                for part, label in parts[:_MOST_ELEMENTS]
            ],
        }

    def _clip(self, text: str) -> str:
        """Return the beginning of a text without secrets."""
        return valid_unicode(self.hidden(text)).encode()[:_LONGEST_TEXT].decode(errors="ignore")


def _tab(row: TabRow) -> sdk.BrowserTab:
    """Return a tab with the origin of its URL; about:blank for one that the SDK would refuse."""
    origin = _ORIGIN.match(f"{row.url.partition(':')[0]}://{urlsplit(row.url).netloc}")
    url = f"{origin[0]}/" if origin else "about:blank"
    return {"id": row.id, "title": valid_unicode(row.title), "url": url, "active": row.active}


def _in_browser(allow: Allow) -> Callable[[str], Coroutine[Any, Any, str | None]]:
    """Return a policy of a program as one for each document: the reason for a refusal, or None."""

    async def check(url: str) -> str | None:
        return None if await allow(url) is True else "The URL policy refuses this address."

    return check
