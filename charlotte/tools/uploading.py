"""The tool that hands files to a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from charlotte.actors.tab.actor import Tab
from charlotte.browser.file_chooser import not_asked_for
from charlotte.browser.file_upload import accept_of, drop, fill_input, opened
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.remote_nodes import nodes_of
from charlotte.errors import ElementNotInteractive, InvalidArgument
from charlotte.protocol.page import FileChooserOpened
from charlotte.tools.aiming import ACTION_DEADLINE, checked, point_of, press_element
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId
from charlotte.tools.schema.tool import tool

_MOST_FILES = 100

Paths = Annotated[Sequence[str], Limits(min_length=1, max_length=_MOST_FILES)]


@tool(group="interaction", position=370, deadline=ACTION_DEADLINE)
async def upload(
    tab: Tab,
    element_id: ElementId,
    paths: Annotated[Paths, "Files inside the roots; several only if the page accepts several"],
    *,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Give files to a file input, the button that opens its dialog, or a drop zone.

    Returns what changed.
    """
    files = tab.record.session.settings.files.files(paths)
    look = await tab.act(lambda: _give(tab, element_id, files), element_id)
    return page_answer(tab, look, detail)


async def _give(tab: Tab, reference: str, files: Sequence[Path]) -> None:
    answer = checked(await tab.on_element(reference, "fileInput"), reference)
    place = await tab.references.place(reference)
    home = tab.home(place)
    if home is None:
        raise tab.references.missing(reference)
    world, _ = home
    if "nid" not in answer:
        if "drops" in answer and await _drop(tab, reference, files):
            return
        await _give_by_click(tab, reference, world, files)
        return
    _check_count(reference, files, multiple="multiple" in answer)
    [node] = await nodes_of(world.session, world.context, [answer["nid"]])
    if node is None:
        raise tab.references.missing(reference)
    await fill_input(world.session, node.backend_node_id, files)
    _note_strangers(tab, reference, files, answer.get("accept", ""))


def _note_strangers(tab: Tab, reference: str, files: Sequence[Path], accept: str) -> None:
    """Say which files the input does not ask for: a page may refuse them without a word."""
    if strangers := not_asked_for(files, accept):
        names = ", ".join(repr(file.name) for file in strangers)
        tab.references.note(f"{reference} accepts {accept!r}: a file chooser would hide {names}.")


async def _give_by_click(
    tab: Tab, reference: str, world: FrameWorld, files: Sequence[Path]
) -> None:
    """Click what may open a file chooser; if it opens none, drop the files on it.

    What listens for drops itself does not come here, if it takes them.
    """
    with tab.page.choosing(), world.session.events(FileChooserOpened) as choosers:
        await press_element(tab, reference)
        chooser = await opened(choosers)
        if chooser is not None and chooser.backend_node_id is not None:
            _check_count(reference, files, multiple=chooser.mode == "selectMultiple")
            accept = await accept_of(world.session, chooser.backend_node_id)
            await fill_input(world.session, chooser.backend_node_id, files)
            _note_strangers(tab, reference, files, accept)
            return
    if not await _drop(tab, reference, files):
        raise ElementNotInteractive(
            f"{reference} takes no files: it is no file input, a click on it opens no file "
            "chooser, and the page takes nothing that is dragged there.",
            "Give the id of the file input, of its label or button, or of the drop zone.",
        )
    tab.references.note(f"{reference} was clicked, which opened no file chooser, then dropped on.")


async def _drop(tab: Tab, reference: str, files: Sequence[Path]) -> bool:
    async def is_taken() -> bool:
        return bool((await tab.on_element(reference, "isDropTaken"))["taken"])

    await tab.on_element(reference, "watchDrop")
    point = await point_of(tab, reference, "visible")
    async with tab.page.answering():
        return await drop(tab.page.session, point, files, is_taken)


def _check_count(reference: str, files: Sequence[Path], *, multiple: bool) -> None:
    if len(files) > 1 and not multiple:
        raise InvalidArgument(
            f"{reference} takes one file, not {len(files)}.", "Give a single path."
        )
