"""Opening links of a page in background tabs, all at the same time."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import trio

from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab import navigation
from charlotte.actors.tab.actor import BlockedByDialog, TabActor
from charlotte.errors import CharlotteError, InvalidArgument, NavigationBlocked
from charlotte.page.model import compact_json
from charlotte.page.text.page import OK
from charlotte.tools.answer import Answer, Page, row_of
from charlotte.tools.answer_format import wants_text
from charlotte.tools.pages import json_answer, lines_answer, page_without_view
from charlotte.tools.remarks import tab_states, write_error, write_tab

_CLOSE_WAIT = 2.0


@attrs.define
class _LinkOpening:
    """A link that is opened: its tab and the status of its response, or why it was not opened."""

    link: str
    tab: TabRecord | None = None
    status: int | None = None
    error: CharlotteError | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row of the tab, or the error."""
        if self.error is not None or self.tab is None:
            return {"from": self.link, **(self.error.as_json() if self.error else {})}
        row = self.tab.row()
        shown = {name: value for name, value in row.items() if name not in {"id", "active"}}
        status = {} if self.status is None else {"status": self.status}
        return {"from": self.link, "tab_id": self.tab.id, **shown, **status}

    def write(self) -> str:
        """Return one line about the tab, or about the error."""
        if self.error is not None or self.tab is None:
            first, *others = write_error(self.error).split("\n") if self.error else [""]
            advice = " ".join(line.removeprefix("! ") for line in others)
            return f"{self.link}: {first} {advice}".rstrip()
        states = [] if self.status in {None, OK} else [f"status {self.status}"]
        states += [state for state in tab_states(self.tab) if state != "active"]
        return f"{self.link}: {write_tab(self.tab, states)}"


async def open_links(
    session: AgentSession, links: Sequence[str], from_tab: str | None, context: str | None
) -> Answer[Page]:
    """Open links of a tab in new tabs; the active tab stays the same.

    Returns a line for each link. A link that cannot be opened does not prevent the others.
    """
    source = await session.tab(from_tab)
    names = list(dict.fromkeys(links))
    found = await source.tab.ask(TabActor.perform, partial(_read_links, links=names))
    openings = [_LinkOpening(name) for name in names]
    active = session.record.active
    async with trio.open_nursery() as nursery:
        for opening in openings:
            place = found[opening.link]
            if isinstance(place, CharlotteError):
                opening.error = place
                continue
            name = source.context.name if context is None else context
            await nursery.start(_open, session, opening, place, name)
    if active in session.record.tabs:
        session.record.active = active
    opened = tuple(row_of(opening.tab) for opening in openings if opening.tab is not None)
    rows = [opening.as_json() for opening in openings]
    page = attrs.evolve(page_without_view(source, compact_json(rows)), opened_tabs=opened)
    if wants_text():
        lines = [opening.write() for opening in openings]
        page = attrs.evolve(page, answer_text="\n".join(lines))
        return lines_answer(lines, page, tab_id=source.id)
    return json_answer({"tabs": rows}, page, tab_id=source.id)


async def _read_links(tab: TabActor, links: Sequence[str]) -> Mapping[str, str | CharlotteError]:
    """Return the address of each link, or why it has none."""
    found: dict[str, str | CharlotteError] = {}
    for link in links:
        try:
            _, answer = await tab.locate(link, "destination")
            found[link] = answer["href"] or InvalidArgument(
                f"{tab.name(link)} is not a link.", "Pass ids of links, or click it instead."
            )
        except CharlotteError as error:
            found[link] = error
    return found


async def _open(
    session: AgentSession,
    opening: _LinkOpening,
    url: str,
    context: str,
    *,
    task_status: trio.TaskStatus[None],
) -> None:
    """Open a tab for a link and load it; the tab is closed again if its page cannot be loaded."""
    record: TabRecord | None = None
    try:
        address = session.record.settings.guard.checked(url)
        if refusal := await session.record.refusal(address, context):
            raise NavigationBlocked(refusal, "Use another address.")
        record = await session.open_tab(address, context, activate=False)
        task_status.started()
        load = partial(navigation.navigate, url=address)
        try:
            look = await record.tab.ask(TabActor.perform, load)
            opening.status = look.extras.get("status")
        except BlockedByDialog:  # the line of the tab describes the dialog
            pass
        opening.tab = record
    except CharlotteError as error:
        opening.error = error
        if record is None:
            task_status.started()
    finally:
        if record is not None and opening.tab is None:
            with trio.move_on_after(_CLOSE_WAIT, shield=True):
                await session.close_tab(record.id)
