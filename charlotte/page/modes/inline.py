"""Text within a line, plain or as Markdown that reads back as the same; code and formulas."""

import re
from collections.abc import Iterable, Iterator

import attrs

from charlotte.page.modes.lines import one_line
from charlotte.page.modes.survey import SurveyElement

FIELDS = {"input", "select", "textarea"}
"""Controls whose text is not inside them."""
CODE = {"code", "kbd", "samp", "tt"}

_MARKUP = r"""
    \\(?=[!-/:-@\[-`{-~])           # a backslash that would escape the next character
    | `
    | (?<!\s)\* | \*(?!\s)          # a star that is not alone
    | (?<![^\W_])_ | _(?![^\W_])     # an underscore that is not inside a word
    | ~(?=~)
    | <(?=[A-Za-z/?]|!(?!--))
    | &(?=\#?\w+;)
    """
_LITERALS = re.compile(rf"{_MARKUP} | \[(?=[ xX]\]) | \](?=[(:\[])", re.VERBOSE)
_LITERALS_IN_LINKS = re.compile(rf"{_MARKUP} | [\[\]]", re.VERBOSE)
_BEGINS_BLOCK = re.compile(r"^(\d*)(?=#{1,6}\s|[-+*.)]\s|>|```|~~~|---|=+$)")

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_SHIFTED = {
    "sup": str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
    "sub": str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}
_FORMULA_MARKS = {
    "mfrac": "/",
    **dict.fromkeys(("msup", "mover"), "^"),
    **dict.fromkeys(("msub", "munder"), "_"),
    **dict.fromkeys(("msubsup", "munderover"), "_^"),
}
_SPACES = re.compile(r"[^\S\n]+")
_SPACED = {
    *("button", "tab", "option", "treeitem", "switch", "checkbox", "radio"),
    *("menuitem", "menuitemcheckbox", "menuitemradio"),
}
"""Roles of widgets that are separated by spaces from the text around them."""


def inline_code(text: str) -> str:
    """Return code in a line, between more backticks than it contains in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    is_adjacent = text.strip()[:1] == "`" or text.strip()[-1:] == "`"
    mark, space = "`" * (longest + 1), " " * is_adjacent
    return wrap_words(text, mark + space, space + mark)


def wrap_words(text: str, before: str, after: str) -> str:
    """Put marks around the words of a text, inside of its spaces; text without words is kept."""
    words = text.strip()
    if not words:
        return text
    start, _, end = text.partition(words)
    return f"{start}{before}{words}{after}{end}"


def escape_url(url: str) -> str:
    """Escape the characters of a URL that would end the parentheses around it."""
    return re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", url)


def element_text(element: SurveyElement) -> str:
    """Return all text in an element."""
    return "".join(
        child if isinstance(child, str) else element_text(child) for child in element.children
    )


@attrs.frozen(kw_only=True)
class InlineStyle:
    """Style of text in lines: ``links`` and ``images`` need ``markdown``.

    ``values`` adds the values of controls. ``linked`` is for text inside a link.
    """

    markdown: bool = False
    values: bool = False
    links: bool = False
    images: bool = False
    linked: bool = False

    @property
    def writes_links(self) -> bool:
        """Whether links are written with their URLs."""
        return self.markdown and self.links

    def in_link(self) -> "InlineStyle":
        """Return the style for text inside a link."""
        return attrs.evolve(self, linked=True) if self.writes_links else self

    def write_block(self, children: Iterable[SurveyElement | str]) -> str:
        """Return the text of a run that begins a block, with the line breaks of the page."""
        lines = self.write_lines(children).split("\n")
        if self.markdown:  # no line may begin another block
            lines = [_BEGINS_BLOCK.sub(r"\1\\", line, count=1) for line in lines]
        return "\n".join(lines)

    def write_lines(self, children: Iterable[SurveyElement | str]) -> str:
        """Return the text of a run that follows other text in its line."""
        lines = (" ".join(line.split()) for line in self.write(children).split("\n"))
        return "\n".join(line for line in lines if line)

    def write_heading(self, heading: SurveyElement) -> str:
        """Return the text of a heading on one line, or its name."""
        return one_line(self.write_lines(heading.children) or self.escape(heading.name))

    def write(self, children: Iterable[SurveyElement | str]) -> str:
        """Return the text of a run with the spaces around it."""
        return "".join(map(self._write_child, children))

    def _write_child(self, child: SurveyElement | str) -> str:
        if isinstance(child, str):
            return self.escape(_SPACES.sub(" ", child))
        if child.tag == "img":
            return self._write_image(child)
        if child.tag == "br" or child.tag in FIELDS:
            return "\n" if child.tag == "br" else self._write_control(child)
        if child.tag == "math":
            return self.escape(formula_text(child))
        if self.markdown and child.tag in CODE:
            return inline_code(element_text(child))
        return _shift(child) or self._write_element(child)

    def _write_element(self, element: SurveyElement) -> str:
        """Return the text of an element; spaces separate blocks and widgets from other text."""
        inner = self.in_link() if "href" in element.facts else self
        text = inner.write(element.children)
        if element.tag == "q":
            text = wrap_words(text, "“", "”")
        elif self.writes_links and "href" in element.facts:
            text = self.link(text, element) if text.strip() else self.named_link(element)
        elif self.markdown and (mark := _MARKS.get(element.tag)):
            text = wrap_words(text, mark, mark)
        if self.values and "checked" in element.facts:
            text = f"{_box(element)} {text}"
        return f" {text} " if element.role in _SPACED or element.is_block else text

    def _write_control(self, control: SurveyElement) -> str:
        """Return the value that a control shows; the probe sends bullets for a password."""
        if not self.values:
            return ""
        if "checked" in control.facts:
            return f" {_box(control)} "
        is_button = control.role == "button"
        value = control.name if is_button else str(control.facts.get("value", ""))
        return f" {self.escape(value)} "

    def link(self, text: str, link: SurveyElement) -> str:
        """Return ``[text](address)``."""
        return wrap_words(text, "[", f"]({escape_url(link.facts['href'])})")

    def named_link(self, link: SurveyElement) -> str:
        """Return a link without text under its accessible name."""
        return self.link(self.in_link().escape(link.name), link)

    def _write_image(self, image: SurveyElement) -> str:
        """Return ``![alt](src)`` if images are wanted; the probe leaves out long URLs."""
        src = image.facts.get("src")
        if not self.images or src is None or not (src or image.name):
            return ""
        name = attrs.evolve(self, markdown=True, linked=True).escape(image.name)
        return f"![{name}]({escape_url(src)})"

    def escape(self, text: str) -> str:
        """Escape text that is not markup; in links, brackets are escaped too."""
        if not self.markdown:
            return text
        literals = _LITERALS_IN_LINKS if self.linked else _LITERALS
        return literals.sub(r"\\\g<0>", text).replace("<!--", "&lt;!--")


def _box(control: SurveyElement) -> str:
    checked = control.facts["checked"]
    return "[-]" if checked == "mixed" else "[x]" if checked else "[ ]"


def _shift(element: SurveyElement) -> str:
    """Return an exponent or index in raised or lowered characters, or ""."""
    table = _SHIFTED.get(element.tag)
    if table is None or any(element.elements()):
        return ""
    text = element_text(element).strip()
    return text.translate(table) if all(ord(character) in table for character in text) else ""


def formula_text(element: SurveyElement) -> str:
    """Return a MathML formula on one line, such as ``x^2/2``, with parentheses around groups."""
    pieces = [formula_text(child) for child in element.elements()]
    if not pieces:
        text = "".join(child for child in element.children if isinstance(child, str))
        return one_line(text)
    marks = _FORMULA_MARKS.get(element.tag, "")
    if marks and len(pieces) == len(marks) + 1:
        first, *others = map(_group, pieces)
        return first + "".join(mark + other for mark, other in zip(marks, others, strict=True))
    if element.tag in {"msqrt", "mroot"}:
        return f"√{_group(''.join(pieces[:1] if element.tag == 'mroot' else pieces))}"
    return {"mtable": "; ", "mtr": ", "}.get(element.tag, "").join(pieces)


def _group(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"


def is_code(element: SurveyElement) -> bool:
    """Return whether an element is code on lines of its own."""
    return element.tag == "pre" or (element.tag in CODE and "\n" in code_text(element))


def code_text(element: SurveyElement) -> str:
    """Return preformatted text without the line ends around it."""
    text = ""
    is_new_block = False
    for piece in _preformatted_pieces(element):
        if piece is None:
            is_new_block = bool(text)
            continue
        if is_new_block and not (text.endswith("\n") or piece.startswith("\n")):
            text += "\n"
        is_new_block = False
        text += piece
    return text.strip("\n")


def _preformatted_pieces(element: SurveyElement) -> Iterator[str | None]:
    """Return the texts in an element, and None where a block begins or ends."""
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.tag == "br":
            yield "\n"
        else:
            ends = [None] * child.is_block
            yield from ends
            yield from _preformatted_pieces(child)
            yield from ends


def code_language(element: SurveyElement) -> str:
    """Return the language in the classes of an element, its children or two ancestors, or ""."""
    candidates = [element, *element.elements()]
    if element.parent is not None:
        candidates += [element.parent, *filter(None, [element.parent.parent])]
    languages = (str(candidate.facts.get("lang", "")) for candidate in candidates)
    return next((name for name in languages if name not in {"", "default", "none"}), "")
