"""The records an agent reads: C's PageRepresentation, without what belongs to one response."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

import attrs

from charlotte.page.record_base import compact_json, frozen_record

Sort = Literal["none", "ascending", "descending", "other"]
Current = Literal["page", "step", "location", "date", "time"]
StateValue = bool | Literal["mixed"] | Sort | Current
"""Of ``sort`` the ways that a column can be sorted, of ``current`` among what; else if it holds."""

NO_STATE: Mapping[str, StateValue] = {}
"""Shared by every element that is enabled, visible, unfocused and has nothing else to say."""


_MOST_TEXTS = 50
_LONGEST_READONLY = 250


def limit_texts(texts: Sequence[str]) -> list[str]:
    """A list as it is sent: of a long one the first 50, then how many more there are."""
    more = len(texts) - _MOST_TEXTS
    return [*texts[:_MOST_TEXTS], f"… {more} more"] if more > 0 else list(texts)


@frozen_record
class Bounds:
    """A box in CSS pixels of the viewport; left and top are negative when scrolled past."""

    x: int
    y: int
    w: int
    h: int

    def as_json(self) -> dict[str, Any]:
        """C-PR-11."""
        return {"x": self.x, "y": self.y, "w": self.w, "h": self.h}

    def centre(self) -> tuple[float, float]:
        """The point a distance is measured from."""
        return self.x + self.w / 2, self.y + self.h / 2

    def contains(self, other: "Bounds") -> bool:
        """Whether ``other`` lies inside entirely; equal boxes do."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.w <= self.x + self.w
            and other.y + other.h <= self.y + self.h
        )

    def is_in_viewport(self, viewport: tuple[int, int]) -> bool:
        """Whether at least half of the box is inside the viewport (S-VIS)."""
        width = min(self.x + self.w, viewport[0]) - max(self.x, 0)
        height = min(self.y + self.h, viewport[1]) - max(self.y, 0)
        return width > 0 and height > 0 and 2 * width * height >= self.w * self.h

    def moved_by(self, dx: int, dy: int) -> "Bounds":
        """The same box elsewhere."""
        return Bounds(self.x + dx, self.y + dy, self.w, self.h)


EMPTY_BOUNDS = Bounds(0, 0, 0, 0)
"""What a landmark without a box is said to cover: the interface of C wants a box there."""


@frozen_record
class Scroll:
    """How far the document is scrolled, and how far it can be, in CSS pixels."""

    x: int
    y: int
    max_x: int
    max_y: int

    def as_json(self) -> dict[str, Any]:
        """``{x, y, max_x, max_y}``, as the scroll tool answers."""
        return {"x": self.x, "y": self.y, "max_x": self.max_x, "max_y": self.max_y}


@frozen_record
class Landmark:
    """An ARIA landmark; ``name`` is "" without an accessible name, ``counts`` its own content."""

    id: str
    role: str
    name: str
    bounds: Bounds | None
    counts: Mapping[str, int]

    @cached_property
    def json(self) -> str:
        """The record as JSON text, like an element's."""
        return compact_json(self.as_json())

    @property
    def label(self) -> str:
        """C-PR-08: the accessible name, else the role."""
        return self.name or self.role

    def as_json(self) -> dict[str, Any]:
        """C-PR-08, with bounds."""
        return {**self.as_brief_json(), "bounds": (self.bounds or EMPTY_BOUNDS).as_json()}

    def as_brief_json(self) -> dict[str, Any]:
        """The record at detail ``minimal``: no bounds."""
        return {"id": self.id, "role": self.role, "label": self.label}


@frozen_record
class Heading:
    """C-PR-10; ``landmark`` is an index into ``PageView.landmarks``, or -1."""

    id: str
    level: int
    text: str
    landmark: int

    @cached_property
    def json(self) -> str:
        """The record as JSON text, like an element's."""
        return compact_json(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """C-PR-10."""
        return {"level": self.level, "text": self.text, "id": self.id}


@frozen_record(kw_only=True)
class Element:
    """C's InteractiveElement; optional parts are None, ``role`` and ``landmark`` are not sent.

    Nor is ``revision``: another number means another value of a field whose value is secret; nor
    ``is_written``: whether there is text in the element, which its label may be made of. ``group``
    is what a radio button or checkbox is one of, ``near`` a text beside what has no label, or the
    same one as others, ``title`` what its label does not say. ``click_type`` is the click that it
    answers, if that is not the left one. ``styles`` are computed ones, by the names of CSS.
    ``in_viewport`` is S's (S-VIS-01).
    """

    id: str
    type: str
    role: str
    label: str
    bounds: Bounds | None
    state: Mapping[str, StateValue]
    href: str | None
    placeholder: str | None
    value: str | None
    options: tuple[str, ...] | None
    landmark: int
    frame: str | None = None
    group: str | None = None
    near: str | None = None
    title: str | None = None
    revision: int = 0
    click_type: str | None = None
    is_password: bool = False
    is_written: bool = True
    styles: Mapping[str, str] | None = None
    in_viewport: bool | None = None

    @cached_property
    def json(self) -> str:
        """The record as JSON text: views share it, so it is written once for all of them."""
        return compact_json(self.as_json())

    @property
    def _shown_value(self) -> str | None:
        """The value; of a long one that cannot be edited the start, as of other text."""
        value = self.value
        if value is None or len(value) <= _LONGEST_READONLY or not self.state.get("readonly"):
            return value
        return f"{value[:_LONGEST_READONLY]}… ({len(value)} characters)"

    def as_json(self) -> dict[str, Any]:
        """C-PR-12 and C-PR-16…19; ``frame`` only of what lies in a child frame."""
        always = {
            "id": self.id,
            "type": self.type,
            "label": self.label,
            "bounds": self.bounds and self.bounds.as_json(),
            "state": dict(self.state),
        }
        if_any = {
            "group": self.group,
            "near": self.near,
            "title": self.title,
            "href": self.href,
            "placeholder": self.placeholder,
            "click_type": self.click_type,
            "password": self.is_password or None,
            "value": self._shown_value,
            "options": None if self.options is None else limit_texts(self.options),
            "frame": self.frame,
            "styles": self.styles,
            "in_viewport": self.in_viewport,
        }
        return always | {name: part for name, part in if_any.items() if part is not None}


@frozen_record(kw_only=True)
class Form:
    """C-PR-28; ``fields`` are ids of its controls without the buttons."""

    id: str
    action: str | None
    method: str | None
    fields: tuple[str, ...]
    submit: str | None
    landmark: int

    @cached_property
    def json(self) -> str:
        """The record as JSON text, like an element's."""
        return compact_json(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """C-PR-28."""
        form: dict[str, Any] = {"id": self.id}
        if self.action is not None:
            form["action"] = self.action
        if self.method is not None:
            form["method"] = self.method
        return {**form, "fields": list(self.fields), "submit": self.submit}


@frozen_record
class TextLine:
    """One run of visible text, in the landmark with that index (-1: in none).

    ``owner`` is the id of the heading or control that the line is part of, "" if it is part of
    none. ``followers`` are the ids of the controls between it and the next line: their labels may
    be part of it, or of the lines before it.
    """

    landmark: int
    text: str
    owner: str = ""
    followers: tuple[str, ...] = ()


@frozen_record(kw_only=True)
class UnreachableContent:
    """What is on a page but out of reach, as it was when it last could be reached.

    ``front`` says what is in front of it: ``dialog "Sign in"``, or "" where nothing is. The records
    refer to ``landmarks``; each of the ``lines`` has the id of the landmark around it, or "".
    """

    covered_by: str
    landmarks: tuple[Landmark, ...]
    headings: tuple[Heading, ...]
    interactive: tuple[Element, ...]
    forms: tuple[Form, ...]
    lines: tuple[tuple[str, TextLine], ...]


ScrollOffsets = Mapping[int, tuple[int, int]]
"""How far things inside a page are scrolled in x and y, by the numbers of their nodes."""

UNSCROLLED: ScrollOffsets = {}

NO_UNCAPTURED: Mapping[tuple[int, str], int] = {}


@frozen_record(kw_only=True)
class PageView:
    """One immutable state of a page; everything in document order.

    ``behind`` is what else there is, out of reach; ``hidden`` are ids of what was seen before and
    is still in the document, not to be seen. ``beyond`` counts the interactive elements that are
    too many to be captured, by the index of their landmark and their type. ``alerts`` are the texts
    of live regions.
    """

    document: str
    url: str
    title: str
    viewport: tuple[int, int]
    scroll: Scroll
    landmarks: tuple[Landmark, ...]
    headings: tuple[Heading, ...]
    interactive: tuple[Element, ...]
    forms: tuple[Form, ...]
    lines: tuple[TextLine, ...]
    counts: Mapping[str, int]
    uncaptured: Mapping[tuple[int, str], int] = NO_UNCAPTURED
    alerts: tuple[str, ...] = ()
    scrolls: ScrollOffsets = UNSCROLLED
    unreachable: UnreachableContent | None = None
    hidden: frozenset[str] = frozenset()


PageRecord = Landmark | Heading | Element | Form
"""A record with an id."""

R = TypeVar("R", Element, Form, Heading, TextLine)


def with_landmarks(records: Sequence[R], indexes: Mapping[int, int]) -> tuple[R, ...]:
    """Return the records with new landmark indexes; -1 for a landmark without a new index."""
    return tuple(
        attrs.evolve(record, landmark=indexes.get(record.landmark, -1)) for record in records
    )
