"""What the scripts saw of a page, as records."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from cattrs import Converter


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
    """What audits of a document's elements look at; ``left`` are those that were too many.

    ``anchors`` are what fragments can lead to.
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
    """What was loaded; ``bytes`` is 0 where the browser does not say."""

    url: str
    type: str = ""
    blocking: bool = False
    bytes: float = 0
    ms: float = 0


@attrs.frozen(kw_only=True)
class Picture:
    """An image: CSS px that it takes up, and px that it has."""

    nid: int
    url: str
    shown: tuple[float, float]
    natural: tuple[float, float]
    sized: bool = True


@attrs.frozen
class Shift:
    """A layout shift that nobody caused by input, and the nodes that moved."""

    value: float
    nids: Sequence[int] = ()


@attrs.frozen
class Forced:
    """How long a script had styles and layout worked out while it ran, in ms."""

    ms: float
    url: str = ""
    name: str = ""


@attrs.frozen
class Frame:
    """A frame that took long, in ms."""

    duration: float
    forced: Sequence[Forced] = ()


@attrs.frozen(kw_only=True)
class Timings:
    """What the browser noted of a page's loading and running."""

    resources: Sequence[Resource] = ()
    images: Sequence[Picture] = ()
    shifts: Sequence[Shift] = ()
    frames: Sequence[Frame] = ()
    ratio: float = 1


@attrs.frozen
class Sheet:
    """A style sheet, and how many of its characters belong to rules that hold for nothing."""

    url: str
    length: int
    unused: int


@attrs.frozen
class Reached:
    """Where a link led: statuses of the redirects and of the answer, or why there was none."""

    url: str
    hops: Sequence[int] = ()
    status: int | None = None
    error: str | None = None


_reader = Converter(detailed_validation=False)


def read(text: str, kind: type[Any]) -> Any:
    """A script's answer as the record it is to be."""
    return _reader.structure(json.loads(text), kind)
