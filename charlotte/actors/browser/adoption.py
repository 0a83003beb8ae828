"""Work in tabs of the browser's owner: their discovery, and the first session on an adopted tab.

Discovery needs no session, so no tab of the owner notices it. A session is opened only on a tab
that an agent adopts.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import trio

from charlotte.actors.state.owner_tabs import OwnerTab, OwnerTabs
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.base.errors import SessionProblem
from charlotte.protocol import page, target
from charlotte.protocol.connection import CdpSession, Connection
from charlotte.protocol.errors import ProtocolError, Refused

_DETACH_WAIT = 1.0


@attrs.define(eq=False)
class Adoption:
    """The owner's tabs in one incarnation of the browser; ``profile`` is the id of its context.

    ``present`` are the targets of all pages when the tabs were read.
    """

    _connection: Connection
    _registry: Registry
    tabs: OwnerTabs
    _profile: str | None = None
    present: set[str] = attrs.field(factory=set[str])

    async def begin(self) -> None:
        """Read which profile is the owner's, and the present tabs."""
        contexts = await self._connection.root.call(target.GetBrowserContexts())
        self._profile = contexts.default_browser_context_id
        await self.read()

    async def read(self) -> None:
        """Read the present tabs."""
        targets = await self._connection.root.call(target.GetTargets())
        present = {info.target_id: info for info in targets}
        self.present = {*present}
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

    async def is_debugged(self, target_id: str) -> bool:
        """Return whether a program is attached to a page, such as the server of another agent."""
        targets = await self._connection.root.call(target.GetTargets())
        return any(info.attached for info in targets if info.target_id == target_id)

    async def attach(self, target_id: str, name: str, *, wake: bool = False) -> CdpSession:
        """Attach to a page that answers; raises `SessionProblem` if it does not.

        A page without a renderer is loaded again with ``wake``, else left alone.
        """
        try:
            async with self._attached(target_id, name) as session:
                await _check_answers(session, name)
        except _Asleep:
            if not wake:
                raise
            async with self._attached(target_id, name) as session:
                await _wake(session, name)
        # the first session that enables Page can answer dialogs
        await session.begin(page.EnablePage())
        return session

    @asynccontextmanager
    async def _attached(self, target_id: str, name: str) -> AsyncGenerator[CdpSession]:
        """Attach to a page; detach if the block fails, which drops its commands."""
        root = self._connection.root
        session_id = ""
        try:
            # shielded, because a late reply would leave a session behind
            with trio.move_on_after(5.0, shield=True):
                session_id = await root.call(target.AttachToTarget(target_id=target_id))
        except Refused as error:
            raise SessionProblem(
                f"{name} has just been closed or discarded.", "Call tabs for the present tabs."
            ) from error
        if not session_id:
            raise _busy(name)
        session = self._connection.session(session_id)
        try:
            yield session
        except BaseException:
            if session.is_open:
                with trio.move_on_after(_DETACH_WAIT, shield=True):
                    await root.begin(target.DetachFromTarget(session_id=session_id))
            raise


class _Asleep(SessionProblem):
    """The page has no renderer."""


async def _check_answers(session: CdpSession, name: str) -> None:
    """Raise `SessionProblem` if a page does not answer; it is not woken."""
    with trio.move_on_after(2.0):
        await session.call(page.GetFrameTree())
        return
    # Without a renderer, this is refused at once; a busy page does not answer.
    with trio.move_on_after(0.5):
        try:
            await session.call(page.CaptureScreenshot(format="jpeg"))
        except Refused:
            raise _Asleep(
                f"{name} is asleep: the browser has discarded its page, or the page has crashed.",
                f'tabs{{adopt: "{name}", wake: true}} loads the page again in the background; text '
                "entered in its forms may be lost.",
            ) from None
    raise _busy(name)


async def _wake(session: CdpSession, name: str) -> None:
    """Load a page without a renderer in the background; raises `SessionProblem`."""
    try:
        with trio.move_on_after(15.0):
            await session.begin(page.Reload())
            await session.call(page.GetFrameTree())
            return
    except ProtocolError as error:
        raise SessionProblem(
            f"{name} could not be loaded again: {error.message}", "Adopt another tab."
        ) from error
    raise _busy(name)


def _busy(name: str) -> SessionProblem:
    return SessionProblem(
        f"{name} does not answer: a script keeps it busy, or a dialog is open in it.",
        "Ask the browser's owner to look at the tab, or adopt another tab.",
    )


def in_use(tab: OwnerTab) -> SessionProblem:
    """Return the error for a tab that a session works in already."""
    return SessionProblem(
        f"{tab.id} is adopted already, as {tab.adopted_as}.",
        "Use that id if it is in your list of tabs; else wait until its session releases it.",
    )
