"""Text with what marks it up: as Markdown, or plain."""

import re
from collections.abc import Iterable

import attrs

from charlotte.page.modes.survey import Part
from charlotte.page.modes.texts import CODE

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
FIELDS = {"input", "select", "textarea"}
"""Controls whose text is not in them."""
_EMPTY = FIELDS | {"br", "img"}
_BEGINS_BLOCK = re.compile(r"(\d*)(?=#{1,6}\s|[-+*.)]\s|>|```|~~~|---)")
_SPACES = re.compile(r"[^\S\n]+")
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)


@attrs.frozen(kw_only=True)
class Style:
    """How text is written; links and images only as Markdown, values of controls if wanted."""

    markdown: bool = False
    values: bool = False
    links: bool = False
    images: bool = False

    def written(self, children: Iterable["Part | str"]) -> str:
        """The text of a run that begins a block; one line unless the page breaks it."""
        text = self.inside(children)
        return self._safe(text) if self.markdown else text

    def inside(self, children: Iterable["Part | str"]) -> str:
        """The same of a run that follows something in its line."""
        text = "".join(map(self._piece, children))
        lines = (" ".join(line.split()) for line in text.split("\n"))
        return "\n".join(line for line in lines if line)

    def _piece(self, child: "Part | str") -> str:
        if isinstance(child, str):
            return self._escaped(_SPACES.sub(" ", child))
        if child.tag in _EMPTY:
            return self._empty(child)
        if "editable" in child.facts and not self.values:
            return ""
        if self.markdown and child.tag in CODE:
            return _around(plain(child), "`", "`")
        text = self._marked(child, "".join(map(self._piece, child.children)))
        return f" {_box(child)} {text}" if self.values and "checked" in child.facts else text

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
        return self._escaped(value)

    def _marked(self, part: Part, text: str) -> str:
        if not self.markdown:
            return text
        if self.links and "href" in part.facts:
            return self.linked(text, part) if text.strip() else self.named_link(part)
        mark = _MARKS.get(part.tag, "")
        return _around(text, mark, mark)

    @property
    def tells_links(self) -> bool:
        """Whether links are written with their addresses."""
        return self.markdown and self.links

    def linked(self, text: str, link: Part) -> str:
        """``[text](address)``."""
        return _around(text, "[", f"]({_address(link.facts['href'])})")

    def named_link(self, link: Part) -> str:
        """A link that shows no text."""
        return self.linked(self._escaped(link.name), link)

    def image(self, part: Part) -> str:
        """``![alt](src)`` where images are wanted."""
        if not (self.images and "src" in part.facts):
            return ""
        return f"![{self._escaped(part.name)}]({_address(part.facts['src'])})"

    def _escaped(self, text: str) -> str:
        return text.replace("<!--", "&lt;!--") if self.markdown else text

    def _safe(self, text: str) -> str:
        """The text so that none of its lines begins another block."""
        return "\n".join(
            _BEGINS_BLOCK.sub(r"\1\\", line, count=1) if _BEGINS_BLOCK.match(line) else line
            for line in text.split("\n")
        )


def _box(part: Part) -> str:
    checked = part.facts["checked"]
    return "[-]" if checked == "mixed" else "[x]" if checked else "[ ]"


def plain(part: Part) -> str:
    """All text in an element."""
    texts = (child if isinstance(child, str) else plain(child) for child in part.children)
    return "".join(texts)


def _around(text: str, before: str, after: str) -> str:
    """Marks stand at the words, not at spaces around them; where there are no words, none do."""
    edges = _EDGES.fullmatch(text)
    if edges is None or not edges[2]:
        return text
    return f"{edges[1]}{before}{edges[2]}{after}{edges[3]}"


def _address(url: str) -> str:
    return re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", url)
