"""Isolated worlds of the main frame and of all frames, and calls of the probe in them."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import attrs
import trio

from charlotte.base.errors import DeadlineExceeded
from charlotte.protocol.connection import CdpSession, Pending, Then
from charlotte.protocol.dom import DescribeNode, DomNode, GetRootAXNode, ResolveNode
from charlotte.protocol.errors import ContextGone, NodeGone, SessionGone, Terminated
from charlotte.protocol.runtime import (
    CallFunctionOn,
    Evaluate,
    Evaluated,
    ExecutionContextCreated,
    ExecutionContextDestroyed,
    ExecutionContextsCleared,
)
from charlotte.protocol.wire import Command

WORLD_NAME = "charlotte"

_ATTEMPTS = 4

ContextEvent = ExecutionContextCreated | ExecutionContextDestroyed | ExecutionContextsCleared


class ProbeFailed(Exception):
    """The probe raised an exception, which is a bug of Charlotte."""


class Withheld(Exception):
    """The document of a frame must not be read."""


def question(context: str, function: str, *arguments: object) -> Evaluate:
    """Build the command that calls a function of the probe in a document."""
    return Evaluate(
        expression=f"charlotte.{function}({', '.join(map(json.dumps, arguments))})",
        unique_context_id=context,
        return_by_value=True,
        await_promise=True,
    )


def answer_of(evaluated: Evaluated) -> Any:
    """Return the result of a function of the probe; raises `ProbeFailed`."""
    if thrown := evaluated.exception_details:
        raise ProbeFailed((thrown.exception and thrown.exception.description) or thrown.text)
    return evaluated.result.value


async def read_answer(asked: Pending[Evaluated]) -> dict[str, Any]:
    """Wait for the answer of a function of the probe that returns an object."""
    answer: dict[str, Any] = json.loads(answer_of(await asked.result()))
    return answer


@attrs.frozen
class FrameWorld:
    """The isolated world of a frame's document, and the session of its process.

    ``context`` identifies the world permanently, ``number`` within the session.
    """

    session: CdpSession
    frame_id: str
    context: str
    number: int = 0

    async def begin(self, function: str, *arguments: object) -> Pending[Evaluated]:
        """Call a function of the probe; `read_answer` waits for its answer."""
        return await self.session.begin(question(self.context, function, *arguments))

    async def wake(self) -> None:
        """Keep the accessibility tree of this document current, so that names are cheap."""
        await self.session.begin(GetRootAXNode(frame_id=self.frame_id))


class FrameWorlds:
    """The isolated worlds of all frames in all processes, and the main worlds of their pages.

    ``session`` is the one of the main frame, in whose world the probe is asked by default.
    """

    def __init__(self, session: CdpSession, main_frame: str) -> None:
        self.main_frame = main_frame
        self._session = session
        self._awake = ""
        self._worlds: dict[tuple[str, bool], FrameWorld] = {}
        self._withheld: set[str] = set()
        self._changed = trio.lowlevel.ParkingLot()

    def feed(self, session: CdpSession, event: ContextEvent) -> None:
        """Record a created or destroyed execution context of a process."""
        match event:
            case ExecutionContextCreated(context):
                frame_id = context.aux_data.get("frameId", "")
                is_ours = context.name == WORLD_NAME
                if is_ours or context.aux_data.get("isDefault"):
                    world = FrameWorld(session, frame_id, context.unique_id, context.id)
                    self._worlds[frame_id, is_ours] = world
                self._changed.unpark_all()
            case ExecutionContextDestroyed(unique_id):
                self._drop(lambda world: world.context == unique_id)
            case ExecutionContextsCleared():
                self.drop_session(session)

    def _drop(self, gone: Callable[[FrameWorld], bool]) -> None:
        self._worlds = {key: world for key, world in self._worlds.items() if not gone(world)}
        self._changed.unpark_all()

    def drop_session(self, session: CdpSession) -> None:
        """Remove the frames of a process that ended."""
        self._drop(lambda world: world.session is session)

    def forget(self, world: FrameWorld) -> None:
        """Remove a world, unless a new one has replaced it already."""
        self._drop(lambda known: known == world)

    def get(self, frame_id: str) -> FrameWorld | None:
        """Return the present world of a frame; None while its document is replaced."""
        return self._worlds.get((frame_id, True))

    def all(self) -> list[FrameWorld]:
        """Return the present worlds of all frames, including the main frame."""
        return [world for (_, is_ours), world in self._worlds.items() if is_ours]

    def main_world(self, frame_id: str) -> FrameWorld | None:
        """Return the main world of a frame."""
        return self._worlds.get((frame_id, False))

    def withhold(self, frame_id: str, *, withheld: bool) -> None:
        """Record whether the present document of a frame must not be read."""
        if withheld:
            self._withheld.add(frame_id)
            self._drop(lambda world: world.frame_id == frame_id)
        else:
            self._withheld.discard(frame_id)

    async def wait(self, frame_id: str) -> FrameWorld:
        """Wait until a frame has a world, and return it; raises `Withheld`."""
        while (world := self.get(frame_id)) is None:
            if frame_id in self._withheld:
                raise Withheld
            await self._changed.park()
        return world

    async def ask(self, function: str, *arguments: object, then: Then | None = None) -> Any:
        """Call a probe function without side effects in the main frame's present document.

        ``then`` runs while the answer is on its way. Raises `DeadlineExceeded` if no document
        exists long enough to answer.
        """
        for _ in range(_ATTEMPTS):
            world = await self.wait(self.main_frame)
            try:
                return await self.ask_in(world.context, function, *arguments, then=then)
            except ContextGone:
                self.forget(world)
            except Terminated:  # meant for a script that had just ended
                pass
        raise DeadlineExceeded(
            "The page navigates continuously; no document answered.",
            "Try again in a moment, or navigate to another page.",
        )

    async def ask_in(
        self, context: str, function: str, *arguments: object, then: Then | None = None
    ) -> Any:
        """Call a probe function in one document; raises `ContextGone` if it was replaced."""
        # Enabling the Accessibility domain affects only documents that load later. In earlier ones,
        # computed names are a thousand times slower until the accessibility engine is woken.
        waking = () if context == self._awake else (GetRootAXNode(),)
        call = question(context, function, *arguments)
        *_, evaluated = await self._session.call_all(*waking, call, then=then)
        self._awake = context
        return answer_of(evaluated)


R = TypeVar("R")

GONE = (ContextGone, NodeGone, SessionGone)
"""Errors of commands for a document, node or process that no longer exists."""


async def nodes_of(world: FrameWorld, nids: Iterable[int]) -> list[DomNode | None]:
    """Return the nodes with these numbers in a document, None for removed ones: two round trips."""
    asked = [
        Evaluate(expression=f"charlotte.element({nid})", unique_context_id=world.context)
        for nid in nids
    ]
    found = await _call_all(world.session, asked)
    ids = [each and each.result.object_id for each in found]
    described = [DescribeNode(object_id=object_id) if object_id else None for object_id in ids]
    return await _call_all(world.session, described)


async def hand_over_closed(world: FrameWorld, nids: Sequence[int]) -> bool:
    """Give the probe the closed shadow roots of elements; return whether there are any."""
    nodes = await nodes_of(world, nids)
    closed = [
        (nid, ResolveNode(backend_node_id=root.backend_node_id, execution_context_id=world.number))
        for nid, node in zip(nids, nodes, strict=True)
        for root in (node.shadow_roots if node else [])
        if root.shadow_root_type == "closed"
    ]
    roots = await _call_all(world.session, [resolve for _, resolve in closed])
    given = [
        CallFunctionOn(
            object_id=root.object_id,
            function_declaration=f"function () {{ charlotte.adopt({nid}, this); }}",
        )
        for (nid, _), root in zip(closed, roots, strict=True)
        if root and root.object_id
    ]
    await _call_all(world.session, given)
    return bool(given)


async def _call_all(session: CdpSession, commands: Sequence[Command[R] | None]) -> list[R | None]:
    """Run commands in one round trip; None for objects that no longer exist."""
    pending = [None if command is None else await session.begin(command) for command in commands]
    results: list[R | None] = []
    for reply in pending:
        try:
            results.append(None if reply is None else await reply.result())
        except GONE:
            results.append(None)
    return results
