"""Making a tab what an agent wants it to be, now and in every later incarnation."""

from collections.abc import Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Tab
from charlotte.browser.emulation_state import Desired, begin, confirm, departures, frame_departures
from charlotte.errors import Fatal, InvalidArgument
from charlotte.protocol import network
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.page import AddScriptToEvaluateOnNewDocument
from charlotte.protocol.session import Session
from charlotte.protocol.wire import Command

_TAKES = 10.0
_OTHERS_TAKE = 1.0


async def _refusal(session: Session, commands: Sequence[Command[Any]]) -> ProtocolError | None:
    """Give the commands; what the browser says against one of them."""
    try:
        await session.call_all(*commands)
    except Fatal:
        raise
    except ProtocolError as refusal:
        return refusal
    return None


async def become(tab: Tab, desired: Desired) -> None:
    """Make the tab so; raises `InvalidArgument`, all being as before, if the browser refuses."""
    before, session = tab.record.desired, tab.page.session
    await tab.page.present()
    async with tab.page.answering(_TAKES):
        tab.record.desired = desired
        if refused := await _refusal(session, _awake(desired, departures(before, desired))):
            tab.record.desired = before
            await confirm(await begin(session, departures(desired, before)))
            raise InvalidArgument(
                f"The browser cannot do that: {refused.refusal}", "Nothing was changed."
            ) from refused
        commands = _awake(desired, frame_departures(before, desired))
        await _tell([*tab.page.processes, *_workers(tab.record)], commands)


async def _tell(others: Sequence[Session], commands: Sequence[Command[Any]]) -> None:
    """Have frames and workers be so too; one that does not answer, or has ended, holds nobody."""
    begun = [pending for one in others for pending in await begin(one, commands)]
    with trio.move_on_after(_OTHERS_TAKE):
        for pending in begun:
            await pending.settled.wait()


def _workers(record: TabRecord) -> list[Session]:
    return [one.session for one in record.context.workers if one.tab_id == record.id]


def _awake(desired: Desired, commands: Sequence[Command[Any]]) -> Sequence[Command[Any]]:
    """Have the Network domain there, which may rest from a flood."""
    return [network.Enable(), *commands] if desired.needs_network else commands


async def run_from_now_on(tab: Tab, sources: Sequence[str]) -> None:
    """Have scripts run in every later document of the tab, in this and in later incarnations.

    One that does already is not run twice.
    """
    desired = tab.record.desired
    new = [source for source in sources if source not in desired.scripts]
    tab.record.desired = attrs.evolve(desired, scripts=(*desired.scripts, *new))
    commands = [AddScriptToEvaluateOnNewDocument(source=source) for source in new]
    await tab.page.session.call_all(*commands)
    for process in tab.page.processes:
        await begin(process, commands)
