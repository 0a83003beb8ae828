"""What is told of the difference between two views: C's SnapshotDiff."""

from typing import Any, Literal

from charlotte.page.record_base import frozen_record

_LONGEST_VALUE = 250
"""Lines of text that changed are at most a little shorter."""


@frozen_record(kw_only=True)
class Change:
    """C's DiffChange (C-SDIFF-02): None is "not said"; ``before`` and ``after`` are JSON values.

    ``many`` is how many things it tells of.
    """

    type: Literal["added", "removed", "moved", "changed"]
    element: str | None = None
    detail: str | None = None
    property: str | None = None
    before: Any = None
    after: Any = None
    many: int = 1

    def as_json(self) -> dict[str, Any]:
        """The keys of C: type, element, detail, property, from, to; of long texts the start."""
        members = {
            "type": self.type,
            "element": self.element,
            "detail": self.detail,
            "property": self.property,
            "from": _cut(self.before),
            "to": _cut(self.after),
        }
        return {key: value for key, value in members.items() if value is not None}


def quoted_lines(text: str) -> list[str]:
    """A text that a change tells, and its lines; nothing of one that it tells only the start of."""
    return [text, *map(str.strip, text.split("\n"))] if len(text) <= _LONGEST_VALUE else []


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]}… ({len(value)} characters)"
    return value


@frozen_record(kw_only=True)
class SnapshotDiff:
    """C-SDIFF-01; of a state that is not stored as a snapshot, the id is 0.

    ``replaced`` if hardly anything is what it was: a new page in all but name. ``acted_on`` is the
    id of the element acted on: its changes come first.
    """

    from_snapshot: int
    to_snapshot: int
    changes: tuple[Change, ...]
    summary: str
    replaced: bool = False
    acted_on: str | None = None

    @property
    def acted_on_changes(self) -> tuple[Change, ...]:
        """The changes of the element acted on."""
        return tuple(one for one in self.changes if one.element and one.element == self.acted_on)

    @property
    def snapshot_ids(self) -> dict[str, Any]:
        """The ids of the snapshots it leads from and to, as far as these are stored."""
        ids = {"from_snapshot": self.from_snapshot, "to_snapshot": self.to_snapshot}
        return {name: number for name, number in ids.items() if number}

    def as_json(self) -> dict[str, Any]:
        """C-SDIFF-01."""
        return {
            **self.snapshot_ids,
            "changes": [change.as_json() for change in self.changes],
            "summary": self.summary,
        }
