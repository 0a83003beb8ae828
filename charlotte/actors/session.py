"""An agent's session as used by tools: the control plane, which never waits for a page."""

from typing import Any

import trio

from charlotte.actors.browser.actor import Browser
from charlotte.actors.dev_server import Sites
from charlotte.actors.kernel.mailbox import Mailbox, Message
from charlotte.actors.state.dev_sites import SiteRecord
from charlotte.actors.state.records import DEFAULT, SessionRecord, TabRecord
from charlotte.progress import stage
from charlotte.protocol.connection import Session as CdpSession

_CLOSE_WAIT = 2.0


class AgentSession:
    """A session's record with access to the actors; methods run in the caller's task."""

    def __init__(
        self, record: SessionRecord, browser: Mailbox[Browser], sites: Mailbox[Sites]
    ) -> None:
        self.record = record
        self._browser = browser
        self._sites = sites
        self._first_tab = trio.Lock()

    async def tab(self, tab_id: str | None) -> TabRecord:
        """Return the named tab, or by default the active tab, which is opened if necessary.

        Raises the reason if the browser cannot be started.
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
        """Open a tab, blank or navigating to ``url``, and make it the active tab."""

        async def work(browser: Browser) -> TabRecord:
            return await browser.open_tab(self.record, activate=True, url=url, context=context)

        self.record.check_open()
        message = Message(work, "open_tab")
        try:
            async with self._browser.post(message):
                opened: TabRecord = await message.result()
                return opened
        except trio.Cancelled:
            if message.value is not None:  # opened at the moment in which the caller left
                with trio.move_on_after(_CLOSE_WAIT, shield=True):
                    await self.close_tab(message.value.id)
            raise

    async def close_tab(self, tab_id: str) -> None:
        """Close a tab, even if its page is blocked."""
        await self._browser.ask(Browser.close_tab, self.record.find(tab_id))

    def rows(self) -> list[dict[str, Any]]:
        """Return the last known state of each tab (C-TAB-01) without asking the tabs."""
        return [record.row() for record in self.record.tabs.values()]

    async def answer_dialog(self, record: TabRecord, *, accept: bool, text: str | None) -> None:
        """Answer the dialog that is open in a tab."""
        await self._browser.ask(Browser.answer_dialog, record, accept=accept, text=text)

    async def open_hidden(self, context: str | None) -> tuple[str, CdpSession]:
        """Open a blank page outside all tabs; return its target id and a session on it."""
        return await self._browser.ask(Browser.open_hidden, context)

    async def serve(self, site: SiteRecord) -> None:
        """Serve a directory; raises `SessionProblem` if its port is in use."""
        await self._sites.ask(Sites.serve, self.record, site)

    async def stop_serving(self, *sites: SiteRecord) -> None:
        """Stop some of the session's sites."""
        await self._sites.ask(Sites.stop, self.record, *sites)
