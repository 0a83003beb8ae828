"""Makes the text of an answer of lines, and sees how many of them fit."""

from collections.abc import Mapping, Sequence
from typing import Any

from charlotte.page.modes.lines import Line
from charlotte.page.render.cut import compact

_REF = 20
"""Characters set aside for the e-ref of a line, which is not known before it is sure to be sent."""


def fitting(header: Sequence[str], lines: Sequence[Line], max_chars: int) -> int:
    """How many of the lines fit under the header; at least one."""
    room = max_chars - sum(len(one) + 1 for one in header)
    for count, line in enumerate(lines):
        room -= 2 * line.depth + len(line.text) + (_REF if line.given else 0) + 1
        if room < 0:
            return max(count, 1)
    return len(lines)


def written(line: Line, refs: Mapping[int, str]) -> str:
    """A line as it is sent, with the e-ref of its element."""
    ref = line.given and refs.get(line.given.nid)
    return f"{'  ' * line.depth}{line.text}{f' [ref={ref}]' if ref else ''}"


def text_of(
    header: Sequence[str], lines: Sequence[Line], notes: Sequence[str], refs: Mapping[int, str]
) -> str:
    """The header and an empty line, if there is one; the lines; the notes."""
    head = [*header, ""] if header else []
    return "\n".join([*head, *(written(line, refs) for line in lines), *notes])


def fitting_refs(infos: Mapping[str, dict[str, Any]], max_chars: int) -> dict[str, dict[str, Any]]:
    """What is said of the first references, as far as that fits as JSON."""
    told: dict[str, dict[str, Any]] = {}
    for name, info in infos.items():
        max_chars -= len(name) + len(compact(info)) + len('"":,')
        if max_chars < 0:
            break
        told[name] = info
    return told
