"""The words of a line of a script: bare and quoted parts, and variables in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

_VARIABLE = re.compile(r"\$(?:\{([^{}]+)\}|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)|\$)")
_BARE = re.compile(r"""[^\s"']+""")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SINGLE = re.compile(r"'([^']*)'")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "$": "$"}
NAME = re.compile(r"[A-Za-z_]\w*")

Scope = Mapping[str, "str | Mapping[str, str]"]
"""Variables: texts, and rows of a table as texts by column."""


class Problem(Exception):
    """A line of a script is wrong; the text is the reason."""


@attrs.frozen
class Variable:
    """A variable in a word, such as ``name`` or ``row.column``."""

    path: str

    def find(self, scope: Scope) -> str | None:
        """Return the text of the variable; None if it is not defined.

        ``$name.rest`` is a column of a row, or else the variable ``name`` before ``.rest``.
        """
        name, dot, field = self.path.partition(".")
        value = scope.get(name)
        if isinstance(value, Mapping):
            return value.get(field) if dot else None
        return None if value is None else value + dot + field

    def text(self, scope: Scope) -> str:
        """Return the text of the variable; raises `Problem` if it is not defined."""
        if (text := self.find(scope)) is None:
            raise Problem(f"${self.path} is not defined")
        return text


@attrs.frozen
class Part:
    """A part of a word: its text and variables, in order."""

    pieces: Sequence[str | Variable]
    quoted: bool = False


@attrs.frozen
class Word:
    """A word: parts without space between them, such as ``name=`` and ``"Ada"``."""

    parts: Sequence[Part]

    @property
    def bare(self) -> str:
        """The text of a word without quotes and variables, else an empty text."""
        match self.parts:
            case [Part([str(text)], quoted=False)]:
                return text
            case _:
                return ""

    @property
    def begins_quoted(self) -> bool:
        """Whether the word begins with a quote, so that it is no name and no option."""
        return self.parts[0].quoted

    @property
    def variables(self) -> Iterator[Variable]:
        """The variables in the word."""
        return variables_in(self)

    def split(self) -> tuple["Word", "Word | None"]:
        """Return the first part as a word, and the parts after it."""
        rest = self.parts[1:]
        return Word(self.parts[:1]), Word(rest) if rest else None

    def text(self, scope: Scope) -> str:
        """Return the text of the word; raises `Problem` for an undefined variable."""
        pieces = (piece for part in self.parts for piece in part.pieces)
        texts = (piece if isinstance(piece, str) else piece.text(scope) for piece in pieces)
        return "".join(texts)


def variables_in(value: Any) -> Iterator[Variable]:
    """Yield the variables in a word, a described element, or a sequence of these."""
    items: Any = value
    kind = cast("type[attrs.AttrsInstance]", type(items))
    if isinstance(value, Variable):
        yield value
    elif isinstance(value, list | tuple):
        for item in items:
            yield from variables_in(item)
    elif attrs.has(kind):
        for name in attrs.fields_dict(kind):
            yield from variables_in(getattr(items, name))


def read_words(line: str) -> list[Word]:
    """Split a line into words; raises `Problem` for an unclosed quote."""
    words: list[list[Part]] = []
    place, is_new = 0, True
    while place < len(line):
        if line[place].isspace():
            place, is_new = place + 1, True
            continue
        part, place = _read_part(line, place)
        if is_new:
            words.append([])
        words[-1].append(part)
        is_new = False
    return [Word(tuple(parts)) for parts in words]


def _read_part(line: str, place: int) -> tuple[Part, int]:
    quote = line[place]
    if quote == '"':
        if (found := _DOUBLE.match(line, place)) is None:
            raise Problem('a quote " is not closed')
        return Part(tuple(_read_pieces(found[1], has_escapes=True)), quoted=True), found.end()
    if quote == "'":
        if (found := _SINGLE.match(line, place)) is None:
            raise Problem("a quote ' is not closed")
        return Part((found[1],), quoted=True), found.end()
    found = _BARE.match(line, place)
    assert found is not None  # noqa: S101 - it begins with neither space nor quote
    return Part(tuple(_read_pieces(found[0], has_escapes=False))), found.end()


def _read_pieces(text: str, *, has_escapes: bool) -> Iterator[str | Variable]:
    """Yield the texts and variables of a part; only double quotes have escapes."""
    plain, place = "", 0
    while place < len(text):
        if has_escapes and (escape := _ESCAPE.match(text, place)):
            plain += _ESCAPED.get(escape[1], escape[0])
            place = escape.end()
        elif variable := _VARIABLE.match(text, place):
            place = variable.end()
            if path := variable[1] or variable[2]:
                if plain:
                    yield plain
                yield Variable(path)
                plain = ""
            else:
                plain += "$"
        else:
            plain += text[place]
            place += 1
    if plain:
        yield plain


def quote(text: str) -> str:
    """Return a text in double quotes, as a script has it."""
    for mark, escaped in (("\\", "\\\\"), ('"', '\\"'), ("$", "\\$"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(mark, escaped)
    return f'"{text}"'
