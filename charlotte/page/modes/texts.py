"""What stands in an element, as pieces: runs of text and the elements between them."""

from collections.abc import Collection, Iterator

from charlotte.page.modes.lines import one_line
from charlotte.page.modes.survey import Part
from charlotte.page.record import record

_LABELLED = {"input", "select", "textarea"}
_NO_ROLE = {"", "generic", "presentation", "none"}


@record
class Text:
    """A run of text on one line, as the browser shows it."""

    text: str


def flow(part: Part, others: Collection[int] = ()) -> Iterator[Text | Part]:
    """The pieces of an element: text that belongs together is one, whatever marks it up.

    Elements with a role are pieces of their own, and ``others`` by their numbers. The text of a
    label is left out, for it is the name of the control in it.
    """
    run = ""
    for piece in _pieces(part, others):
        if isinstance(piece, str):
            run += piece
            continue
        if text := one_line(run):
            yield Text(text)
        run = ""
        if isinstance(piece, Part):
            yield piece
    if text := one_line(run):
        yield Text(text)


def _pieces(part: Part, others: Collection[int]) -> Iterator[str | Part | None]:
    """Texts, elements with a role, and None where a line ends."""
    for child in part.children:
        if isinstance(child, str) or child.role not in _NO_ROLE or child.nid in others:
            yield child
        elif child.tag == "label" and any(one.tag in _LABELLED for one in child.walk()):
            yield from (one for one in _pieces(child, others) if not isinstance(one, str))
        elif child.tag == "br":
            yield None
        elif child.is_block:
            yield None
            yield from _pieces(child, others)
            yield None
        else:
            yield from _pieces(child, others)
