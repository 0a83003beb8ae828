"""Makes a response fit: which elements and lines are sent, and where the rest continues."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.record_base import compact_json

T = TypeVar("T")

_CURSOR = re.compile(r"(v?)(\d{1,15})\.([a-z_]{1,20})\.(\d{1,15})")
_ENTRY = 130
"""Characters set aside for saying that one part was cut."""


@attrs.frozen
class Cursor:
    """Where a cut list goes on, in the snapshot it was cut from.

    With ``kept``, the number is that of a view that is kept for this alone.
    """

    snapshot_id: int
    part: str
    offset: int
    kept: bool = False

    def __str__(self) -> str:
        """Its text, as ``next_cursor`` has it."""
        return f"{'v' if self.kept else ''}{self.snapshot_id}.{self.part}.{self.offset}"


def parse_cursor(text: str) -> Cursor:
    """The cursor that a ``next_cursor`` of ours stands for; InvalidArgument for anything else."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise InvalidArgument(
            f"cursor {text[:60]!r} is not one of ours.",
            "Pass a next_cursor exactly as a truncation gave it.",
        )
    kept, snapshot_id, part, offset = match.groups()
    return Cursor(int(snapshot_id), part, int(offset), bool(kept))


@attrs.define
class CutList:
    """A list in a response that may have to be cut: the ``texts`` of what is sent, each as JSON.

    ``size`` is how many characters they take, separators included. Beyond the ``total`` there may
    be more, of which only the number is known.
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
        """Of the ``values`` those that are sent."""
        return self.values[self.offset : self.end]

    @property
    def items(self) -> list[Any]:
        """What is sent, as JSON values."""
        return [json.loads(text) for text in self.texts]

    @property
    def end(self) -> int:
        """Where the list goes on."""
        return self.offset + len(self.texts)

    @property
    def is_cut(self) -> bool:
        """Whether something follows that is not sent."""
        return self.end < self.total + self.uncaptured

    def shrink(self, room: int) -> None:
        """Keep as many of the first items as ``room`` characters hold; none if it is negative."""
        while self.texts and self.size > room:
            self.size -= len(self.texts.pop()) + 1


def build_list(
    name: str, values: Sequence[T], as_json: Callable[[T], Any], *, room: int, offset: int = 0
) -> CutList:
    """The part that begins at ``offset``; not more of it than ``room`` characters could hold.

    A single string takes at most a quarter of the room, so that no element is too big to send.
    """
    return build_list_of_texts(
        name, values, lambda value: compact_json(as_json(value)), room=room, offset=offset
    )


def build_list_of_texts(
    name: str, values: Sequence[T], as_text: Callable[[T], str], *, room: int, offset: int = 0
) -> CutList:
    """The same of values that know their JSON text."""
    part = CutList(name=name, values=values, total=len(values), offset=offset, texts=[])
    for index in range(offset, len(values)):
        text = as_text(values[index])
        if len(text) >= room // 4:
            text = compact_json(clip_value(json.loads(text), room // 4))
        size = len(text) + 1
        if part.size + size > room and part.texts:
            break
        part.texts.append(text)
        part.size += size
    return part


def write_json(body: Any) -> str:
    """The JSON text of a body in which there are parts."""
    match body:
        case CutList():
            return f"[{','.join(body.texts)}]"
        case dict():
            record = cast("dict[str, Any]", body)
            members = (
                f"{compact_json(name)}:{write_json(value)}" for name, value in record.items()
            )
            return f"{{{','.join(members)}}}"
        case _:
            return compact_json(body)


def cut_to_fit(parts: Sequence[CutList], room: int) -> None:
    """Cut parts, the first ones first, until all together take at most ``room`` characters.

    None goes below a quarter of the room as long as another one is longer than that.
    """
    if not any(part.is_cut for part in parts) and sum(part.size for part in parts) <= room:
        return
    room -= _ENTRY * len(parts)
    for floor in (room // 4, 0):
        for part in parts:
            excess = sum(each.size for each in parts) - room
            if excess > 0:
                part.shrink(max(part.size - excess, min(floor, part.size)))


def build_truncations(parts: Iterable[CutList], begun: Cursor | None) -> list[dict[str, Any]]:
    """What was cut; without a snapshot to continue in, there is no cursor either."""
    return [_cut(part, begun) for part in parts if part.is_cut]


def _cut(part: CutList, begun: Cursor | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "part": part.name,
        "total": part.total + part.uncaptured,
        "returned": len(part.texts),
    }
    if part.uncaptured:
        entry["by_find_only"] = part.uncaptured
    if begun is not None and part.end < part.total:
        entry["next_cursor"] = str(attrs.evolve(begun, part=part.name, offset=part.end))
    return entry


def count_fitting(sizes: Sequence[int], room: int) -> int:
    """How many of the first ones fit."""
    for count, size in enumerate(sizes):
        room -= size
        if room < 0:
            return count
    return len(sizes)


def clip_value(value: Any, limit: int) -> Any:
    """The value with every text and list in it cut at ``limit`` characters."""
    if isinstance(value, str) and len(value) > limit:
        return f"{value[:limit]}… ({len(value)} characters)"
    if isinstance(value, dict):
        record = cast("dict[str, Any]", value)
        return {key: clip_value(each, limit) for key, each in record.items()}
    if isinstance(value, list):
        entries = cast("Sequence[Any]", value)
        kept = count_fitting([len(compact_json(entry)) + 1 for entry in entries], limit)
        more = [f"… {len(entries) - kept} more"] if kept < len(entries) else []
        return [*entries[:kept], *more]
    return value
