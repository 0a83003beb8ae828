"""Charlotte as the driver of Anthropic's browser toolset (``browser_toolset_20260801``).

    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        browser = CharlotteBrowserToolset(session, url_policy=policy)
        result = await browser.tool_result(tool_use)

The session is one of `charlotte` (trio) or of `charlotte.aio` (asyncio). Needs the extra
``charlotte-mcp[anthropic]``.
"""

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from anthropic import NOT_GIVEN, NotGiven
from anthropic.tools import ToolError, ToolsetUsageError
from anthropic.tools.browser import (
    BetaAsyncAbstractBrowserToolset20260801,
    BetaAsyncConfirmCallable,
    BetaAsyncURLPolicy,
    BetaBrowserNavigateResult,
    BetaBrowserState,
    BetaDialogDismissed,
    BetaFilePolicy,
    BetaNavigationRefused,
    BetaScreenshotResult,
    BetaToolConfigs,
    BetaToolsetCallContext,
    BetaURLContext,
    TabMissingError,
)
from anthropic.types import beta
from typing_extensions import override

from charlotte.actors.state.events import (
    DialogAnswered,
    DownloadChanged,
    NavigationRefused,
    TabEvent,
    TabOpened,
)
from charlotte.errors import SessionProblem
from charlotte.toolsets.browser import (
    NOTCH,
    AnySession,
    BrowserAccess,
    Target,
    ToolsetBrowser,
)
from charlotte.toolsets.keys import chord_name, modifier_names, sequence_names
from charlotte.toolsets.refs import TabMissing, ToolsetError
from charlotte.toolsets.wording import Wording

T = TypeVar("T")

_WORDING = Wording(
    {
        "observe": "read_page",
        "read_page": "read_page",
        "find": "find",
        "screenshot": "screenshot",
        "click": "left_click",
        "click_at": "left_click",
        "type": "type",
        "select": "form_input",
        "toggle": "left_click",
        "fill_form": "form_input",
        "upload": "file_upload",
        "scroll": "scroll",
        "hover": "hover",
        "drag": "left_click_drag",
        "key": "key",
        "wait_for": "wait",
        "evaluate": "javascript_exec",
        "navigate": "navigate",
        "tabs": "list_tabs",
        "tab_open": "new_tab",
        "tab_switch": "switch_tab",
        "tab_close": "close_tab",
    }
)
_BETWEEN = " ; "
_LONGEST_WAIT = 30
_DEFAULT_NOTCHES = 3
_MOST_NOTCHES, _MOST_REPEATS = 10, 100
_REGION = 4
_MOST_TABS = 100
_DEFAULT_DEPTH = 15
_REFUSED = "refused by the URL policy"
_DOWNLOADS = {
    "in_progress": "download_started",
    "completed": "download_completed",
    "canceled": "download_failed",
}

Context = BetaToolsetCallContext
TabEntry = beta.BetaBrowserStateTabEntryParam


class _Click(Protocol):
    """The input of a click."""

    target: Any
    modifiers: str | None
    tab_id: str | None


class CharlotteBrowserToolset(BetaAsyncAbstractBrowserToolset20260801):
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
        confirm: BetaAsyncConfirmCallable | None = None,
        url_policy: BetaAsyncURLPolicy | NotGiven = NOT_GIVEN,
        file_policy: BetaFilePolicy | None = None,
        tool_configs: BetaToolConfigs | None = None,
    ) -> None:
        super().__init__(
            configs=configs,
            confirm=confirm,
            url_policy=url_policy,
            file_policy=file_policy,
            tool_configs=tool_configs,
        )
        self._charlotte = BrowserAccess(
            session,
            _WORDING,
            between=_BETWEEN,
            policy=None if isinstance(url_policy, NotGiven) else _in_browser(url_policy),
            roots=[Path(root) for root in getattr(file_policy, "upload_roots", ())],
        )

    @override
    async def _browser_state(self, context: Context) -> BetaBrowserState:
        state = await self._charlotte.take_state()
        tabs = [_entry(row.id, row.title, row.url, active=row.active) for row in state.tabs]
        open_ids = {row.id for row in state.tabs}
        changes = [change for event in state.events if (change := _change(event, open_ids))]
        return BetaBrowserState(tabs=_within_limit(tabs), state_changes=changes[-200:])

    async def _do(self, function: Callable[[ToolsetBrowser], Awaitable[T]]) -> T:
        try:
            return await self._charlotte.do(function)
        except TabMissing:
            raise TabMissingError from None
        except ToolsetError as error:
            raise ToolError(str(error)) from None
        except SessionProblem as error:
            raise ToolsetUsageError(f"{error.message} {error.suggestion or ''}".strip()) from error

    # ------------------------------------------------------------------------ navigation and tabs

    @override
    async def navigate(
        self, context: Context, input: beta.BetaBrowserNavigateInput
    ) -> BetaBrowserNavigateResult:
        page = await self._do(lambda browser: browser.navigate(input.tab_id, input.url))
        return BetaBrowserNavigateResult(url=page.url, status=page.status, title=page.title)

    @override
    async def new_tab(self, context: Context, input: beta.BetaBrowserNewTabInput) -> TabEntry:
        page = await self._do(lambda browser: browser.open_tab())
        return _entry(page.tab_id, page.title, page.url, active=True)

    @override
    async def list_tabs(
        self, context: Context, input: beta.BetaBrowserListTabsInput
    ) -> list[TabEntry]:
        rows = await self._do(ToolsetBrowser.list_tabs)
        return [_entry(row.id, row.title, row.url, active=row.active) for row in rows]

    @override
    async def switch_tab(self, context: Context, input: beta.BetaBrowserSwitchTabInput) -> TabEntry:
        page = await self._do(lambda browser: browser.switch_tab(input.tab_id))
        return _entry(page.tab_id, page.title, page.url, active=True)

    @override
    async def close_tab(self, context: Context, input: beta.BetaBrowserCloseTabInput) -> None:
        await self._do(lambda browser: browser.close_tab(input.tab_id))

    # ------------------------------------------------------------------------ readings

    @override
    async def read_page(self, context: Context, input: beta.BetaBrowserReadPageInput) -> str:
        depth = _DEFAULT_DEPTH if input.depth is None else input.depth
        _check(depth >= 1, "depth must be at least 1.")
        return await self._do(
            lambda browser: browser.read_page(
                input.tab_id,
                interactive=input.filter == "interactive",
                in_view=input.filter != "all" and not input.ref,
                depth=depth,
                ref=input.ref,
            )
        )

    @override
    async def get_page_text(self, context: Context, input: beta.BetaBrowserGetPageTextInput) -> str:
        return await self._do(lambda browser: browser.read_text(input.tab_id))

    @override
    async def find(self, context: Context, input: beta.BetaBrowserFindInput) -> str:
        return await self._do(lambda browser: browser.find(input.tab_id, input.query))

    @override
    async def read_console(self, context: Context, input: beta.BetaBrowserReadConsoleInput) -> str:
        return await self._do(lambda browser: browser.read_console(input.tab_id))

    @override
    async def read_network(self, context: Context, input: beta.BetaBrowserReadNetworkInput) -> str:
        return await self._do(lambda browser: browser.read_network(input.tab_id))

    @override
    async def screenshot(
        self, context: Context, input: beta.BetaBrowserScreenshotInput
    ) -> BetaScreenshotResult:
        return BetaScreenshotResult(
            data=await self._do(lambda browser: browser.screenshot(input.tab_id))
        )

    @override
    async def zoom(
        self, context: Context, input: beta.BetaBrowserZoomInput
    ) -> BetaScreenshotResult:
        region = input.region
        _check(
            len(region) == _REGION and region[0] < region[2] and region[1] < region[3],
            "region must be [x0, y0, x1, y1] with x0 < x1 and y0 < y1.",
        )
        return BetaScreenshotResult(
            data=await self._do(lambda browser: browser.screenshot(input.tab_id, region))
        )

    @override
    async def javascript_exec(
        self, context: Context, input: beta.BetaBrowserJavascriptExecInput
    ) -> str:
        return await self._do(lambda browser: browser.evaluate(input.tab_id, input.text))

    # ------------------------------------------------------------------------ the mouse

    async def _click(self, given: _Click, kind: str) -> str:
        target = _target(given.target)
        return await self._do(
            lambda browser: browser.click(
                given.tab_id, target, click_type=kind, modifiers=modifier_names(given.modifiers)
            )
        )

    @override
    async def left_click(self, context: Context, input: beta.BetaBrowserLeftClickInput) -> str:
        return await self._click(input, "left")

    @override
    async def right_click(self, context: Context, input: beta.BetaBrowserRightClickInput) -> str:
        return await self._click(input, "right")

    @override
    async def middle_click(self, context: Context, input: beta.BetaBrowserMiddleClickInput) -> str:
        return await self._click(input, "middle")

    @override
    async def double_click(self, context: Context, input: beta.BetaBrowserDoubleClickInput) -> str:
        return await self._click(input, "double")

    @override
    async def triple_click(self, context: Context, input: beta.BetaBrowserTripleClickInput) -> str:
        return await self._click(input, "triple")

    @override
    async def hover(self, context: Context, input: beta.BetaBrowserHoverInput) -> str:
        target = _target(input.target)
        return await self._do(lambda browser: browser.hover(input.tab_id, target))

    @override
    async def mouse_move(self, context: Context, input: beta.BetaBrowserMouseMoveInput) -> str:
        at = input.target.x, input.target.y
        return await self._do(lambda browser: browser.hover(input.tab_id, at))

    @override
    async def left_click_drag(
        self, context: Context, input: beta.BetaBrowserLeftClickDragInput
    ) -> str:
        points = (input.from_.x, input.from_.y), (input.target.x, input.target.y)
        return await self._do(lambda browser: browser.drag(input.tab_id, points))

    @override
    async def left_mouse_down(
        self, context: Context, input: beta.BetaBrowserLeftMouseDownInput
    ) -> str:
        at = input.target.x, input.target.y
        return await self._do(lambda browser: browser.click(input.tab_id, at, press="down"))

    @override
    async def left_mouse_up(self, context: Context, input: beta.BetaBrowserLeftMouseUpInput) -> str:
        at = input.target.x, input.target.y
        return await self._do(lambda browser: browser.click(input.tab_id, at, press="up"))

    @override
    async def scroll(self, context: Context, input: beta.BetaBrowserScrollInput) -> str:
        notches = _DEFAULT_NOTCHES if input.scroll_amount is None else input.scroll_amount
        _check(
            1 <= notches <= _MOST_NOTCHES, f"scroll_amount must be between 1 and {_MOST_NOTCHES}."
        )
        at = input.target.x, input.target.y
        return await self._do(
            lambda browser: browser.scroll(
                input.tab_id, input.scroll_direction, notches * NOTCH, at
            )
        )

    @override
    async def scroll_to(self, context: Context, input: beta.BetaBrowserScrollToInput) -> str:
        return await self._do(lambda browser: browser.scroll_to(input.tab_id, input.target.ref))

    # ------------------------------------------------------------------------ keys and fields

    @override
    async def type(self, context: Context, input: beta.BetaBrowserTypeInput) -> str:
        return await self._do(lambda browser: browser.type(input.tab_id, input.text))

    @override
    async def key(self, context: Context, input: beta.BetaBrowserKeyInput) -> str:
        repeat = 1 if input.repeat is None else input.repeat
        _check(1 <= repeat <= _MOST_REPEATS, f"repeat must be between 1 and {_MOST_REPEATS}.")
        return await self._do(
            lambda browser: browser.press(input.tab_id, sequence_names(input.text), repeat=repeat)
        )

    @override
    async def hold_key(self, context: Context, input: beta.BetaBrowserHoldKeyInput) -> str:
        _check_duration(input.duration)
        names, hold = [chord_name(input.text.strip())], round(input.duration * 1000)
        return await self._do(lambda browser: browser.press(input.tab_id, names, hold=hold))

    @override
    async def form_input(self, context: Context, input: beta.BetaBrowserFormInputInput) -> str:
        return await self._do(
            lambda browser: browser.set_value(input.tab_id, input.target.ref, input.value)
        )

    @override
    async def file_upload(self, context: Context, input: beta.BetaBrowserFileUploadInput) -> str:
        paths = input.paths or []
        _check(not input.document_ids, "document_ids cannot be used with this browser: pass paths.")
        _check(bool(paths), "paths must name a file.")
        return await self._do(lambda browser: browser.upload(input.tab_id, input.target.ref, paths))

    @override
    async def wait(self, context: Context, input: beta.BetaBrowserWaitInput) -> str:
        _check_duration(input.duration)
        return await self._do(lambda browser: browser.wait(input.tab_id, input.duration))


def _check(holds: bool, problem: str) -> None:  # noqa: FBT001
    if not holds:
        raise ToolError(problem)


def _check_duration(seconds: float) -> None:
    _check(
        0 <= seconds <= _LONGEST_WAIT, f"duration must be between 0 and {_LONGEST_WAIT} seconds."
    )


def _target(target: Any) -> Target:
    """Return the ref or the point of an input."""
    return target.ref if target.type == "ref" else (target.x, target.y)


def _entry(tab_id: str, title: str, url: str, *, active: bool) -> TabEntry:
    entry: TabEntry = {"tab_id": tab_id, "title": title, "url": url}
    return {**entry, "active": True} if active else entry


def _within_limit(tabs: list[TabEntry]) -> list[TabEntry]:
    """Return at most 100 tabs, with the active one."""
    if len(tabs) <= _MOST_TABS:
        return tabs
    active = [tab for tab in tabs if tab.get("active")]
    return [*active, *(tab for tab in tabs if not tab.get("active"))][:_MOST_TABS]


def _change(event: TabEvent, open_ids: set[str]) -> Any:
    """Return the change that an event is for the vendor; None for other events."""
    match event:
        case TabOpened(tab_id=tab_id) if tab_id in open_ids:
            return {"type": "tab_opened", "tab_id": tab_id}
        case DialogAnswered(dialog=dialog):
            return BetaDialogDismissed(kind=dialog.type, message=dialog.message)
        case NavigationRefused():
            return BetaNavigationRefused()
        case DownloadChanged():
            return _download(event)
        case _:
            return None


def _download(event: DownloadChanged) -> dict[str, Any]:
    change = {
        "type": _DOWNLOADS[event.state],
        "download_id": f"download-{event.id}",
        "url": event.url,
    }
    if event.state == "completed" and event.path is not None:
        return {**change, "path": str(event.path), "size_bytes": event.bytes}
    if event.state == "canceled":
        return {**change, "error": "The download was canceled."}
    return change


def _in_browser(policy: BetaAsyncURLPolicy) -> Callable[[str], Any]:
    """Return the policy of the SDK as one for each document: the reason for a refusal, or None."""
    context = BetaURLContext(member="navigate")

    async def check(url: str) -> str | None:
        try:
            answer = policy(context, url)
            if inspect.isawaitable(answer):
                await answer
        except ToolError as error:
            return str(error)
        except Exception:  # noqa: BLE001 - the text of an unknown error may name the URL
            return _REFUSED
        return None

    return check
