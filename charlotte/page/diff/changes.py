"""Records of the difference between two views (C's SnapshotDiff)."""

from typing import Any, Literal

from charlotte.page.record_base import clip_text, frozen_record

_LONGEST_VALUE = 250
"""Longer values are cut; changed lines of text are shorter."""


@frozen_record(kw_only=True)
class Change:
    """One change (C's DiffChange, C-SDIFF-02); None is an absent member.

    ``before`` and ``after`` are JSON values, ``count`` is the number of things that changed.
    """

    type: Literal["added", "removed", "moved", "changed"]
    element: str | None = None
    detail: str | None = None
    property: str | None = None
    before: Any = None
    after: Any = None
    count: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return the object of C with the keys type, element, detail, property, from and to."""
        members = {
            "type": self.type,
            "element": self.element,
            "detail": self.detail,
            "property": self.property,
            "from": _clip(self.before),
            "to": _clip(self.after),
        }
        return {key: value for key, value in members.items() if value is not None}


def _clip(value: Any) -> Any:
    return clip_text(value, _LONGEST_VALUE) if isinstance(value, str) else value


def property_change(
    element: str | None, name: str, before: Any, after: Any, detail: str | None = None
) -> Change:
    """Return the change of one property."""
    return Change(
        type="changed",
        element=element,
        detail=detail,
        property=name,
        before=before,
        after=after,
    )


def quoted_lines(text: str) -> list[str]:
    """Return a text and its lines if a change contains all of it, else nothing."""
    return [text, *map(str.strip, text.split("\n"))] if len(text) <= _LONGEST_VALUE else []


@frozen_record(kw_only=True)
class SnapshotDiff:
    """Difference of two snapshots (C-SDIFF-01); the id of a state without a snapshot is 0.

    ``replaced`` is whether nearly everything is new. ``acted_on`` is the id of the element of an
    action: its changes come first.
    """

    from_snapshot: int
    to_snapshot: int
    changes: tuple[Change, ...]
    summary: str
    replaced: bool = False
    acted_on: str | None = None

    @property
    def acted_on_changes(self) -> tuple[Change, ...]:
        """Changes of the element of the action."""
        return tuple(
            change for change in self.changes if change.element and change.element == self.acted_on
        )

    @property
    def snapshot_ids(self) -> dict[str, Any]:
        """Ids of both snapshots, as far as they are stored."""
        ids = {"from_snapshot": self.from_snapshot, "to_snapshot": self.to_snapshot}
        return {name: number for name, number in ids.items() if number}

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of C-SDIFF-01."""
        return {
            **self.snapshot_ids,
            "changes": [change.as_json() for change in self.changes],
            "summary": self.summary,
        }
