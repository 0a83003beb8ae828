"""Text with what marks it up: as Markdown, or plain."""

import re
from collections.abc import Iterable

import attrs

from charlotte.page.modes.survey import SurveyElement
from charlotte.page.modes.texts import CODE, FIELDS, formula_text

_MARKUP = r"""
    \\(?=[!-/:-@\[-`{-~])           # a backslash that would escape what follows
    | `
    | (?<!\s)\* | \*(?!\s)          # a star that is not alone
    | (?<![^\W_])_ | _(?![^\W_])     # a low line that is not inside a word
    | ~(?=~)
    | <(?=[A-Za-z/?]|!(?!--))
    | &(?=\#?\w+;)
    """
_LITERALS = re.compile(rf"{_MARKUP} | \[(?=[ xX]\]) | \](?=[(:\[])", re.VERBOSE)
_LITERALS_IN_LINKS = re.compile(rf"{_MARKUP} | [\[\]]", re.VERBOSE)
_BEGINS_BLOCK = re.compile(r"(\d*)(?=#{1,6}\s|[-+*.)]\s|>|```|~~~|---|=+$)")

LINKING = "!["
"""What links and images begin with."""
_ESCAPE = r"\\."
# Atomic and possessive: a page could otherwise choose texts that take exponential time.
_CODE = r"(?>(?<!`)(?P<{0}>`+)(?!`).*?(?<!`)(?P={0})(?!`))"
_ADDRESS = r"\]\([^\s()]*\)"
_IMAGE = rf"!\[(?:{_ESCAPE}|[^\[\]\\])*+{_ADDRESS}"
_LINK = rf"\[(?:{_ESCAPE}|{_CODE.format('inner')}|{_IMAGE}|[^\[\]\\`])*+{_ADDRESS}"
_WHOLE = re.compile(f"{_ESCAPE}|{_CODE.format('outer')}|{_IMAGE}|{_LINK}", re.DOTALL)
"""What means something else without its end."""
_LONGEST_WHOLE = 5_000
"""Characters of it that are looked at, for a text may be of megabytes."""


def escape_markup(text: str, *, linked: bool = False) -> str:
    """Text that marks nothing up; in links brackets would end it."""
    literals = _LITERALS_IN_LINKS if linked else _LITERALS
    return literals.sub(r"\\\g<0>", text).replace("<!--", "&lt;!--")


def escape_line_starts(text: str) -> str:
    """The text so that none of its lines begins another block."""
    return "\n".join(
        _BEGINS_BLOCK.sub(r"\1\\", line, count=1) if _BEGINS_BLOCK.match(line) else line
        for line in text.split("\n")
    )


def inline_code(text: str) -> str:
    """Code in a line, between marks that are longer than any in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    touches = text.strip()[:1] == "`" or text.strip()[-1:] == "`"
    mark, space = "`" * (longest + 1), " " * touches
    return wrap_words(text, mark + space, space + mark)


def wrap_words(text: str, before: str, after: str) -> str:
    """Marks stand at the words, not at spaces around them; where there are no words, none do."""
    words = text.strip()
    if not words:
        return text
    start = len(text) - len(text.lstrip())
    end = start + len(words)
    return f"{text[:start]}{before}{words}{after}{text[end:]}"


def escape_url(url: str) -> str:
    """An address that ends where the parentheses around it do."""
    return re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", url)


def find_cut(text: str, end: int) -> int:
    """Where Markdown may be cut: at ``end``, or in front of the code or link that is there."""
    for found in _WHOLE.finditer(text, 0, end + _LONGEST_WHOLE):
        if found.start() >= end:
            break
        if found.end() > end:
            return len(text[: found.start()].rstrip())
    return end


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
class InlineStyle:
    """How text is written; links and images only as Markdown, values of controls if wanted."""

    markdown: bool = False
    values: bool = False
    links: bool = False
    images: bool = False
    linked: bool = False

    def written(self, children: Iterable["SurveyElement | str"]) -> str:
        """The text of a run that begins a block; one line unless the page breaks it."""
        text = self.inside(children)
        return escape_line_starts(text) if self.markdown else text

    def inside(self, children: Iterable["SurveyElement | str"]) -> str:
        """The same of a run that follows something in its line."""
        lines = (" ".join(line.split()) for line in self.run(children).split("\n"))
        return "\n".join(line for line in lines if line)

    def run(self, children: Iterable["SurveyElement | str"]) -> str:
        """The text with the spaces around it."""
        return "".join(map(self._piece, children))

    def _piece(self, child: "SurveyElement | str") -> str:
        if isinstance(child, str):
            return self.escaped(_SPACES.sub(" ", child))
        if child.tag in _EMPTY:
            return self._empty(child)
        if child.tag == "math":
            return self.escaped(formula_text(child))
        if self.markdown and child.tag in CODE:
            return inline_code(element_text(child))
        return _shifted(child) or self._said(child)

    def _said(self, part: SurveyElement) -> str:
        """The text of an element; what is a block or a widget stands apart from its neighbours."""
        inner = self.in_link() if "href" in part.facts else self
        text = self._marked(part, inner.run(part.children))
        if self.values and "checked" in part.facts:
            text = f"{_box(part)} {text}"
        return f" {text} " if part.role in _APART or part.is_block else text

    def _empty(self, part: SurveyElement) -> str:
        if part.tag == "br":
            return "\n"
        if part.tag == "img":
            return self.image(part)
        return f" {self._value(part)} " if self.values else ""

    def _value(self, part: SurveyElement) -> str:
        """What a control shows: of a password the probe tells bullets."""
        if "checked" in part.facts:
            return _box(part)
        value = part.name if part.role == "button" else str(part.facts.get("value", ""))
        return self.escaped(value)

    def _marked(self, part: SurveyElement, text: str) -> str:
        if part.tag == "q":
            return wrap_words(text, "“", "”")
        if not self.markdown:
            return text
        if self.links and "href" in part.facts:
            return self.link(text, part) if text.strip() else self.named_link(part)
        mark = _MARKS.get(part.tag, "")
        return wrap_words(text, mark, mark)

    @property
    def tells_links(self) -> bool:
        """Whether links are written with their addresses."""
        return self.markdown and self.links

    def in_link(self) -> "InlineStyle":
        """The same for text that is to be that of a link."""
        return attrs.evolve(self, linked=True) if self.tells_links else self

    def link(self, text: str, link: SurveyElement) -> str:
        """``[text](address)``."""
        return wrap_words(text, "[", f"]({escape_url(link.facts['href'])})")

    def named_link(self, link: SurveyElement) -> str:
        """A link that shows no text."""
        return self.link(self.in_link().escaped(link.name), link)

    def image(self, part: SurveyElement) -> str:
        """``![alt](src)`` where images are wanted; the address may be too long to be told."""
        src = part.facts.get("src")
        if not self.images or src is None or not (src or part.name):
            return ""
        return f"![{escape_markup(part.name, linked=True)}]({escape_url(src)})"

    def escaped(self, text: str) -> str:
        """Text that is neither markup nor in any."""
        return escape_markup(text, linked=self.linked) if self.markdown else text


def _box(part: SurveyElement) -> str:
    checked = part.facts["checked"]
    return "[-]" if checked == "mixed" else "[x]" if checked else "[ ]"


def _shifted(part: SurveyElement) -> str:
    """An exponent or index in characters that say so, for 10 to the sixth is not 106; or ""."""
    table = _SHIFTED.get(part.tag)
    text = element_text(part).strip() if table and not any(part.elements()) else ""
    return text.translate(table) if table and all(ord(one) in table for one in text) else ""


def element_text(part: SurveyElement) -> str:
    """All text in an element."""
    texts = (child if isinstance(child, str) else element_text(child) for child in part.children)
    return "".join(texts)
