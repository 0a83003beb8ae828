"""The child frames of a page: where the probe of each lives, and which element each lies in."""

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
    """The probe's world in one document of a frame, and the session of the frame's process.

    ``context`` names the world for ever, ``number`` within the session.
    """

    session: Session
    frame_id: str
    context: str
    number: int = 0

    async def begin(self, question: Evaluate) -> Pending[Evaluated]:
        """Put a question without waiting for the answer."""
        return await self.session.begin(question)

    async def wake(self) -> None:
        """Keep the accessibility tree of this document up to date, or names cost a lot."""
        await self.session.begin(GetRootAXNode(frame_id=self.frame_id))


class FrameWorlds:
    """The worlds of all frames, over all processes, as they come and go."""

    def __init__(self) -> None:
        self._worlds: dict[str, FrameWorld] = {}
        self._pages: dict[str, FrameWorld] = {}
        self._changed = trio.Event()

    def feed(self, session: Session, event: ContextEvent) -> None:
        """Take note of a context that came or went in a process."""
        match event:
            case ExecutionContextCreated(context):
                self._enter(session, context)
            case ExecutionContextDestroyed(unique_id):
                self._drop(lambda world: world.context == unique_id)
            case ExecutionContextsCleared():
                self.drop_session(session)
        self._tell()

    def _enter(self, session: Session, context: ExecutionContext) -> None:
        frame_id = context.aux_data.get("frameId", "")
        world = FrameWorld(session, frame_id, context.unique_id, context.id)
        if context.name == WORLD_NAME:
            self._worlds[frame_id] = world
        elif context.aux_data.get("isDefault"):
            self._pages[frame_id] = world

    def drop_session(self, session: Session) -> None:
        """Forget the frames of a process that is gone."""
        self._drop(lambda world: world.session is session)
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _drop(self, gone: Callable[[FrameWorld], bool]) -> None:
        self._worlds = {key: world for key, world in self._worlds.items() if not gone(world)}
        self._pages = {key: world for key, world in self._pages.items() if not gone(world)}

    def forget(self, world: FrameWorld) -> None:
        """Wait for another, unless it has been announced before we heard of this one's end."""
        self._drop(lambda one: one == world)

    def get(self, frame_id: str) -> FrameWorld | None:
        """The frame's present world; None while a document is being replaced, or for ever."""
        return self._worlds.get(frame_id)

    def all(self) -> list[FrameWorld]:
        """The present worlds of all frames, the main frame's too."""
        return list(self._worlds.values())

    async def change(self) -> None:
        """Wait until a world comes or goes."""
        await self._changed.wait()

    def own(self, frame_id: str) -> FrameWorld | None:
        """The world of the page's own scripts in a frame."""
        return self._pages.get(frame_id)

    async def wait(self, frame_id: str) -> FrameWorld:
        """The frame's world, as soon as it has one."""
        while (world := self._worlds.get(frame_id)) is None:
            await self.change()
        return world


async def frames_in(world: FrameWorld, nids: Iterable[int]) -> list[str | None]:
    """The ids of the frames that lie in these elements of a document; None where there is none."""
    nodes = await nodes_of(world.session, world.context, nids)
    return [None if node is None else node.frame_id for node in nodes]
