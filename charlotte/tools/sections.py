"""Answers of several sections: what a call found for each of its texts, or in each of its tabs."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import attrs
import trio

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import BlockedByDialog
from charlotte.config import LENGTHS
from charlotte.errors import CharlotteError
from charlotte.page.model import compact_json
from charlotte.tools.answer import Answer, Text
from charlotte.tools.answer_format import wants_text
from charlotte.tools.pages import blocked_answer
from charlotte.tools.remarks import write_error

R = TypeVar("R")

_OWN_LINES = ("… ", "! ")
_ENDS = 250
"""Characters of a section beside its answer: heading, marks of lines, the remark about a cut."""


def join_json(texts: Iterable[str]) -> str:
    """Return the blocks of an answer as the members ``result`` and ``more`` of a JSON object."""
    rows = [text if text[:1] in ("{", "[") else compact_json(text) for text in texts]
    first, *others = rows or ["null"]
    return f'"result":{first}' + (f',"more":[{",".join(others)}]' if others else "")


@attrs.frozen
class Section:
    """A section: ``key`` names it in JSON, ``heading`` in text; its answer, or the error."""

    key: Mapping[str, str]
    heading: str
    answer: Answer | None = None
    error: CharlotteError | None = None

    def as_json(self) -> str:
        """Return the JSON object of the section."""
        head = compact_json(self.key)[:-1]
        if self.error is not None:
            return f'{head},"error":{compact_json(self.error.as_json()["error"])}}}'
        return f"{head},{join_json(block.text for block in self._texts())}}}"

    def write(self) -> str:
        """Return the lines of the section; text of a page is marked with ``>``."""
        if self.error is not None:
            return f"{self.heading} {write_error(self.error)}"
        lines: list[str] = []
        for block in self._texts():
            mark = "> " if block.form == "page" else ""
            lines += [f"{mark}{self._with_tab(line)}" for line in block.text.split("\n")]
        if lines[0].startswith(self.heading[:-1]):  # the header of a page
            return "\n".join(lines)
        return "\n".join([self.heading, *lines]) if lines[1:] else f"{self.heading} {lines[0]}"

    def _with_tab(self, line: str) -> str:
        """Return a line of Charlotte's with the tab of its cursor."""
        tab_id = self.key.get("tab_id")
        if tab_id is None or not line.startswith(_OWN_LINES):
            return line
        return line.replace('{cursor: "', f'{{tab_id: "{tab_id}", cursor: "')

    def _texts(self) -> Iterator[Text]:
        blocks = self.answer.blocks if self.answer else ()
        return (block for block in blocks if isinstance(block, Text))


def join_sections(name: str, sections: Sequence[Section], value: R, **metadata: Any) -> Answer[R]:
    """Return one answer with all sections; in JSON they are a list with that name."""

    def delivered() -> None:
        for section in sections:
            if section.answer is not None:
                section.answer.delivered()

    if wants_text():
        text = Text("\n".join(section.write() for section in sections))
    else:
        rows = ",".join(section.as_json() for section in sections)
        text = Text(f'{{"{name}":[{rows}]}}', form="json")
    return Answer((text,), metadata, delivered=delivered, value=value)


def share(max_chars: int, count: int) -> int:
    """Return the characters of each of several sections."""
    return max(max_chars // count - _ENDS, LENGTHS[0])


async def read_tabs(
    tab: TabHandle,
    tab_ids: Sequence[str],
    max_chars: int | None,
    read: Callable[[TabHandle, int], Awaitable[Answer[R]]],
    blocked: Callable[[TabRecord], Answer[Any]],
) -> tuple[list[Section], list[Answer[R]]]:
    """Read several tabs of the session at the same time, each within its share of the characters.

    Returns a section for each tab, and the answers of the tabs that could be read. An error in a
    tab is reported in its section.
    """
    session = tab.record.session
    names = list(dict.fromkeys(tab_ids))
    room = share(max_chars or session.settings.max_chars, len(names))
    sections: dict[str, Section] = {}
    answers: dict[str, Answer[R]] = {}

    async def read_one(name: str) -> None:
        section = Section({"tab_id": name}, f"{name}:")
        try:
            record = session.find(name)
            handle = attrs.evolve(tab, record=record)
            try:
                answer = answers[name] = await read(handle, room)
            except BlockedByDialog as error:
                answer = blocked_answer(error, blocked)
            finally:
                record.used.set()
            answer = answer.with_error_page(record.error_note)
            sections[name] = attrs.evolve(section, answer=answer)
        except CharlotteError as error:
            sections[name] = attrs.evolve(section, error=error)

    async with trio.open_nursery() as nursery:
        for name in names:
            nursery.start_soon(read_one, name)
    return [sections[name] for name in names], [answers[name] for name in names if name in answers]
