"""Charlotte as the driver of Anthropic's browser toolset (``browser_toolset_20260801``).

    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        browser = CharlotteBrowserToolset(session, url_policy=policy)
        result = await browser.tool_result(tool_use)

The session is one of `charlotte` (trio) or of `charlotte.aio` (asyncio). Needs the extra
``charlotte-mcp[anthropic]``.
"""

import inspect
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from anthropic import NOT_GIVEN, NotGiven
from anthropic.tools import ToolError, ToolsetUsageError
from anthropic.tools import browser as sdk
from anthropic.types import beta
from typing_extensions import override

from charlotte.actors.state.events import (
    DialogAnswered,
    DownloadChanged,
    NavigationRefused,
    TabEvent,
    TabOpened,
)
from charlotte.answers.answer import Page, TabRow
from charlotte.base.errors import SessionProblem
from charlotte.toolsets.browser import AnySession, ToolsetBrowser, to_ms
from charlotte.toolsets.text import TabMissing, ToolsetError

_MOST_TABS, _MOST_CHANGES = 100, 200
_MOST_NOTCHES, _MOST_REPEATS, _NOTCH = 10, 100, 100
_DEFAULT_DEPTH, _DEFAULT_NOTCHES = 15, 3
_DOWNLOADS = {
    "in_progress": "download_started",
    "completed": "download_completed",
    "canceled": "download_failed",
}
_METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "javascript_exec": ("evaluate", {}),
    **{
        f"{kind}_click": ("click", {"click_type": kind})
        for kind in ("left", "right", "middle", "double", "triple")
    },
    "left_mouse_down": ("click", {"press": "down"}),
    "left_mouse_up": ("click", {"press": "up"}),
    "mouse_move": ("hover", {}),
    "scroll_to": ("scroll", {"block": "center"}),
    "form_input": ("set_value", {}),
}
"""Methods of `ToolsetBrowser` with other names than the members, and their arguments."""


class CharlotteBrowserToolset(sdk.BetaAsyncAbstractBrowserToolset20260801):
    """The browser toolset over a session: actions return what they changed on the page.

    The arguments are those of the class of the SDK. ``url_policy`` is also asked about redirects,
    links, popups and frames; it must be given before the session has a tab. Directories in the
    ``upload_roots`` of ``file_policy`` may be read.
    """

    def __init__(
        self,
        session: AnySession,
        *,
        configs: beta.BetaBrowserToolsetConfigsParam | None = None,
        confirm: sdk.BetaAsyncConfirmCallable | None = None,
        url_policy: sdk.BetaAsyncURLPolicy | NotGiven = NOT_GIVEN,
        file_policy: sdk.BetaFilePolicy | None = None,
        tool_configs: sdk.BetaToolConfigs | None = None,
    ) -> None:
        super().__init__(
            configs=configs,
            confirm=confirm,
            url_policy=url_policy,
            file_policy=file_policy,
            tool_configs=tool_configs,
        )
        policy = None if isinstance(url_policy, NotGiven) else _in_browser(url_policy)
        roots = [Path(root) for root in getattr(file_policy, "upload_roots", ())]
        self._browser = ToolsetBrowser(session, " ; ", policy, roots)

    @override
    async def execute(self, context: sdk.BetaToolsetCallContext, name: str, input: Any) -> Any:
        """Run a member: its input becomes the arguments of a method of `ToolsetBrowser`."""
        model: Any = input.__class__
        values = {str(field): getattr(input, field) for field in model.model_fields}
        given = {field: _plain(value) for field, value in values.items() if value is not None}
        method, fixed = _METHODS.get(name, (name, {}))
        try:
            if (convert := _CONVERTED.get(name)) is not None:
                method, given = convert(given)
            value = await self._browser.do(method, **given, **fixed)
        except TabMissing:
            raise sdk.TabMissingError from None
        except ToolsetError as error:
            raise ToolError(str(error)) from None
        except SessionProblem as error:
            raise ToolsetUsageError(f"{error.message} {error.suggestion or ''}".strip()) from error
        return _result(name, value)

    @override
    async def _browser_state(self, context: sdk.BetaToolsetCallContext) -> sdk.BetaBrowserState:
        state = await self._browser.take_state()
        kept = sorted(state.tabs, key=lambda row: not row.active)[:_MOST_TABS]
        tabs = [_entry(row) for row in state.tabs if row in kept]
        open_tabs = {row.id for row in state.tabs}
        changes = [change for event in state.events if (change := _change(event, open_tabs))]
        return sdk.BetaBrowserState(tabs=tabs, state_changes=changes[-_MOST_CHANGES:])


def _plain(value: Any) -> Any:
    """Return the ref or the point of a target; other values as they are."""
    match getattr(value, "type", None):
        case "ref":
            return value.ref
        case "coordinate":
            return value.x, value.y
        case _:
            return value


def _result(name: str, value: Any) -> Any:
    """Return a value of `ToolsetBrowser` as the result of a member."""
    match name, value:
        case "navigate", Page():
            return sdk.BetaBrowserNavigateResult(
                url=value.url, status=value.status, title=value.title
            )
        case _, Page():
            return {"tab_id": value.tab_id, "title": value.title, "url": value.url, "active": True}
        case "list_tabs", _:
            return [_entry(row) for row in value]
        case (("screenshot" | "zoom"), _):
            return sdk.BetaScreenshotResult(data=value)
        case _:
            return value


def _entry(row: TabRow) -> beta.BetaBrowserStateTabEntryParam:
    entry: beta.BetaBrowserStateTabEntryParam = {
        "tab_id": row.id, "title": row.title, "url": row.url,
    }  # fmt: skip
    if row.active:
        entry["active"] = True
    return entry


def _change(event: TabEvent, open_tabs: Collection[str]) -> Any:
    """Return the change that an event is for the vendor; None for other events."""
    match event:
        case TabOpened(tab_id=tab_id) if tab_id in open_tabs:
            return {"type": "tab_opened", "tab_id": tab_id}
        case DialogAnswered(dialog=dialog):
            return sdk.BetaDialogDismissed(kind=dialog.type, message=dialog.message)
        case NavigationRefused():
            return sdk.BetaNavigationRefused()
        case DownloadChanged(state=state):
            download: dict[str, Any] = {"download_id": f"download-{event.id}", "url": event.url}
            if state == "completed" and event.path is not None:
                download |= {"path": str(event.path), "size_bytes": event.bytes}
            elif state == "canceled":
                download["error"] = "The download was canceled."
            return {"type": _DOWNLOADS[state], **download}
        case _:
            return None


# ---------------------------------------------------------------------------- inputs

Call = tuple[str, dict[str, Any]]
"""A method of `ToolsetBrowser` and its arguments."""


def _check(holds: bool, problem: str) -> None:  # noqa: FBT001
    if not holds:
        raise ToolsetError(problem)


def _read_page(given: dict[str, Any]) -> Call:
    in_view = given.get("filter") != "all" and not given.get("ref")
    return "read_page", {"depth": _DEFAULT_DEPTH, **given, "in_view": in_view}


def _drag(given: dict[str, Any]) -> Call:
    start, end = _plain(given.pop("from_")), given.pop("target")
    return "drag", {**given, "points": [start, end]}


def _scroll(given: dict[str, Any]) -> Call:
    notches = given.pop("scroll_amount", _DEFAULT_NOTCHES)
    _check(1 <= notches <= _MOST_NOTCHES, f"scroll_amount must be between 1 and {_MOST_NOTCHES}.")
    direction, at = given.pop("scroll_direction"), given.pop("target")
    return "scroll", {**given, "direction": direction, "amount": notches * _NOTCH, "target": at}


def _key(given: dict[str, Any]) -> Call:
    text, repeat = given.pop("text"), given.get("repeat", 1)
    _check(1 <= repeat <= _MOST_REPEATS, f"repeat must be between 1 and {_MOST_REPEATS}.")
    return "press", {**given, "names": text.split() or (["Space"] if text else [])}


def _hold_key(given: dict[str, Any]) -> Call:
    text, seconds = given.pop("text"), given.pop("duration")
    return "press", {**given, "names": [text.strip()], "hold": to_ms(seconds)}


def _upload(given: dict[str, Any]) -> Call:
    _check(not given.pop("document_ids", None), "document_ids cannot be used here: pass paths.")
    _check(bool(given.get("paths")), "paths must name a file.")
    return "upload", given


_CONVERTED: Mapping[str, Callable[[dict[str, Any]], Call]] = {
    "read_page": _read_page,
    "left_click_drag": _drag,
    "scroll": _scroll,
    "key": _key,
    "hold_key": _hold_key,
    "file_upload": _upload,
}
"""Members whose input has other fields than the method."""


def _in_browser(policy: sdk.BetaAsyncURLPolicy) -> Callable[[str], Any]:
    """Return the policy of the SDK as one for each document: the reason for a refusal, or None."""
    context = sdk.BetaURLContext(member="navigate")

    async def check(url: str) -> str | None:
        try:
            answer = policy(context, url)
            if inspect.isawaitable(answer):
                await answer
        except ToolError as error:
            return str(error)
        except Exception:  # noqa: BLE001 - the text of an unknown error may name the URL
            return "refused by the URL policy"
        return None

    return check
