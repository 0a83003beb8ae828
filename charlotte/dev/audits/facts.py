"""Scripts that look at a page for the audits, and their results as records."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import attrs
from cattrs import Converter

Script = Literal["axe", "elements", "timings"]


@attrs.frozen
class Element:
    """An element of a document."""

    nid: int
    tag: str
    role: str = ""
    name: str = ""
    text: str = ""
    attributes: Mapping[str, str] = attrs.field(factory=dict[str, str])
    url: str = ""
    seen: bool = True


@attrs.frozen(kw_only=True)
class Document:
    """Elements of a document that audits look at; ``left`` is the number beyond the limit.

    ``anchors`` are the targets of fragments, ``nodes`` is the number of all elements.
    """

    url: str
    elements: Sequence[Element]
    anchors: Sequence[str] = ()
    nodes: int = 0
    left: int = 0


@attrs.frozen(kw_only=True)
class BrokenRule:
    """A rule of axe-core and the first elements that break it, each with a message.

    ``impact`` is minor, moderate, serious, critical or ""; ``count`` is the number of elements.
    """

    rule: str
    impact: str
    count: int
    elements: Sequence[tuple[int, str]]


@attrs.frozen(kw_only=True)
class AxeReport:
    """Results of axe-core for one document.

    ``texts`` counts the texts whose contrast was looked at, ``unknown`` those of them whose
    contrast could not be computed. ``grounds`` are the backgrounds behind frames, by node.
    """

    broken: Sequence[BrokenRule]
    texts: int
    unknown: int
    grounds: Mapping[int, Mapping[str, str]]


@attrs.frozen(kw_only=True)
class Resource:
    """A loaded resource; ``bytes`` is 0 if the browser does not reveal the size."""

    url: str
    type: str = ""
    blocking: bool = False
    bytes: float = 0
    ms: float = 0


@attrs.frozen(kw_only=True)
class Picture:
    """An image: its size on the page in CSS px, and its own size in px."""

    nid: int
    url: str
    shown: tuple[float, float]
    natural: tuple[float, float]
    sized: bool = True


@attrs.frozen
class Shift:
    """A layout shift without input as its cause, and the nodes that moved."""

    value: float
    nids: Sequence[int] = ()


@attrs.frozen
class Forced:
    """Time that a script forced the browser to spend on style and layout, in ms."""

    ms: float
    url: str = ""
    name: str = ""


@attrs.frozen
class Frame:
    """A long animation frame, in ms."""

    duration: float
    forced: Sequence[Forced] = ()


@attrs.frozen(kw_only=True)
class Timings:
    """Performance entries of a page since its start."""

    resources: Sequence[Resource] = ()
    images: Sequence[Picture] = ()
    shifts: Sequence[Shift] = ()
    frames: Sequence[Frame] = ()
    ratio: float = 1


@attrs.frozen
class Sheet:
    """A style sheet, and the number of its characters in rules without an element."""

    url: str
    length: int
    unused: int


@attrs.frozen
class Reached:
    """Result of following a link: statuses of redirects and of the answer, or an error."""

    url: str
    hops: Sequence[int] = ()
    status: int | None = None
    error: str | None = None


_reader = Converter(detailed_validation=False)


def read(text: str, kind: type[Any]) -> Any:
    """Return the answer of a script as a record."""
    return _reader.structure(json.loads(text), kind)


def expression(script: Script, argument: Any = None) -> str:
    """Return an expression for the probe's world that evaluates to a JSON string or a promise."""
    engine = _source("axe-core/axe.min.js") if script == "axe" else ""
    return f"{engine}\n(\n{_source(f'{script}.js')})(charlotte.parts, {json.dumps(argument)})"


@cache
def _source(path: str) -> str:
    return files(__package__ or "").joinpath(path).read_text(encoding="utf-8")
