"""Text with what marks it up: as Markdown, or plain."""

import re
from collections.abc import Iterable

import attrs

from charlotte.page.modes.escapes import address, around, code, escaped, safe
from charlotte.page.modes.formulas import formula
from charlotte.page.modes.survey import Part
from charlotte.page.modes.texts import CODE, FIELDS

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_RAISED = str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SHIFTED = {"sup": _RAISED, "sub": _LOWERED}
_EMPTY = FIELDS | {"br", "img"}
_SPACES = re.compile(r"[^\S\n]+")
_APART = {
    "button",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "treeitem",
    "switch",
    "checkbox",
    "radio",
}
"""Widgets that stand apart from the text beside them."""


@attrs.frozen(kw_only=True)
class Style:
    """How text is written; links and images only as Markdown, values of controls if wanted."""

    markdown: bool = False
    values: bool = False
    links: bool = False
    images: bool = False
    linked: bool = False

    def written(self, children: Iterable["Part | str"]) -> str:
        """The text of a run that begins a block; one line unless the page breaks it."""
        text = self.inside(children)
        return safe(text) if self.markdown else text

    def inside(self, children: Iterable["Part | str"]) -> str:
        """The same of a run that follows something in its line."""
        lines = (" ".join(line.split()) for line in self.run(children).split("\n"))
        return "\n".join(line for line in lines if line)

    def run(self, children: Iterable["Part | str"]) -> str:
        """The text with the spaces around it."""
        return "".join(map(self._piece, children))

    def _piece(self, child: "Part | str") -> str:
        if isinstance(child, str):
            return self.escaped(_SPACES.sub(" ", child))
        if child.tag in _EMPTY:
            return self._empty(child)
        if child.tag == "math":
            return self.escaped(formula(child))
        if self.markdown and child.tag in CODE:
            return code(plain(child))
        return _shifted(child) or self._said(child)

    def _said(self, part: Part) -> str:
        """The text of an element; what is a block or a widget stands apart from its neighbours."""
        inner = self.in_link() if "href" in part.facts else self
        text = self._marked(part, inner.run(part.children))
        if self.values and "checked" in part.facts:
            text = f"{_box(part)} {text}"
        return f" {text} " if part.role in _APART or part.is_block else text

    def _empty(self, part: Part) -> str:
        if part.tag == "br":
            return "\n"
        if part.tag == "img":
            return self.image(part)
        return f" {self._value(part)} " if self.values else ""

    def _value(self, part: Part) -> str:
        """What a control shows: of a password the probe tells bullets."""
        if "checked" in part.facts:
            return _box(part)
        value = part.name if part.role == "button" else str(part.facts.get("value", ""))
        return self.escaped(value)

    def _marked(self, part: Part, text: str) -> str:
        if part.tag == "q":
            return around(text, "“", "”")
        if not self.markdown:
            return text
        if self.links and "href" in part.facts:
            return self.link(text, part) if text.strip() else self.named_link(part)
        mark = _MARKS.get(part.tag, "")
        return around(text, mark, mark)

    @property
    def tells_links(self) -> bool:
        """Whether links are written with their addresses."""
        return self.markdown and self.links

    def in_link(self) -> "Style":
        """The same for text that is to be that of a link."""
        return attrs.evolve(self, linked=True) if self.tells_links else self

    def link(self, text: str, link: Part) -> str:
        """``[text](address)``."""
        return around(text, "[", f"]({address(link.facts['href'])})")

    def named_link(self, link: Part) -> str:
        """A link that shows no text."""
        return self.link(self.in_link().escaped(link.name), link)

    def image(self, part: Part) -> str:
        """``![alt](src)`` where images are wanted; the address may be too long to be told."""
        src = part.facts.get("src")
        if not self.images or src is None or not (src or part.name):
            return ""
        return f"![{escaped(part.name, linked=True)}]({address(src)})"

    def escaped(self, text: str) -> str:
        """Text that is neither markup nor in any."""
        return escaped(text, linked=self.linked) if self.markdown else text


def _box(part: Part) -> str:
    checked = part.facts["checked"]
    return "[-]" if checked == "mixed" else "[x]" if checked else "[ ]"


def _shifted(part: Part) -> str:
    """An exponent or index in characters that say so, for 10 to the sixth is not 106; or ""."""
    table = _SHIFTED.get(part.tag)
    text = plain(part).strip() if table and not any(part.parts()) else ""
    return text.translate(table) if table and all(ord(one) in table for one in text) else ""


def plain(part: Part) -> str:
    """All text in an element."""
    texts = (child if isinstance(child, str) else plain(child) for child in part.children)
    return "".join(texts)
