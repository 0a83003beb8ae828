"""Reads what the probe surveyed: a tree of all elements that are shown and the text between.

Every mode of ``observe`` that is text is a pure function of such a tree.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.page.frames import composed

_NOTHING: dict[str, Any] = {}
_IN_ROW = 4
"""Cells of a row: depth, tag, number and facts of an element, or depth, text, 0 and 0."""

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "listing",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "option",
        "p",
        "plaintext",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "xmp",
    ]
)

_TAG_ROLES = {
    "body": "document",
    "p": "paragraph",
    "li": "listitem",
    "tr": "row",
    "td": "cell",
    "th": "columnheader",
    "img": "img",
    "hr": "separator",
    "blockquote": "blockquote",
    "dt": "term",
    "dd": "definition",
    "pre": "code",
    "caption": "caption",
    "figcaption": "caption",
    "option": "option",
    "progress": "progressbar",
    "meter": "meter",
    "video": "video",
    "audio": "audio",
}
"""Roles that are worth no row in the capture of the page, but a line in these modes."""


@attrs.define(eq=False)
class Part:
    """An element; ``children`` are elements and texts. ``nid`` is the number over all frames.

    ``facts`` are the probe's: id, cls, nth, level, href, states, and others, each only if it says
    something. ``role`` is "" for what only holds other things together.
    """

    tag: str
    nid: int
    role: str
    name: str
    facts: dict[str, Any]
    parent: "Part | None"
    children: list["Part | str"]

    @property
    def is_block(self) -> bool:
        """Whether it ends the line of text it stands in."""
        return self.tag in _BLOCKS or "block" in self.facts

    def parts(self) -> Iterator["Part"]:
        """The elements directly in it."""
        return iter([child for child in self.children if isinstance(child, Part)])

    def walk(self) -> Iterator["Part"]:
        """This element and all in it, in document order."""
        waiting: list[Part] = [self]
        while waiting:
            part = waiting.pop()
            yield part
            if part.children:
                waiting += [child for child in reversed(part.children) if isinstance(child, Part)]


@attrs.frozen(kw_only=True)
class Survey:
    """One document or a part of it; ``root`` is None when nothing is shown.

    ``controls`` counts what can be acted on, hidden or not. ``cut`` says that what lies deeper than
    was asked for was left out. ``steps`` are the elements around the root, outermost first, for
    paths.
    """

    url: str
    title: str
    ready: str
    viewport: tuple[int, int]
    root: Part | None
    controls: int = 0
    cut: bool = False
    steps: tuple[Mapping[str, Any], ...] = ()

    def parts(self) -> Iterator[Part]:
        """All elements, in document order."""
        return self.root.walk() if self.root else iter(())

    def texts(self) -> Iterator[str]:
        """All texts that are not only spaces."""
        texts = (one for part in self.parts() for one in part.children if isinstance(one, str))
        return filter(str.strip, texts)


def read_survey(answer: Mapping[str, Any], frame: int = 0) -> Survey:
    """The survey that a probe answered, in the frame with that number."""
    width, height = answer["viewport"]
    return Survey(
        url=answer["url"],
        title=answer["title"],
        ready=answer["ready"],
        viewport=(width, height),
        root=_root(answer["cells"], frame),
        controls=answer["controls"],
        cut=bool(answer["cut"]),
        steps=tuple(answer["steps"]),
    )


def _root(cells: Sequence[Any], frame: int) -> Part | None:
    """Build the tree; rows tell only how deep they lie."""
    root: Part | None = None
    around: list[Part] = []
    depth: int
    for depth, said, nid, facts in zip(*[iter(cells)] * _IN_ROW, strict=True):
        if nid == 0:
            if around:
                around[min(depth, len(around)) - 1].children.append(said)
            continue
        del around[depth:]
        number = composed(frame, nid) if frame else nid
        part = _part(said, number, facts, around[-1] if around else None)
        if around:
            around[-1].children.append(part)
        root = root or part
        around.append(part)
    return root


def role_of(tag: str, role: str) -> str:
    """The role of an element of which the probe says that it has this one, or none."""
    return role or _TAG_ROLES.get(tag, "")


def _part(tag: str, nid: int, facts: dict[str, Any] | Literal[0], parent: Part | None) -> Part:
    if facts == 0:
        return Part(tag, nid, _TAG_ROLES.get(tag, ""), "", _NOTHING, parent, [])
    role = role_of(tag, facts.get("role", ""))
    return Part(tag, nid, role, facts.get("name", ""), facts, parent, [])


def put_inside(frame: Part, survey: Survey) -> None:
    """Hang the document that a frame shows into its element."""
    if survey.root is not None:
        frame.children[:] = [survey.root]
        survey.root.parent = frame
