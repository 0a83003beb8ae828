"""What content is made of: headings, paragraphs, code, lists, tables, quotes."""

from collections.abc import Iterator, Sequence
from itertools import repeat

import attrs


@attrs.frozen
class Heading:
    """A heading of level 1 to 6."""

    level: int
    text: str


@attrs.frozen
class Paragraph:
    """A run of text; a ``term`` is what the paragraphs after it define."""

    text: str
    term: bool = False


@attrs.frozen
class Code:
    """Preformatted text; ``language`` is "" if nothing tells."""

    language: str
    text: str


@attrs.frozen
class Listing:
    """A list, with the numbers of its items if they are numbered."""

    items: Sequence[Sequence["Block"]]
    numbers: Sequence[int] = ()

    def marks(self) -> Iterator[str]:
        """What stands in front of each item."""
        return (f"{number}." for number in self.numbers) if self.numbers else repeat("-")


@attrs.frozen
class Table:
    """Rows of cells, the first with the headings of the columns."""

    rows: Sequence[Sequence[str]]


@attrs.frozen
class Quote:
    """What somebody else said."""

    blocks: Sequence["Block"]


Block = Heading | Paragraph | Code | Listing | Table | Quote


def flat(block: Block) -> str:
    """A block on one line."""
    match block:
        case Heading(_, text) | Paragraph(text, _) | Code(_, text):
            return " ".join(text.split())
        case Listing(items):
            return "; ".join(" ".join(map(flat, item)) for item in items)
        case Table(rows):
            return "; ".join(", ".join(filter(None, row)) for row in rows)
        case Quote(blocks):
            return " ".join(map(flat, blocks))


def plain_text(block: Block) -> str:
    """The text of a block, for counting its words."""
    return block.text if isinstance(block, Code) else flat(block)
