"""The tools as methods of sessions and tabs, for programs.

The same classes serve trio and asyncio: what they need is a `Runner`. Parameters about an answer's
text (``detail``, ``max_chars``, ``cursor``) concern what ``str(page)`` says; the objects that
methods return are whole whatever these say.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from charlotte.tools import (
    auditing,
    batching,
    choosing,
    configuring,
    cookies,
    developing,
    devices,
    dialogs,
    filling,
    finding,
    forms,
    interaction,
    monitoring,
    navigation,
    networking,
    observation,
    pointing,
    printing,
    screenshots,
    scripting,
    scrolling,
    storing,
    toolset,
    uploading,
    waiting,
)
from charlotte.tools import tabs as _tabs
from charlotte.tools.methods import Method, Runner
from charlotte.tools.tool import Tool

R = TypeVar("R")


class PageMethods:
    """The tools that work on a page: on that of a `Tab`, or of a session's active tab."""

    navigate = Method(navigation.navigate)
    back = Method(navigation.back)
    forward = Method(navigation.forward)
    reload = Method(navigation.reload)
    observe = Method(observation.observe)
    find = Method(finding.find)
    screenshot = Method(screenshots.screenshot)
    diff = Method(observation.diff)
    click = Method(interaction.click)
    click_at = Method(pointing.click_at)
    type = Method(interaction.type_)
    select = Method(choosing.select)
    toggle = Method(choosing.toggle)
    submit = Method(forms.submit)
    fill_form = Method(filling.fill_form)
    upload = Method(uploading.upload)
    scroll = Method(scrolling.scroll)
    hover = Method(pointing.hover)
    drag = Method(pointing.drag)
    key = Method(interaction.key)
    wait_for = Method(waiting.wait_for)
    dialog = Method(dialogs.dialog)
    evaluate = Method(scripting.evaluate)
    console = Method(monitoring.console)
    requests = Method(monitoring.requests)
    viewport = Method(devices.viewport)
    network = Method(networking.network)
    set_cookies = Method(cookies.set_cookies)
    get_cookies = Method(cookies.get_cookies)
    clear_cookies = Method(cookies.clear_cookies)
    set_headers = Method(networking.set_headers)
    storage = Method(storing.storage)
    pdf = Method(printing.pdf)
    dev_serve = Method(developing.dev_serve)
    dev_inject = Method(developing.dev_inject)
    dev_audit = Method(auditing.dev_audit)


class Tab(PageMethods):
    """One tab of a session: every tool that works on a page, on that of this tab."""

    def __init__(self, session: Runner, tab_id: str) -> None:
        self._session = session
        self.id = tab_id

    def __repr__(self) -> str:
        return f"<Tab {self.id}>"

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool on this tab."""
        return await self._session.run_tool(tool, {**arguments, "tab_id": self.id})

    async def activate(self) -> None:
        """Make it the one that the session's own methods work on."""
        await self.run_tool(_tabs.tab_switch, {"detail": "minimal"})

    async def close(self) -> None:
        """Close it, whatever its page is doing."""
        await self.run_tool(_tabs.tab_close, {})


class SessionMethods(PageMethods):
    """All tools; those that work on a page take that of the active tab."""

    tabs = Method(_tabs.tabs)
    tab_open = Method(_tabs.tab_open)
    tab_switch = Method(_tabs.tab_switch)
    tab_close = Method(_tabs.tab_close)
    batch = Method(batching.batch)
    configure = Method(configuring.configure)
    tools = Method(toolset.tools)

    def tab(self, tab_id: str) -> Tab:
        """Return the handle of an open tab; nothing is asked."""
        return Tab(self, tab_id)

    async def open_tab(self, url: str | None = None) -> Tab:
        """Open a tab, make it the active one, and wait until its page is loaded.

        Raises:
            CharlotteError: as ``tab_open`` does; there is no new tab then.
        """
        page = await self.tab_open(url, detail="minimal")
        return Tab(self, page.tab_id)

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool; each kind of session has its way to do so."""
        raise NotImplementedError
