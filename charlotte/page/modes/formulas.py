"""Formulas in MathML as a line of text: ``x^2/2``."""

from charlotte.page.modes.survey import Part

_JOINED = {
    "mfrac": "/",
    "msup": "^",
    "mover": "^",
    "msub": "_",
    "munder": "_",
    "msubsup": "_^",
    "munderover": "_^",
}


def formula(part: Part) -> str:
    """A formula or a part of one; what belongs together stands in parentheses."""
    pieces = [formula(child) for child in part.parts()]
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
