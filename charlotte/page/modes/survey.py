"""Reads what the probe surveyed: a tree of all elements that are shown and the text between.

Every mode of ``observe`` that is text is a pure function of such a tree.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.page.frames import compose_number

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
class SurveyElement:
    """An element; ``children`` are elements and texts. ``nid`` is the number over all frames.

    ``facts`` are the probe's: id, cls, nth, level, href, states, and others, each only if it says
    something. ``role`` is "" for what only holds other things together.
    """

    tag: str
    nid: int
    role: str
    name: str
    facts: dict[str, Any]
    parent: "SurveyElement | None"
    children: list["SurveyElement | str"]

    @property
    def is_block(self) -> bool:
        """Whether it ends the line of text it stands in."""
        return self.tag in _BLOCKS or "block" in self.facts

    def elements(self) -> Iterator["SurveyElement"]:
        """The elements directly in it."""
        return iter([child for child in self.children if isinstance(child, SurveyElement)])

    def walk(self) -> Iterator["SurveyElement"]:
        """This element and all in it, in document order."""
        waiting: list[SurveyElement] = [self]
        while waiting:
            part = waiting.pop()
            yield part
            if part.children:
                waiting += [
                    child for child in reversed(part.children) if isinstance(child, SurveyElement)
                ]


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
    root: SurveyElement | None
    controls: int = 0
    cut: bool = False
    steps: tuple[Mapping[str, Any], ...] = ()

    def elements(self) -> Iterator[SurveyElement]:
        """All elements, in document order."""
        return self.root.walk() if self.root else iter(())

    def texts(self) -> Iterator[str]:
        """All texts that are not only spaces."""
        texts = (one for part in self.elements() for one in part.children if isinstance(one, str))
        return filter(str.strip, texts)


def parse_survey(answer: Mapping[str, Any], frame: int = 0) -> Survey:
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


def _root(cells: Sequence[Any], frame: int) -> SurveyElement | None:
    """Build the tree; rows tell only how deep they lie."""
    root: SurveyElement | None = None
    around: list[SurveyElement] = []
    depth: int
    for depth, said, nid, facts in zip(*[iter(cells)] * _IN_ROW, strict=True):
        if nid == 0:
            if around:
                around[min(depth, len(around)) - 1].children.append(said)
            continue
        del around[depth:]
        number = compose_number(frame, nid) if frame else nid
        part = _part(said, number, facts, around[-1] if around else None)
        if around:
            around[-1].children.append(part)
        root = root or part
        around.append(part)
    return root


def get_effective_role(tag: str, role: str) -> str:
    """The role of an element of which the probe says that it has this one, or none."""
    return role or _TAG_ROLES.get(tag, "")


def _part(
    tag: str, nid: int, facts: dict[str, Any] | Literal[0], parent: SurveyElement | None
) -> SurveyElement:
    if facts == 0:
        return SurveyElement(tag, nid, _TAG_ROLES.get(tag, ""), "", _NOTHING, parent, [])
    role = get_effective_role(tag, facts.get("role", ""))
    return SurveyElement(tag, nid, role, facts.get("name", ""), facts, parent, [])


def attach_document(frame: SurveyElement, survey: Survey) -> None:
    """Hang the document that a frame shows into its element."""
    if survey.root is not None:
        frame.children[:] = [survey.root]
        survey.root.parent = frame


_TAGS = frozenset(
    [
        "main",
        "nav",
        "header",
        "footer",
        "article",
        "section",
        "aside",
        "form",
        "table",
        "ul",
        "ol",
        "li",
        "dialog",
        "menu",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "a",
        "button",
        "input",
        "select",
        "textarea",
        "label",
        "figure",
        "figcaption",
        "details",
        "summary",
        "iframe",
        "pre",
    ]
)
_ID = re.compile(r"[A-Za-z_-][A-Za-z0-9_-]{0,28}")
_MOST_STEPS = 6
_OUTSIDE = {"body", "html"}


class ElementPaths:
    """The paths of the elements of one survey; ``steps`` are the elements around its root."""

    def __init__(self, steps: Sequence[Mapping[str, Any]] = ()) -> None:
        self._outer = tuple(filter(None, (_step(step["tag"], step) for step in steps)))
        self._known: dict[int, tuple[str, ...]] = {}

    def of(self, part: SurveyElement) -> str:
        """At most six steps, the innermost; ``/tag`` where nothing on the way is worth a step."""
        steps = self._steps(part)[-_MOST_STEPS:]
        return "/" + ("/".join(steps) or part.tag)

    def _steps(self, part: SurveyElement) -> tuple[str, ...]:
        chain: list[SurveyElement] = []
        node: SurveyElement | None = part
        while node is not None and id(node) not in self._known:
            chain.append(node)
            node = node.parent
        steps = self._outer if node is None else self._known[id(node)]
        for one in reversed(chain):
            step = "" if one.tag in _OUTSIDE else _step(one.tag, one.facts)
            steps = (*steps, step)[-_MOST_STEPS:] if step else steps
            self._known[id(one)] = steps
        return steps


def _step(tag: str, facts: Mapping[str, Any]) -> str:
    """The step of an element, "" for one that only holds others together."""
    given = facts.get("id", "")
    mark = f"#{given}" if _ID.fullmatch(given) else f".{facts['cls']}" if "cls" in facts else ""
    if not mark and tag not in _TAGS:
        return ""
    nth = f"[{facts['nth']}]" if "nth" in facts else ""
    return f"{tag}{mark}{nth}"
