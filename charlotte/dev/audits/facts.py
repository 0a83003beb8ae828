"""What the scripts saw of a page, as records."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from cattrs import Converter

Colour = tuple[float, float, float, float]
"""Red, green, blue from 0 to 255, and alpha from 0 to 1."""


@attrs.frozen
class Element:
    """An element; ``muted`` if assistive technology is told to pass over it."""

    nid: int
    tag: str
    role: str = ""
    name: str = ""
    text: str = ""
    attributes: Mapping[str, str] = attrs.field(factory=dict[str, str])
    url: str = ""
    seen: bool = True
    focusable: bool = False
    muted: bool = False


@attrs.frozen
class Twice:
    """A second element with an id that another has."""

    id: str
    nid: int


@attrs.frozen(kw_only=True)
class Document:
    """What audits of a document's elements look at; ``left`` are those that were too many.

    ``anchors`` are what fragments can lead to.
    """

    url: str
    elements: Sequence[Element]
    twice: Sequence[Twice] = ()
    anchors: Sequence[str] = ()
    nodes: int = 0
    left: int = 0


@attrs.frozen
class Broken:
    """A rule of axe-core and the elements that break it; ``impact`` is minor to critical, or ""."""

    rule: str
    impact: str
    help: str
    nids: Sequence[int]


@attrs.frozen
class AxeReport:
    """What axe-core of that version says of a document."""

    version: str
    broken: Sequence[Broken]


@attrs.frozen(kw_only=True)
class Ground:
    """What something is seen on: the backgrounds from there outwards.

    ``image``: an image is among them.
    """

    behind: Sequence[Colour] = ()
    image: bool = False
    opacity: float = 1


@attrs.frozen(kw_only=True)
class Look(Ground):
    """How some texts look, and where the first of them are: numbers of nodes, starts of texts."""

    colour: Colour
    size: float
    weight: float
    count: int = 1
    where: Sequence[tuple[int, str]] = ()


@attrs.frozen
class Texts:
    """All texts that are seen; ``frames``: what the frames are seen on, by their numbers."""

    rows: Sequence[Look]
    count: int
    frames: Mapping[int, Ground] = attrs.field(factory=dict[int, Ground])


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
