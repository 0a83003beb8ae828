"""An agent's session as tools see it: the control plane, which never waits for a page."""

from typing import Any

import trio

from charlotte.actors.browser.actor import Browser
from charlotte.actors.dev_server import Sites
from charlotte.actors.kernel.mailbox import Mailbox, Request
from charlotte.actors.state.contexts import DEFAULT
from charlotte.actors.state.dev_sites import SiteRecord
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.progress import stage
from charlotte.protocol.session import Session as CdpSession

_CLOSE_WAIT = 2.0


class AgentSession:
    """A session's record and the way to the actors; methods run in the caller's own task."""

    def __init__(
        self, record: SessionRecord, browser: Mailbox[Browser], sites: Mailbox[Sites]
    ) -> None:
        self.record = record
        self._browser = browser
        self._sites = sites
        self._first_tab = trio.Lock()

    async def tab(self, tab_id: str | None) -> TabRecord:
        """The named tab, or the active one; the first tab is opened when there is none.

        A tab cannot bring back a browser that is gone for good: raises why there is none.
        """
        if self._browser.dormant:
            await self._browser.ask(Browser.wake)
        if tab_id is not None:
            return self.record.find(tab_id)
        async with self._first_tab:
            if self.record.active is None:
                stage("opening a tab")
                await self.open_tab()
        return self.record.find(self.record.active or "")

    async def open_tab(self, url: str | None = None, context: str = DEFAULT) -> TabRecord:
        """Open a tab, blank or on its way to ``url``, and make it the active one."""

        async def work(browser: Browser) -> TabRecord:
            return await browser.open_tab(self.record, activate=True, url=url, context=context)

        self.record.check_open()
        request = Request(work, "open_tab")
        try:
            async with self._browser.posted(request):
                opened: TabRecord = await request.result()
                return opened
        except trio.Cancelled:
            if request.value is not None:  # opened in the very moment in which its caller left
                with trio.move_on_after(_CLOSE_WAIT, shield=True):
                    await self.close_tab(request.value.id)
            raise

    async def close_tab(self, tab_id: str) -> None:
        """Close a tab whatever its page is doing."""
        await self._browser.ask(Browser.close_tab, self.record.find(tab_id))

    def rows(self) -> list[dict[str, Any]]:
        """One row per tab (C-TAB-01) as last known: nobody is asked."""
        return [record.row() for record in self.record.tabs.values()]

    async def answer_dialog(self, record: TabRecord, *, accept: bool, text: str | None) -> None:
        """Answer the dialog that is open in a tab."""
        await self._browser.ask(Browser.answer_dialog, record, accept=accept, text=text)

    async def open_hidden(self, context: str | None) -> tuple[str, CdpSession]:
        """A blank page of a context that is nobody's tab: its target, and a session on it."""
        return await self._browser.ask(Browser.open_hidden, context)

    async def serve(self, site: SiteRecord) -> None:
        """Serve a directory; raises `SessionProblem` if its port is taken."""
        await self._sites.ask(Sites.serve, self.record, site)

    async def stop_serving(self, *sites: SiteRecord) -> None:
        """End some of the session's sites."""
        await self._sites.ask(Sites.stop, self.record, *sites)
