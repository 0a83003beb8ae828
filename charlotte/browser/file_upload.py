"""File uploads: through an input, a file chooser or a drop, and accepted file types."""

import mimetypes
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import trio

from charlotte.browser.drag import Point, carry
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.dom import DescribeNode, SetFileInputFiles
from charlotte.protocol.page import FileChooserOpened

_CHOOSER_WAIT = 1.5
_COPY = 1


async def fill_input(session: Session, node: int, files: Sequence[Path]) -> None:
    """Set the files of the input with a backend node id."""
    await session.call(SetFileInputFiles(files=[str(file) for file in files], backend_node_id=node))


async def get_accept(session: Session, node: int) -> str:
    """Return the attribute ``accept`` of the input with a backend node id."""
    attributes = (await session.call(DescribeNode(backend_node_id=node))).attributes
    return dict(zip(attributes[::2], attributes[1::2], strict=True)).get("accept", "")


async def wait_for_chooser(choosers: Subscription[FileChooserOpened]) -> FileChooserOpened | None:
    """Wait for a file chooser that a click opened; None if it opened none."""
    with trio.move_on_after(_CHOOSER_WAIT):
        return await choosers.next()
    return None


async def drop_files(
    session: Session,
    point: Point,
    files: Sequence[Path],
    is_taken: Callable[[], Awaitable[bool]],
) -> bool:
    """Drag files over a point and drop them if the page accepts them.

    The browser would open a file after a drop that the page does not accept.
    """
    data: dict[str, Any] = {
        "items": [], "files": [str(file) for file in files], "dragOperationsMask": _COPY,
    }  # fmt: skip
    return await carry(session, data, point, [point], is_taken)


_MISSPELT = {"image/jpg": "image/jpeg"}


def unaccepted_files(files: Sequence[Path], accept: str) -> list[Path]:
    """Return the files that a file chooser would not offer for ``accept``."""
    wanted = [part.strip().lower() for part in accept.split(",") if part.strip()]
    if not wanted:
        return []
    return [file for file in files if not any(_fits(file.name.lower(), kind) for kind in wanted)]


def _fits(name: str, wanted: str) -> bool:
    """Return whether a name matches an accepted type; unknown types match every name."""
    if wanted.startswith("."):
        return name.endswith(wanted)
    suffix = Path(name).suffix
    if wanted.endswith("/*"):
        kind, _ = mimetypes.guess_type(f"file{suffix}", strict=False)
        return wanted == "*/*" or (kind or "").startswith(wanted.removesuffix("*"))
    endings = mimetypes.guess_all_extensions(_MISSPELT.get(wanted, wanted), strict=False)
    return not endings or suffix in endings
