"""Records of pages as agents read them, and of the differences between two states of a page."""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import attrs

from charlotte.base.errors import ellipsize, valid_unicode

if TYPE_CHECKING:
    from attrs import frozen as frozen_record
else:
    from attrs import define as frozen_record

__all__ = ["frozen_record"]
# Type checkers see ``attrs.frozen``. At run time nothing enforces that: creating an instance of a
# frozen class takes attrs four times as long.

PageDetail = Literal["minimal", "summary", "full", "auto"]
Detail = Literal[PageDetail, "delta"]

_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""Characters that are valid in JSON strings but that some readers treat as line ends."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def compact_json(value: Any) -> str:
    """Return JSON on one line without spaces, in valid UTF-8: a lone surrogate becomes U+FFFD."""
    return valid_unicode(_LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", _encode(value)))


def count_fitting(texts: Iterable[str], room: int) -> int:
    """Count the first texts that fit together into ``room`` characters, with separators."""
    sizes = accumulate(len(text) + 1 for text in texts)
    return sum(1 for _ in takewhile(lambda size: size <= room, sizes))


def clip_text(text: str, limit: int) -> str:
    """Return the first ``limit`` characters of a text, with its length if that cuts it."""
    return text if len(text) <= limit else f"{ellipsize(text, limit)} ({len(text)} characters)"


def clip_around(text: str, limit: int, matches: Callable[[str], bool]) -> str:
    """Return ``limit`` characters around the first match in a text, as `clip_text` does."""
    if len(text) <= limit or not matches(text):
        return clip_text(text, limit)
    end = bisect_left(range(len(text)), 1, key=lambda end: matches(text[:end]))
    start = max(0, end - limit // 2)
    return f"{'…' * bool(start)}{ellipsize(text[start:], limit)} ({len(text)} characters)"


SHOWN = 60
"""Characters of a wrong value or name that are quoted."""


def short_json(value: Any) -> str:
    """Return a value as JSON, shortened; only the type of a container."""
    if isinstance(value, list | dict):
        return "an array" if isinstance(value, list) else "an object"
    head = ellipsize(value, SHOWN) if isinstance(value, str) else value
    return short_line(json.dumps(head, ensure_ascii=False, default=repr))


def short_line(text: str) -> str:
    """Return a text on one line, cut to `SHOWN` characters."""
    return ellipsize(" ".join(ellipsize(text, SHOWN).split()), SHOWN)


DECIMAL = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,30})?")
"""A number that an agent passes as text."""


def decimal(value: float) -> str:
    """Return a number as JavaScript prints it: 2.0 as ``"2"``."""
    return str(int(value)) if value == int(value) else str(value)


ElementType = Literal[
    "button",
    "link",
    "text_input",
    "textarea",
    "select",
    "checkbox",
    "radio",
    "toggle",
    "range",
    "date_input",
    "color_input",
    "file_input",
    "clickable",
]
"""Kinds of interactive elements."""

_USUAL_ROLES: Mapping[str, Collection[str]] = {
    "button": {"button", "generic"},
    "link": {"link"},
    "text_input": {"textbox", "searchbox", "spinbutton"},
    "textarea": {"textbox", "generic"},
    "date_input": {"textbox", "generic", ""},
    "color_input": {"textbox", "generic", ""},
    "file_input": {"button"},
    "range": {"slider"},
    "select": {"combobox", "listbox"},
    "checkbox": {"checkbox"},
    "radio": {"radio"},
    "toggle": {"switch"},
    "clickable": {"clickable"},
}
"""Roles that the text form does not mention, because the prefix of the id says the type."""

_EXACT_ROLES = {"searchbox", "spinbutton", "listbox"}
"""Usual roles that JSON mentions, because they say more than the type."""

DIALOGS = {"dialog", "alertdialog"}

Sort = Literal["none", "ascending", "descending", "other"]
Current = Literal["page", "step", "location", "date", "time"]
StateValue = bool | Literal["mixed"] | Sort | Current
"""`Sort` and `Current` are the values of ``sort`` and ``current``; other states are flags."""

NO_STATE: Mapping[str, StateValue] = {}
"""State shared by all elements that are enabled, visible, unfocused and not checkable."""

_MOST_TEXTS = 50
_LONGEST_READONLY = 250
LONGEST_TEXT = 400


def limit_texts(texts: Sequence[str]) -> list[str]:
    """Return at most 50 of the texts, followed by an entry that counts the rest."""
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
        """Return the JSON object of C-PR-11."""
        return {"x": self.x, "y": self.y, "w": self.w, "h": self.h}

    def centre(self) -> tuple[float, float]:
        """Return the point from which distances are measured."""
        return self.x + self.w / 2, self.y + self.h / 2

    def contains(self, other: "Bounds") -> bool:
        """Return whether ``other`` lies completely inside; equal boxes do."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.w <= self.x + self.w
            and other.y + other.h <= self.y + self.h
        )

    def is_in_viewport(self, viewport: tuple[int, int]) -> bool:
        """Return whether at least half of the box is inside the viewport (S-VIS)."""
        width = min(self.x + self.w, viewport[0]) - max(self.x, 0)
        height = min(self.y + self.h, viewport[1]) - max(self.y, 0)
        return width > 0 and height > 0 and 2 * width * height >= self.w * self.h

    def cut_to(self, size: tuple[int, int]) -> "Bounds | None":
        """Return the part inside an image or viewport of that size, None if it is empty."""
        x, y = max(self.x, 0), max(self.y, 0)
        w, h = min(self.x + self.w, size[0]) - x, min(self.y + self.h, size[1]) - y
        return Bounds(x, y, w, h) if w > 0 and h > 0 else None

    def overlap(self, other: "Bounds") -> int:
        """Return the area that two boxes share."""
        w = min(self.x + self.w, other.x + other.w) - max(self.x, other.x)
        h = min(self.y + self.h, other.y + other.h) - max(self.y, other.y)
        return w * h if w > 0 and h > 0 else 0

    def moved_by(self, dx: int, dy: int) -> "Bounds":
        """Return the box at another position."""
        return Bounds(self.x + dx, self.y + dy, self.w, self.h)


@frozen_record
class Scroll:
    """Scroll position of the document and its maximum, in CSS pixels."""

    x: int
    y: int
    max_x: int
    max_y: int

    def as_json(self) -> dict[str, Any]:
        """Return ``{x, y, max_x, max_y}``, as the scroll tool does."""
        return {"x": self.x, "y": self.y, "max_x": self.max_x, "max_y": self.max_y}


@frozen_record
class _JsonRecord:
    """A record that caches its JSON text: views share records."""

    @cached_property
    def json(self) -> str:
        """JSON text of the record."""
        return compact_json(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        raise NotImplementedError


@frozen_record
class Landmark(_JsonRecord):
    """An ARIA landmark; ``name`` is "" without an accessible name.

    ``counts`` are the numbers of paragraphs, lists, tables and images in it.
    """

    id: str
    role: str
    name: str
    bounds: Bounds | None
    counts: Mapping[str, int]

    @property
    def label(self) -> str:
        """The accessible name, or the role without one (C-PR-08)."""
        return self.name or self.role

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of C-PR-08 with bounds."""
        bounds = self.bounds or Bounds(0, 0, 0, 0)  # C's interface requires a box
        return {**self.as_brief_json(), "bounds": bounds.as_json()}

    def as_brief_json(self) -> dict[str, Any]:
        """Return the JSON object for detail ``minimal``, which has no bounds."""
        return {"id": self.id, "role": self.role, "label": self.label}


@frozen_record
class Heading(_JsonRecord):
    """A heading (C-PR-10); ``landmark`` is an index into ``PageView.landmarks``, or -1."""

    id: str
    level: int
    text: str
    landmark: int

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of C-PR-10."""
        return {"level": self.level, "text": self.text, "id": self.id}


@frozen_record(kw_only=True)
class Element(_JsonRecord):
    """An interactive element (C's InteractiveElement); absent optional members are None.

    JSON has ``role`` if it says more than the type. The members ``landmark``, ``revision``,
    ``takes_text``, ``is_written``, ``visible`` and ``formats`` are not part of the JSON.
    ``revision`` changes when a secret value changes. ``takes_text`` is whether text can be typed
    into a list of options, such as that of a search box. ``is_written`` is whether the element
    contains text, of which its label may be made; ``visible`` is that text if the label lacks it.
    ``formats`` are the formatted texts of an editor, as Markdown. ``group`` names the group of a
    radio button or checkbox. ``icon`` is a guess at what the icon of an element without a label
    shows. ``near`` is a text next to an element whose label is missing or not unique, ``row`` the
    row around one of several results of a search with its label. ``message`` is what the page shows
    about an invalid value. ``click_type`` is set if the element handles another click than the left
    one. ``styles`` are computed CSS properties.
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
    icon: str | None = None
    near: str | None = None
    title: str | None = None
    message: str | None = None
    revision: int = 0
    click_type: str | None = None
    is_password: bool = False
    takes_text: bool = False
    is_written: bool = True
    visible: str = ""
    styles: Mapping[str, str] | None = None
    in_viewport: bool | None = None
    row: str | None = None
    formats: tuple[str, ...] = ()

    @property
    def has_special_role(self) -> bool:
        """Whether the role says more than the type."""
        return self.role not in _USUAL_ROLES.get(self.type, ())

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object; ``frame`` only in a child frame (C-PR-12, C-PR-16…19)."""
        value, href = self.value, self.href
        if value is not None and self.state.get("readonly"):
            value = clip_text(value, _LONGEST_READONLY)
        if href is not None and href.startswith("data:"):
            href = clip_text(href, LONGEST_TEXT)
        required = {
            "id": self.id,
            "type": self.type,
            "label": self.label,
            "bounds": self.bounds and self.bounds.as_json(),
            "state": dict(self.state),
        }
        is_role_given = self.has_special_role or self.role in _EXACT_ROLES
        optional = {
            "role": self.role if is_role_given else None,
            "group": self.group,
            "icon": self.icon,
            "near": None if self.row else self.near,
            "row": self.row,
            "title": self.title,
            "message": self.message,
            "href": href,
            "placeholder": self.placeholder,
            "click_type": self.click_type,
            "password": self.is_password or None,
            "value": value,
            "options": None if self.options is None else limit_texts(self.options),
            "frame": self.frame,
            "styles": self.styles,
            "in_viewport": self.in_viewport,
        }
        return required | {name: item for name, item in optional.items() if item is not None}


@frozen_record(kw_only=True)
class Form(_JsonRecord):
    """A form (C-PR-28); ``fields`` are ids of its controls without the buttons."""

    id: str
    action: str | None
    method: str | None
    fields: tuple[str, ...]
    submit: str | None
    landmark: int

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of C-PR-28."""
        members = {"id": self.id, "action": self.action, "method": self.method}
        known = {name: item for name, item in members.items() if item is not None}
        return {**known, "fields": list(self.fields), "submit": self.submit}


_CLIPPED = "label", "value", "placeholder", "title", "visible"


def clip_element(
    element: Element,
    limit: int = LONGEST_TEXT,
    *,
    clip: Callable[[str, int], str] = clip_text,
    names: Iterable[str] = _CLIPPED,
) -> Element:
    """Return an element with these texts cut to ``limit`` characters."""
    texts = {name: getattr(element, name) or "" for name in names}
    cut: dict[str, Any] = {
        name: clip(text, limit) for name, text in texts.items() if len(text) > limit
    }
    return attrs.evolve(element, **cut) if cut else element


PageRecord = Landmark | Heading | Element | Form


@frozen_record
class TextLine:
    """A run of visible text; ``landmark`` is an index into ``PageView.landmarks``, or -1.

    ``owner`` is the id of the heading or control that contains the line, or "". ``followers`` are
    the ids of the controls between this line and the next. Their labels may be part of this line
    or of earlier lines. ``number`` is that of the list item that begins with the line, or "".
    """

    landmark: int
    text: str
    owner: str = ""
    followers: tuple[str, ...] = ()
    number: str = ""


R = TypeVar("R", Element, Form, Heading, TextLine)


def with_landmarks(records: Sequence[R], indexes: Mapping[int, int]) -> tuple[R, ...]:
    """Return the records with new landmark indexes; -1 for a landmark without a new index."""
    return tuple(
        attrs.evolve(record, landmark=indexes.get(record.landmark, -1)) for record in records
    )


@frozen_record(kw_only=True)
class UnreachableContent:
    """Content of a page that is out of reach, in its last reachable state.

    ``covered_by`` describes what is in front of it, such as ``dialog "Sign in"``, or is "". Records
    refer to ``landmarks`` by index. Each entry of ``lines`` starts with the id of the landmark
    around the line, or "".
    """

    covered_by: str
    landmarks: tuple[Landmark, ...]
    headings: tuple[Heading, ...]
    interactive: tuple[Element, ...]
    forms: tuple[Form, ...]
    lines: tuple[tuple[str, TextLine], ...]


@frozen_record
class ReferenceTarget:
    """Number, role and name of an element with a reference."""

    nid: int
    role: str
    name: str


@frozen_record
class Node:
    """A row of a capture.

    ``kind`` is i, l, h, f, g, t, c, d or s: interactive, landmark, heading, form, labelled group,
    text line, clickable, an iframe that contains a document, or structure, whose role is table,
    row, head (a row of headers), list, item, term or article. ``box`` is None for text, for
    structure, and for nodes that are hidden or have no size. ``parent`` is the number of the
    nearest node around it. ``landmark`` is the number of the nearest landmark around it (0: none),
    ``container`` the name of the nearest labelled group around it ("": none). ``cell`` is the
    zero-based column of the innermost cell around it, if that cell is in the innermost table, row,
    list, item or article around it. ``extra["controls"]`` of a text line are number, start and end
    of the controls in it, whose visible text is the part of the line between start and end.
    ``extra["number"]`` is the number of the list item that begins with the line.
    """

    nid: int
    kind: str
    role: str
    name: str
    box: Bounds | None
    extra: dict[str, Any]
    landmark: int
    container: str
    parent: int = 0
    cell: int | None = None

    @property
    def token(self) -> int:
        """Number of the element without text for which the line stands, 0 for other nodes."""
        controls = self.extra.get("controls", ()) if self.kind == "t" else ()
        return sum(-min(number, 0) for number, *part in controls if part == [0, len(self.name)])

    @property
    def is_landmark(self) -> bool:
        """Whether the node is a landmark; named forms are both forms and landmarks."""
        return self.kind == "l" or "landmark" in self.extra

    @property
    def is_heading(self) -> bool:
        """Whether the node is a heading; focusable headings are interactive too."""
        return self.role == "heading"


ScrollOffsets = Mapping[int, tuple[int, int]]
"""Scroll positions (x, y) inside a page by node number."""

UNSCROLLED: ScrollOffsets = {}

NO_UNCAPTURED: Mapping[tuple[int, str], int] = {}


@frozen_record(kw_only=True)
class PageView:
    """An immutable state of a page, everything in document order.

    ``hidden`` are ids of elements that were shown before and are still in the document, but not
    visible. ``uncaptured`` counts the interactive elements above the capture limit by landmark
    index and type. ``alerts`` are the texts of live regions. ``nodes`` are those of the capture,
    ``node_ids`` the ids of their records, "" for nodes without a record.
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
    nodes: tuple[Node, ...] = ()
    node_ids: tuple[str, ...] = ()


_LONGEST_VALUE = 250
"""Longer values are cut; changed lines of text are shorter."""


@frozen_record
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

    def is_move(self) -> bool:
        """Return whether visible elements are at other places, and no text is.

        A field of one px follows the caret of the editor that is drawn around it.
        """
        if self.type != "moved" or self.property is not None:
            return False
        return not self.after or max(self.after["w"], self.after["h"]) > 1

    def as_json(self) -> dict[str, Any]:
        """Return the object of C with the keys type, element, detail, property, from and to."""
        before, after = (
            clip_text(value, _LONGEST_VALUE) if isinstance(value, str) else value
            for value in (self.before, self.after)
        )
        members = {
            "type": self.type,
            "element": self.element,
            "detail": self.detail,
            "property": self.property,
            "from": before,
            "to": after,
        }
        return {key: value for key, value in members.items() if value is not None}


def property_change(
    element: str | None, name: str, before: Any, after: Any, detail: str | None = None
) -> Change:
    """Return the change of one property."""
    return Change("changed", element, detail, name, before, after)


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
    def acted_on_json(self) -> dict[str, Any]:
        """Key ``changes`` with those of the element of the action, if there are any."""
        own = [
            one.as_json() for one in self.changes if one.element and one.element == self.acted_on
        ]
        return {"changes": own} if own else {}

    @property
    def snapshot_ids(self) -> dict[str, Any]:
        """Ids of both snapshots, as far as they are stored."""
        ids = {"from_snapshot": self.from_snapshot, "to_snapshot": self.to_snapshot}
        return {name: number for name, number in ids.items() if number}

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object (C-SDIFF-01)."""
        return {
            **self.snapshot_ids,
            "changes": [change.as_json() for change in self.changes],
            "summary": self.summary,
        }
