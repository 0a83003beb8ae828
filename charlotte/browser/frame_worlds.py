"""Isolated worlds of all frames, and the elements that contain the frames."""

from collections.abc import Callable, Iterable

import attrs
import trio

from charlotte.browser.isolated_world import WORLD_NAME, ContextEvent
from charlotte.browser.remote_nodes import nodes_of
from charlotte.protocol.accessibility import GetRootAXNode
from charlotte.protocol.connection import Pending
from charlotte.protocol.runtime import (
    Evaluate,
    Evaluated,
    ExecutionContext,
    ExecutionContextCreated,
    ExecutionContextDestroyed,
    ExecutionContextsCleared,
)
from charlotte.protocol.session import Session


@attrs.frozen
class FrameWorld:
    """The isolated world of a frame's document, and the session of its process.

    ``context`` identifies the world permanently, ``number`` within the session.
    """

    session: Session
    frame_id: str
    context: str
    number: int = 0

    async def begin(self, question: Evaluate) -> Pending[Evaluated]:
        """Send a question without waiting for the answer."""
        return await self.session.begin(question)

    async def wake(self) -> None:
        """Keep the accessibility tree of this document current, so that names are cheap."""
        await self.session.begin(GetRootAXNode(frame_id=self.frame_id))


class FrameWorlds:
    """The isolated worlds of all frames in all processes."""

    def __init__(self) -> None:
        self._worlds: dict[str, FrameWorld] = {}
        self._pages: dict[str, FrameWorld] = {}
        self._changed = trio.Event()

    def feed(self, session: Session, event: ContextEvent) -> None:
        """Record a created or destroyed execution context of a process."""
        match event:
            case ExecutionContextCreated(context):
                self._enter(session, context)
            case ExecutionContextDestroyed(unique_id):
                self._drop(lambda world: world.context == unique_id)
            case ExecutionContextsCleared():
                self.drop_session(session)
        self._notify()

    def _enter(self, session: Session, context: ExecutionContext) -> None:
        frame_id = context.aux_data.get("frameId", "")
        world = FrameWorld(session, frame_id, context.unique_id, context.id)
        if context.name == WORLD_NAME:
            self._worlds[frame_id] = world
        elif context.aux_data.get("isDefault"):
            self._pages[frame_id] = world

    def drop_session(self, session: Session) -> None:
        """Remove the frames of a process that ended."""
        self._drop(lambda world: world.session is session)
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _drop(self, gone: Callable[[FrameWorld], bool]) -> None:
        self._worlds = {key: world for key, world in self._worlds.items() if not gone(world)}
        self._pages = {key: world for key, world in self._pages.items() if not gone(world)}

    def forget(self, world: FrameWorld) -> None:
        """Remove a world, unless a new one has replaced it already."""
        self._drop(lambda one: one == world)

    def get(self, frame_id: str) -> FrameWorld | None:
        """Return the present world of a frame; None while its document is replaced."""
        return self._worlds.get(frame_id)

    def all(self) -> list[FrameWorld]:
        """Return the present worlds of all frames, including the main frame."""
        return list(self._worlds.values())

    async def change(self) -> None:
        """Wait until a world is added or removed."""
        await self._changed.wait()

    def own(self, frame_id: str) -> FrameWorld | None:
        """Return the main world of a frame."""
        return self._pages.get(frame_id)

    async def wait(self, frame_id: str) -> FrameWorld:
        """Wait until a frame has a world, and return it."""
        while (world := self._worlds.get(frame_id)) is None:
            await self.change()
        return world


async def frames_in(world: FrameWorld, nids: Iterable[int]) -> list[str | None]:
    """Return the ids of the frames in elements of a document; None for elements without one."""
    nodes = await nodes_of(world.session, world.context, nids)
    return [None if node is None else node.frame_id for node in nodes]
