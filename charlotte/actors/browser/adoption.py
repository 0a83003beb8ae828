"""Work in tabs of the browser's owner: their discovery, and the first session on an adopted tab.

Discovery needs no session, so no tab of the owner notices it. A session is opened only on a tab
that an agent adopts.
"""

import attrs
import trio

from charlotte.actors.state.owner_tabs import OwnerTab, OwnerTabs
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.errors import SessionProblem
from charlotte.protocol import page, target
from charlotte.protocol.connection import Connection, Session
from charlotte.protocol.errors import Refused

_ANSWERS_WITHIN = 2.0
_ATTACH_WAIT = 5.0
_DETACH_WAIT = 1.0


@attrs.define(eq=False)
class Adoption:
    """The owner's tabs in one incarnation of the browser; ``profile`` is the id of its context."""

    _connection: Connection
    _registry: Registry
    tabs: OwnerTabs
    _profile: str | None = None
    _present: set[str] = attrs.field(factory=set[str])

    async def begin(self) -> None:
        """Read which profile is the owner's, and the present tabs."""
        contexts = await self._connection.root.call(target.GetBrowserContexts())
        self._profile = contexts.default_browser_context_id
        await self.read()

    async def read(self) -> None:
        """Read the present tabs."""
        targets = await self._connection.root.call(target.GetTargets())
        present = {info.target_id: info for info in targets}
        self._present = {*present}
        for gone in self.tabs.tabs.keys() - present.keys():
            self.tabs.forget(gone)
        for info in present.values():
            self.note(info)

    def note(self, info: target.TargetInfo) -> OwnerTab | None:
        """Record and return a tab if it belongs to the profile and is not one of a session."""
        ours = self._registry.by_target(info.target_id)
        is_owners = info.type == "page" and info.browser_context_id == self._profile
        if not is_owners or (ours is not None and ours.adopted is None):
            return None
        return self.tabs.note(info.target_id, info.url, info.title)

    def note_change(self, info: target.TargetInfo) -> None:
        """Record the address and title of a known tab."""
        if info.target_id in self.tabs.tabs:
            self.tabs.note(info.target_id, info.url, info.title)

    def is_present(self, target_id: str) -> bool:
        """Return whether a page existed when the tabs were read."""
        return target_id in self._present

    def find_again(self, record: TabRecord) -> OwnerTab | None:
        """Return the page of an adopted tab after a reconnection: by its id, else its address.

        Return None without such a page, or if it is not granted.
        """
        known = self.tabs.tabs.get(record.target_id)
        same_address = (tab for tab in self.tabs.granted() if tab.url == record.address)
        free = (tab for tab in same_address if tab.adopted_as in {None, record.id})
        found = known or next(free, None)
        is_granted = found and self.tabs.is_granted(found.url, found.target_id)
        return found if is_granted else None

    async def attach(self, target_id: str, name: str) -> Session:
        """Attach to a page that answers; raises `SessionProblem` if it does not.

        A page without a renderer does not answer, and is left alone. A page that does not answer is
        left at once, which drops the commands to it.
        """
        root = self._connection.root
        session_id = ""
        try:
            # shielded, because a late reply would leave a session behind
            with trio.move_on_after(_ATTACH_WAIT, shield=True):
                session_id = await root.call(target.AttachToTarget(target_id=target_id))
        except Refused as error:
            raise SessionProblem(
                f"{name} has just been closed or discarded.", "Call tabs for the present tabs."
            ) from error
        if not session_id:
            raise _does_not_answer(name)
        session, has_answered = self._connection.session(session_id), False
        try:
            with trio.move_on_after(_ANSWERS_WITHIN):
                await session.call(page.GetFrameTree())
                has_answered = True
        finally:
            if not has_answered and session.is_open:
                with trio.move_on_after(_DETACH_WAIT, shield=True):
                    await root.begin(target.DetachFromTarget(session_id=session_id))
        if not has_answered:
            raise _does_not_answer(name)
        # the first session that enables Page can answer dialogs
        await session.begin(page.EnablePage())
        return session


def in_use(tab: OwnerTab) -> SessionProblem:
    """Return the error for a tab that a session works in already."""
    return SessionProblem(
        f"{tab.id} is adopted already, as {tab.adopted_as}.",
        "Use that id if it is in your list of tabs; else wait until its session releases it.",
    )


def _does_not_answer(name: str) -> SessionProblem:
    return SessionProblem(
        f"{name} does not answer: the browser has put it to sleep, a script keeps it busy, or a "
        "dialog is open in it.",
        "Ask the browser's owner to look at the tab, or adopt another tab.",
    )
