"""Reads the content of an element as blocks."""

from collections.abc import Callable, Iterator, Sequence

import attrs

from charlotte.page.modes.blocks import Block, Code, Heading, Listing, Paragraph, Quote, Table, flat
from charlotte.page.modes.escapes import code
from charlotte.page.modes.inline import Style
from charlotte.page.modes.survey import Part
from charlotte.page.modes.tables import grid, is_data, is_rows, rows_of
from charlotte.page.modes.texts import CODE, FIELDS, code_language, code_text, is_code

_LISTS = {"ul", "ol", "menu"}
_ALONE = FIELDS | CODE | {"img", "math"}
_ANY, _TOLD = 0, -1
"""Where the address of a link without a heading is told; and that it has been told."""


def _never(part: Part) -> bool:  # noqa: ARG001 - a kind of is_section
    return False


@attrs.frozen
class Reader:
    """Reads blocks; elements that are ``sections`` of their own are given as they are.

    ``_tellers`` are by the numbers of links the headings at which their addresses are told.
    """

    style: Style
    is_section: Callable[[Part], bool] = _never
    _tellers: dict[int, int] = attrs.field(factory=dict[int, int])

    def whole(self, part: Part) -> Iterator[Block | Part]:
        """An element as the block that it is, or else what lies in it."""
        if self.is_section(part):
            yield from self.read(part)
        elif is_rows(part):
            yield from self._table(part)
        else:
            yield from self._block(part)

    def read(self, part: Part) -> Iterator[Block | Part]:
        """What lies in an element, in order: each text once."""
        run: list[Part | str] = []
        for child in part.children:
            if isinstance(child, str) or self._is_inline(child):
                run.append(child)
                continue
            yield from self._paragraph(run, part)
            run = []
            yield from self._block(child)
        yield from self._paragraph(run, part)

    def _is_inline(self, part: Part) -> bool:
        """Whether it stands in a line: it is no block, and there is none in it."""
        return not any(one.is_block or one.tag == "iframe" or is_code(one) for one in part.walk())

    def _paragraph(self, run: Sequence[Part | str], around: Part) -> Iterator[Block]:
        if text := self._addressed(around, lambda style: style.written(run)):
            yield Paragraph(text)

    def _addressed(self, part: Part, write: Callable[[Style], str]) -> str:
        """The text of a part that is or lies in a link; the address is told once, at a heading."""
        link = self._link_to_tell(part)
        if link is None:
            return write(self.style)
        text = write(self.style.in_link())
        if text:
            self._tellers[link.nid] = _TOLD
        return self.style.link(text, link)

    def _link_to_tell(self, part: Part) -> Part | None:
        link = _link_around(part) if self.style.tells_links else None
        if link is None:
            return None
        if link.nid not in self._tellers:
            self._tellers[link.nid] = _teller(link)
        return link if self._tellers[link.nid] in {_ANY, part.nid} else None

    def _link(self, part: Part) -> Iterator[Block | Part]:
        """A link that is a block; one that shows no text is called by its name."""
        blocks = list(self.read(part))
        if not blocks and self.style.tells_links and part.name:
            blocks = [Paragraph(self.style.named_link(part))]
        yield from blocks

    def _block(self, part: Part) -> Iterator[Block | Part]:
        if self.is_section(part):
            yield part
        elif part.role == "heading":
            if text := self._addressed(part, lambda style: _title(part, style)):
                yield Heading(part.facts.get("level", 2), text)
        elif is_code(part):
            yield Code(code_language(part), code_text(part))
        elif part.tag in _LISTS and _count(part):
            yield from self._listing(part)
        elif is_data(part):
            yield from self._table(part)
        else:
            yield from self._by_tag(part)

    def _by_tag(self, part: Part) -> Iterator[Block | Part]:
        if part.tag == "blockquote":
            yield Quote(self._all(part))
        elif part.tag == "dt":
            yield from self._term(part)
        elif "href" in part.facts:
            yield from self._link(part)
        elif part.tag in _ALONE or "checked" in part.facts:
            yield from self._paragraph([part], part)
        else:
            yield from self.read(part)

    def _all(self, part: Part) -> list[Block]:
        """The blocks of an element, those of sections in it among them."""
        inside = attrs.evolve(self, is_section=_never)
        return [block for block in inside.read(part) if not isinstance(block, Part)]

    def _term(self, part: Part) -> Iterator[Block]:
        for block in self._all(part):
            yield attrs.evolve(block, term=True) if isinstance(block, Paragraph) else block

    def _listing(self, part: Part) -> Iterator[Block]:
        items = [(self._all(child), number) for child, number in _numbered(part)]
        filled = [(item, number) for item, number in items if item]
        if filled:
            numbers = [number for _, number in filled] if part.tag == "ol" else []
            yield Listing([item for item, _ in filled], numbers)

    def _table(self, part: Part) -> Iterator[Block]:
        for child in part.parts():
            if child.tag == "caption":
                yield from self._all(child)
        if filled := grid(rows_of(part), self._cell):
            yield Table(filled)

    def _cell(self, part: Part) -> str:
        return " ".join(filter(None, map(self._in_line, self._all(part))))

    def _in_line(self, block: Block) -> str:
        text = flat(block)
        return code(text) if self.style.markdown and isinstance(block, Code) else text


def _numbered(listing: Part) -> Iterator[tuple[Part, int]]:
    """What lies in a list, with the numbers that the browser shows."""
    facts = listing.facts
    step = -1 if "reversed" in facts else 1
    number = int(facts.get("start", 1 if step == 1 else _count(listing)))
    for child in listing.parts():
        number = int(child.facts.get("number", number))
        yield child, number
        number += step if child.tag == "li" else 0


def _count(listing: Part) -> int:
    return sum(child.tag == "li" for child in listing.parts())


def _title(heading: Part, style: Style) -> str:
    text = style.inside(heading.children) or style.escaped(heading.name)
    return " ".join(text.split())


def _link_around(part: Part) -> Part | None:
    link: Part | None = part
    while link is not None and "href" not in link.facts:
        link = link.parent
    return link


def _teller(link: Part) -> int:
    """The number of the heading in a link, if there is one."""
    headings = (one.nid for one in link.walk() if one.role == "heading" and one.name)
    return next(headings, _ANY)
