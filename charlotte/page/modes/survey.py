"""Trees of all visible elements and the text between them, as the probe surveys them.

Each text mode of ``observe`` is a pure function of such a tree.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from charlotte.page.capture import compose_number
from charlotte.page.model import ReferenceTarget

_NO_FACTS: dict[str, Any] = {}
_ROW_LENGTH = 4
"""Cells of a row: depth, tag, number and facts of an element, or depth, text, 0 and 0."""

INTERACTIVE = {
    *("button", "link", "tab", "option", "treeitem", "menuitem"),
    *("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"),
    *("textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"),
}
LANDMARKS = {"banner", "main", "contentinfo", "navigation", "complementary", "region", "search"}
GROUPING_ROLES = {"", "generic", "presentation", "none"}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_BLOCKS = {
    *_HEADINGS,
    *("html", "body", "main", "header", "footer", "nav", "aside", "article", "section", "search"),
    *("address", "blockquote", "center", "div", "hgroup", "hr", "p", "pre", "frameset"),
    *("ul", "ol", "li", "dl", "dt", "dd", "dir", "menu", "listing", "plaintext", "xmp"),
    *("details", "summary", "dialog", "figure", "figcaption"),
    *("form", "fieldset", "legend", "optgroup", "option"),
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"),
}

_SAME_TAG = ("blockquote", "caption", "option", "img", "video", "audio", "meter")
_TAG_ROLES = {
    **dict(zip(_SAME_TAG, _SAME_TAG, strict=True)),
    "body": "document",
    "p": "paragraph",
    "li": "listitem",
    "tr": "row",
    "td": "cell",
    "th": "columnheader",
    "hr": "separator",
    "dt": "term",
    "dd": "definition",
    "pre": "code",
    "figcaption": "caption",
    "progress": "progressbar",
}
"""Roles that have a line in text modes but no row in the capture of the page."""


@attrs.define(eq=False)
class SurveyElement:
    """An element; ``children`` are elements and texts, ``nid`` is its number over all frames.

    ``facts`` are those of the probe: id, cls, nth, level, href, states, and others, each only if it
    applies. ``role`` is "" for elements that only group others.
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
        """Whether the element ends the line of text before it."""
        return self.tag in _BLOCKS or "block" in self.facts

    @property
    def is_interactive(self) -> bool:
        """Whether an agent can act on the element."""
        return self.role in INTERACTIVE or "focusable" in self.facts

    @property
    def target(self) -> ReferenceTarget:
        """The element as a target of a reference."""
        return ReferenceTarget(self.nid, self.role, self.name)

    def elements(self) -> Iterator["SurveyElement"]:
        """Return the child elements."""
        return iter([child for child in self.children if isinstance(child, SurveyElement)])

    def walk(self) -> Iterator["SurveyElement"]:
        """Return the element and all elements in it, in document order."""
        waiting: list[SurveyElement] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            if element.children:
                waiting += [
                    child
                    for child in reversed(element.children)
                    if isinstance(child, SurveyElement)
                ]


@attrs.frozen(kw_only=True)
class Survey:
    """A document or a part of it; ``root`` is None if nothing is visible.

    ``controls`` counts interactive elements, hidden ones included. ``cut`` is whether elements
    below the depth limit were left out. ``steps`` are the elements around the root, outermost
    first, for paths.
    """

    url: str
    title: str
    viewport: tuple[int, int]
    root: SurveyElement | None
    controls: int = 0
    cut: bool = False
    steps: tuple[Mapping[str, Any], ...] = ()

    def elements(self) -> Iterator[SurveyElement]:
        """Return all elements in document order."""
        return self.root.walk() if self.root else iter(())

    @property
    def is_blank(self) -> bool:
        """Whether there is no text."""
        texts = (child for element in self.elements() for child in element.children)
        return not any(isinstance(text, str) and text.strip() for text in texts)


def parse_survey(answer: Mapping[str, Any], frame: int = 0) -> Survey:
    """Build the survey from the probe's answer in the frame with that number."""
    root: SurveyElement | None = None
    ancestors: list[SurveyElement] = []
    depth: int
    for depth, text, nid, facts in zip(*[iter(answer["cells"])] * _ROW_LENGTH, strict=True):
        if nid == 0:
            if ancestors:
                ancestors[min(depth, len(ancestors)) - 1].children.append(text)
            continue
        del ancestors[depth:]
        parent = ancestors[-1] if ancestors else None
        known: dict[str, Any] = facts or _NO_FACTS
        role = get_effective_role(text, known.get("role", ""))
        number, name = compose_number(frame, nid), known.get("name", "")
        element = SurveyElement(text, number, role, name, known, parent, [])
        if parent is not None:
            parent.children.append(element)
        root = root or element
        ancestors.append(element)
    width, height = answer["viewport"]
    return Survey(
        url=answer["url"],
        title=answer["title"],
        viewport=(width, height),
        root=root,
        controls=answer["controls"],
        cut=bool(answer["cut"]),
        steps=tuple(answer["steps"]),
    )


def get_effective_role(tag: str, role: str) -> str:
    """Return the probe's role of an element, or that of its tag."""
    return role or _TAG_ROLES.get(tag, "")


def attach_document(frame: SurveyElement, survey: Survey) -> None:
    """Put the document of a frame into its element."""
    if survey.root is not None:
        frame.children[:] = [survey.root]
        survey.root.parent = frame


_STEP_TAGS = {
    *_HEADINGS,
    *("main", "nav", "header", "footer", "article", "section", "aside", "dialog"),
    *("table", "ul", "ol", "li", "menu", "figure", "figcaption", "details", "summary", "pre"),
    *("form", "a", "button", "input", "select", "textarea", "label", "iframe"),
}
"""Tags that are a step of a path without an id or class."""

_STEP_ID = re.compile(r"[A-Za-z_-][A-Za-z0-9_-]{0,28}")


def find_paths(survey: Survey) -> dict[int, str]:
    """Return the paths of all elements by number, such as ``/main/section#intro/h2`` (B-OUT-08).

    A path has the six innermost steps; it is ``/tag`` if no element around has a step.
    """
    outer = tuple(filter(None, (_build_step(step["tag"], step) for step in survey.steps)))
    found: dict[int, tuple[str, ...]] = {}
    paths: dict[int, str] = {}
    for element in survey.elements():
        steps = found[element.parent.nid] if element.parent else outer
        is_outside = element.tag in {"body", "html"}
        if not is_outside and (step := _build_step(element.tag, element.facts)):
            steps = (*steps, step)
        found[element.nid] = steps = steps[-6:]
        paths[element.nid] = f"/{'/'.join(steps) or element.tag}"
    return paths


def _build_step(tag: str, facts: Mapping[str, Any]) -> str:
    """Return the step of an element, "" for an element that only groups others."""
    name = facts.get("id", "")
    mark = f".{facts['cls']}" if "cls" in facts else ""
    if _STEP_ID.fullmatch(name):
        mark = f"#{name}"
    if not mark and tag not in _STEP_TAGS:
        return ""
    nth = f"[{facts['nth']}]" if "nth" in facts else ""
    return f"{tag}{mark}{nth}"
