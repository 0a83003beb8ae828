"""Handing files to a page: into an input, through its file chooser, or dropped on it."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import trio

from charlotte.browser.drag import Point, carry
from charlotte.protocol.dom import DescribeNode, SetFileInputFiles
from charlotte.protocol.page import FileChooserOpened
from charlotte.protocol.session import Session, Subscription

_CHOOSER_WAIT = 1.5
_COPY = 1


async def fill_input(session: Session, node: int, files: Sequence[Path]) -> None:
    """Have the input with that backend node id hold the files."""
    await session.call(SetFileInputFiles(files=[str(file) for file in files], backend_node_id=node))


async def accept_of(session: Session, node: int) -> str:
    """What kinds of files the input with that backend node id asks for; empty for all."""
    told = (await session.call(DescribeNode(backend_node_id=node))).node.attributes
    return dict(zip(told[::2], told[1::2], strict=True)).get("accept", "")


async def opened(choosers: Subscription[FileChooserOpened]) -> FileChooserOpened | None:
    """The chooser that a click opened, if it did."""
    with trio.move_on_after(_CHOOSER_WAIT):
        return await choosers.next()
    return None


async def drop(
    session: Session,
    point: Point,
    files: Sequence[Path],
    is_taken: Callable[[], Awaitable[bool]],
) -> bool:
    """Drag files over a point, and drop them there if the page takes them.

    A drop that nobody takes would have the browser open the file.
    """
    data: dict[str, Any] = {
        "items": [], "files": [str(file) for file in files], "dragOperationsMask": _COPY,
    }  # fmt: skip
    return await carry(session, data, point, [point], is_taken)
