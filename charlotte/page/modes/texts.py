"""What stands in an element, as pieces: runs of text and the elements between them."""

from collections.abc import Collection, Iterator

from charlotte.page.modes.lines import one_line
from charlotte.page.modes.survey import Survey, SurveyElement
from charlotte.page.record_base import frozen_record

_JOINED = {
    "mfrac": "/",
    "msup": "^",
    "mover": "^",
    "msub": "_",
    "munder": "_",
    "msubsup": "_^",
    "munderover": "_^",
}


def formula_text(part: SurveyElement) -> str:
    """A formula or a part of one; what belongs together stands in parentheses."""
    pieces = [formula_text(child) for child in part.elements()]
    if not pieces:
        text = "".join(child for child in part.children if isinstance(child, str))
        return " ".join(text.split())
    if part.tag in _JOINED and len(pieces) == len(_JOINED[part.tag]) + 1:
        first, *others = map(_grouped, pieces)
        marks = zip(_JOINED[part.tag], others, strict=True)
        return first + "".join(mark + other for mark, other in marks)
    if part.tag in {"msqrt", "mroot"}:
        return f"√{_grouped(''.join(pieces[:1] if part.tag == 'mroot' else pieces))}"
    return {"mtable": "; ", "mtr": ", "}.get(part.tag, "").join(pieces)


def _grouped(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"


FIELDS = {"input", "select", "textarea"}
"""Controls whose text is not in them."""
CODE = {"code", "kbd", "samp", "tt"}
_NO_ROLE = {"", "generic", "presentation", "none"}


@frozen_record
class TextRun:
    """A run of text on one line, as the browser shows it."""

    text: str


def split_pieces(
    part: SurveyElement, others: Collection[int] = ()
) -> list[TextRun | SurveyElement]:
    """The pieces of an element: text that belongs together is one, whatever marks it up.

    Elements with a role are pieces of their own, and ``others`` by their numbers. The text of a
    label is left out, for it is the name of the control in it.
    """
    if not part.children:
        return []
    pieces: list[str | SurveyElement | None] = []
    _gather(part, others, pieces)
    pieces.append(None)
    found: list[TextRun | SurveyElement] = []
    run = ""
    for piece in pieces:
        if isinstance(piece, str):
            run += piece
            continue
        if run and (text := one_line(run)):
            found.append(TextRun(text))
        run = ""
        if piece is not None:
            found.append(piece)
    return found


def _gather(
    part: SurveyElement, others: Collection[int], pieces: list[str | SurveyElement | None]
) -> None:
    """Add texts, elements with a role, and None where a line ends."""
    for child in part.children:
        if isinstance(child, str):
            pieces += _lines(child, part)
        elif child.role not in _NO_ROLE or child.nid in others:
            pieces.append(child)
        elif child.tag == "label" and any(one.tag in FIELDS for one in child.walk()):
            inside: list[str | SurveyElement | None] = []
            _gather(child, others, inside)
            pieces += [one for one in inside if not isinstance(one, str)]
        elif child.tag == "br":
            pieces.append(None)
        elif child.tag == "math":
            pieces.append(formula_text(child))
        elif child.is_block:
            pieces.append(None)
            _gather(child, others, pieces)
            pieces.append(None)
        else:
            _gather(child, others, pieces)


def _lines(text: str, part: SurveyElement) -> Iterator[str | None]:
    """A text and None for each line break in it; what is in ``pre`` is told in one line."""
    if "\n" not in text or _is_pre(part):
        yield text
        return
    first, *others = text.split("\n")
    yield first
    for line in others:
        yield None
        yield line


def _is_pre(part: SurveyElement | None) -> bool:
    while part is not None and part.tag != "pre":
        part = part.parent
    return part is not None


def count_words(survey: Survey) -> dict[int, int]:
    """How many words there are in each element, by its number."""
    counts: dict[int, int] = {}
    for part in reversed(list(survey.elements())):
        inside = sum(counts[child.nid] for child in part.elements())
        counts[part.nid] = inside + _own_words(part)
    return counts


def _own_words(part: SurveyElement) -> int:
    """The words that begin in text directly in the element; one may go on in the next element."""
    count = 0
    before: SurveyElement | str | None = None
    for child in part.children:
        if isinstance(child, str):
            goes_on = (
                isinstance(before, SurveyElement)
                and not before.is_block
                and not child[:1].isspace()
            )
            count += max(len(child.split()) - (goes_on and bool(child.strip())), 0)
        before = child
    return count


def is_code(part: SurveyElement) -> bool:
    """Whether it is code in lines of its own."""
    return part.tag == "pre" or (part.tag in CODE and "\n" in code_text(part))


def code_text(pre: SurveyElement) -> str:
    """What is preformatted, without the line ends around it."""
    text = ""
    is_apart = False
    for piece in _preformatted(pre):
        if piece is None:
            is_apart = bool(text)
            continue
        if is_apart and not (text.endswith("\n") or piece.startswith("\n")):
            text += "\n"
        is_apart = False
        text += piece
    return text.strip("\n")


def _preformatted(part: SurveyElement) -> Iterator[str | None]:
    """The strings in an element, and None where a block begins or ends."""
    for child in part.children:
        if isinstance(child, str):
            yield child
        elif child.tag == "br":
            yield "\n"
        elif child.is_block:
            yield None
            yield from _preformatted(child)
            yield None
        else:
            yield from _preformatted(child)


def code_language(pre: SurveyElement) -> str:
    """The language that the classes of it, of what is in it or of what is around it tell."""
    around = [pre, *pre.elements()]
    if pre.parent is not None:
        around += [pre.parent, *([pre.parent.parent] if pre.parent.parent else [])]
    languages = (str(part.facts.get("lang", "")) for part in around)
    return next((one for one in languages if one not in {"", "default", "none"}), "")
