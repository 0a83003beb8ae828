"""Making a tab what an agent wants it to be, now and in every later incarnation."""

from charlotte.actors.tab import Tab
from charlotte.browser.desired import Desired, begin, confirm, departures, frame_departures
from charlotte.errors import Fatal, InvalidArgument
from charlotte.protocol.errors import ProtocolError

_TAKES = 10.0


async def become(tab: Tab, desired: Desired) -> None:
    """Make the tab so; raises `InvalidArgument`, all being as before, if the browser refuses."""
    before, session = tab.record.desired, tab.page.session
    await tab.page.present()
    async with tab.page.answering(_TAKES):
        tab.record.desired = desired
        try:
            await session.call_all(*departures(before, desired))
        except Fatal:
            raise
        except ProtocolError as error:
            tab.record.desired = before
            await confirm(await begin(session, departures(desired, before)))
            raise InvalidArgument(
                f"The browser cannot do that: {error.refusal}", "Nothing was changed."
            ) from error
        for process in tab.page.processes:
            await begin(process, frame_departures(before, desired))
