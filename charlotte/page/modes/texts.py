"""Text in elements: runs of text between elements, words, code and formulas."""

from collections.abc import Collection, Iterator

from charlotte.page.model import frozen_record
from charlotte.page.modes.lines import one_line
from charlotte.page.modes.survey import Survey, SurveyElement

FIELDS = {"input", "select", "textarea"}
"""Controls whose text is not inside them."""
CODE = {"code", "kbd", "samp", "tt"}
_NO_ROLE = {"", "generic", "presentation", "none"}

_FORMULA_MARKS = {
    "mfrac": "/",
    "msup": "^",
    "mover": "^",
    "msub": "_",
    "munder": "_",
    "msubsup": "_^",
    "munderover": "_^",
}


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


@frozen_record
class TextRun:
    """Text on one line, as the browser shows it."""

    text: str


def split_pieces(
    element: SurveyElement, others: Collection[int] = ()
) -> list[TextRun | SurveyElement]:
    """Return the runs of text in an element, and the elements with a role between them.

    Elements whose numbers are in ``others`` are pieces too. The text of a label is left out: it is
    the name of the control in it.
    """
    if not element.children:
        return []
    pieces: list[str | SurveyElement | None] = []
    _collect_pieces(element, others, pieces)
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


def _collect_pieces(
    element: SurveyElement, others: Collection[int], pieces: list[str | SurveyElement | None]
) -> None:
    """Append texts, elements with a role, and None for the end of a line."""
    for child in element.children:
        if isinstance(child, str):
            pieces += _split_lines(child, element)
        elif child.role not in _NO_ROLE or child.nid in others:
            pieces.append(child)
        elif child.tag == "label" and any(inner.tag in FIELDS for inner in child.walk()):
            inside: list[str | SurveyElement | None] = []
            _collect_pieces(child, others, inside)
            pieces += [piece for piece in inside if not isinstance(piece, str)]
        elif child.tag == "br":
            pieces.append(None)
        elif child.tag == "math":
            pieces.append(formula_text(child))
        elif child.is_block:
            pieces.append(None)
            _collect_pieces(child, others, pieces)
            pieces.append(None)
        else:
            _collect_pieces(child, others, pieces)


def _split_lines(text: str, element: SurveyElement) -> Iterator[str | None]:
    """Return the lines of a text with None between them; text in ``pre`` is one line."""
    ancestor: SurveyElement | None = element if "\n" in text else None
    while ancestor is not None and ancestor.tag != "pre":
        ancestor = ancestor.parent
    if "\n" not in text or ancestor is not None:
        yield text
        return
    first, *others = text.split("\n")
    yield first
    for line in others:
        yield None
        yield line


def count_words(survey: Survey) -> dict[int, int]:
    """Return the number of words in each element by its number."""
    counts: dict[int, int] = {}
    for element in reversed(list(survey.elements())):
        inside = sum(counts[child.nid] for child in element.elements())
        counts[element.nid] = inside + _count_own_words(element)
    return counts


def _count_own_words(element: SurveyElement) -> int:
    """Count the words that begin in the element's own text; they may end in the next element."""
    count = 0
    previous: SurveyElement | str | None = None
    for child in element.children:
        if isinstance(child, str):
            is_inline = isinstance(previous, SurveyElement) and not previous.is_block
            is_continued = is_inline and not child[:1].isspace() and bool(child.strip())
            count += max(len(child.split()) - is_continued, 0)
        previous = child
    return count


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
        elif child.is_block:
            yield None
            yield from _preformatted_pieces(child)
            yield None
        else:
            yield from _preformatted_pieces(child)


def code_language(element: SurveyElement) -> str:
    """Return the language in the classes of an element, its children or two ancestors, or ""."""
    candidates = [element, *element.elements()]
    if element.parent is not None:
        candidates += [element.parent, *filter(None, [element.parent.parent])]
    languages = (str(candidate.facts.get("lang", "")) for candidate in candidates)
    return next((name for name in languages if name not in {"", "default", "none"}), "")
