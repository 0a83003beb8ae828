"""Truncation of responses: what is sent of each list, and where the rest continues."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.model import clip_text, compact_json

T = TypeVar("T")

_CURSOR = re.compile(r"(v?)(\d{1,15})\.([a-z_]{1,20})\.(\d{1,15})")
_ENTRY = 130
"""Characters reserved for the truncation entry of one list."""


@attrs.frozen
class Cursor:
    """Position where a cut list continues in its snapshot, or in a ``kept`` view."""

    snapshot_id: int
    part: str
    offset: int
    kept: bool = False

    def __str__(self) -> str:
        """Return the text of ``next_cursor``."""
        return f"{'v' if self.kept else ''}{self.snapshot_id}.{self.part}.{self.offset}"


def parse_cursor(text: str) -> Cursor:
    """Parse a ``next_cursor``; raises `InvalidArgument` for another text."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise InvalidArgument(
            f"cursor must be a next_cursor of a truncation, got {text[:60]!r}.",
            "Pass a next_cursor exactly as it was returned.",
        )
    kept, snapshot_id, part, offset = match.groups()
    return Cursor(int(snapshot_id), part, int(offset), bool(kept))


@attrs.define
class CutList:
    """A list in a response: ``texts`` are the JSON texts of the items that are sent.

    ``size`` is their number of characters with separators. ``uncaptured`` counts further items
    of which only the number is known.
    """

    name: str
    values: Sequence[Any]
    total: int
    offset: int
    texts: list[str]
    size: int = 0
    uncaptured: int = 0

    @property
    def sent(self) -> Sequence[Any]:
        """Values that are sent."""
        return self.values[self.offset : self.end]

    @property
    def items(self) -> list[Any]:
        """JSON values that are sent."""
        return [json.loads(text) for text in self.texts]

    @property
    def end(self) -> int:
        """Offset of the first value that is not sent."""
        return self.offset + len(self.texts)

    @property
    def is_cut(self) -> bool:
        """Whether items follow that are not sent."""
        return self.end < self.total + self.uncaptured

    def shrink(self, room: int) -> None:
        """Keep the first items that fit into ``room`` characters."""
        while self.texts and self.size > room:
            self.size -= len(self.texts.pop()) + 1


def build_list(
    name: str, values: Sequence[T], as_json: Callable[[T], Any], *, room: int, offset: int = 0
) -> CutList:
    """Return the values from ``offset`` on that fit into ``room`` characters.

    Each text in an item is cut to a quarter of the room, so every item can be sent.
    """

    def as_text(value: T) -> str:
        return compact_json(as_json(value))

    return build_list_of_texts(name, values, as_text, room=room, offset=offset)


def build_list_of_texts(
    name: str, values: Sequence[T], as_text: Callable[[T], str], *, room: int, offset: int = 0
) -> CutList:
    """Return the same as `build_list` for values with a function that returns JSON text."""
    cut_list = CutList(name=name, values=values, total=len(values), offset=offset, texts=[])
    for index in range(offset, len(values)):
        text = as_text(values[index])
        if len(text) >= room // 4:
            text = compact_json(clip_value(json.loads(text), room // 4))
        size = len(text) + 1
        if cut_list.size + size > room and cut_list.texts:
            break
        cut_list.texts.append(text)
        cut_list.size += size
    return cut_list


def write_json(body: Any) -> str:
    """Return the JSON text of a body that contains cut lists."""
    match body:
        case CutList():
            return f"[{','.join(body.texts)}]"
        case dict():
            record = cast("dict[str, Any]", body)
            members = (f"{compact_json(name)}:{write_json(item)}" for name, item in record.items())
            return f"{{{','.join(members)}}}"
        case _:
            return compact_json(body)


def cut_to_fit(lists: Sequence[CutList], room: int) -> None:
    """Cut lists, the first ones first, until all together fit into ``room`` characters.

    No list gets less than a quarter of the room while another list is longer than that.
    """
    if not any(one.is_cut for one in lists) and sum(one.size for one in lists) <= room:
        return
    room -= _ENTRY * len(lists)
    for floor in (room // 4, 0):
        for cut_list in lists:
            excess = sum(one.size for one in lists) - room
            if excess > 0:
                cut_list.shrink(max(cut_list.size - excess, min(floor, cut_list.size)))


def build_truncations(lists: Iterable[CutList], start: Cursor | None) -> list[dict[str, Any]]:
    """Return an entry for each cut list; without ``start`` there is no cursor."""
    entries: list[dict[str, Any]] = []
    for cut_list in lists:
        if not cut_list.is_cut:
            continue
        entry: dict[str, Any] = {
            "part": cut_list.name,
            "total": cut_list.total + cut_list.uncaptured,
            "returned": len(cut_list.texts),
        }
        if cut_list.uncaptured:
            entry["by_find_only"] = cut_list.uncaptured
        if start is not None and cut_list.end < cut_list.total:
            cursor = attrs.evolve(start, part=cut_list.name, offset=cut_list.end)
            entry["next_cursor"] = str(cursor)
        entries.append(entry)
    return entries


def count_fitting(sizes: Sequence[int], room: int) -> int:
    """Count the first sizes that fit together."""
    for count, size in enumerate(sizes):
        room -= size
        if room < 0:
            return count
    return len(sizes)


def clip_value(value: Any, limit: int) -> Any:
    """Return the value with all texts and lists in it cut to ``limit`` characters."""
    if isinstance(value, str):
        return clip_text(value, limit)
    if isinstance(value, dict):
        record = cast("dict[str, Any]", value)
        return {key: clip_value(item, limit) for key, item in record.items()}
    if isinstance(value, list):
        entries = cast("Sequence[Any]", value)
        kept = count_fitting([len(compact_json(entry)) + 1 for entry in entries], limit)
        more = [f"… {len(entries) - kept} more"] if kept < len(entries) else []
        return [*entries[:kept], *more]
    return value
