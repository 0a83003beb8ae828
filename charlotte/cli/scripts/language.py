"""The language of scripts: a statement per line, blocks that end with ``end``.

`parse` reports the problems of all lines at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import attrs

from charlotte.cli.scripts.descriptions import Argument, Described, Description, Reader
from charlotte.cli.scripts.words import (
    NAME,
    Problem,
    Variable,
    Word,
    read_words,
    variables_in,
)
from charlotte.page.model import DECIMAL

Compared = Literal["=", "!=", "contains"]
State = Literal["enabled", "disabled", "checked", "unchecked"]

VALUES = ("url", "title", "tab", "opened", "value", "text")
_STATES: tuple[State, ...] = ("enabled", "disabled", "checked", "unchecked")
_SIGNS: tuple[Compared, ...] = ("=", "!=", "contains")
_BLOCKS = {"for", "parallel", "tab"}
DEFAULT_WAIT = 10.0
"""Seconds in which an expectation must be met."""
LONGEST_WAIT = 300.0
"""The longest wait of a call."""


@attrs.frozen(kw_only=True)
class Statement:
    """A line of a script: its number from 1, and its text."""

    number: int
    line: str

    def variables(self) -> Iterator[Variable]:
        """Yield the variables that the line uses, but not those of the lines in a block."""
        for name in attrs.fields_dict(type(self)):
            if name != "body":
                yield from variables_in(getattr(self, name))


@attrs.frozen(kw_only=True)
class Call(Statement):
    """A call of a tool; ``name`` is the variable for its answer."""

    tool: str
    arguments: Sequence[Argument]
    name: str = ""


@attrs.frozen(kw_only=True)
class Read(Statement):
    """A variable for what the page shows: the text or value of an element, the URL, …."""

    name: str
    kind: str
    element: Description | None = None
    pattern: Word | None = None


@attrs.frozen(kw_only=True)
class Let(Statement):
    """A variable for a text."""

    name: str
    text: Word


@attrs.frozen(kw_only=True)
class Print(Statement):
    """Texts to print on a line."""

    texts: Sequence[Word]


@attrs.frozen(kw_only=True)
class ExpectText(Statement):
    """A text that must be on the page, in its URL or in its title; or must not be."""

    where: Literal["text", "url", "title"]
    text: Word
    is_absent: bool
    wait: float


@attrs.frozen(kw_only=True)
class ExpectElement(Statement):
    """An element that must be there, in a state or with a value; or must not be there."""

    element: Description
    is_absent: bool
    state: State | None
    value: Word | None
    wait: float


@attrs.frozen(kw_only=True)
class ExpectValue(Statement):
    """A comparison of two texts."""

    left: Word
    sign: Compared
    right: Word


@attrs.frozen(kw_only=True)
class Block(Statement):
    """Lines up to ``end``: with ``tab`` in a tab of their own."""

    body: Sequence[Statement] = ()


@attrs.frozen(kw_only=True)
class Loop(Block):
    """Lines for each row of a CSV file; ``parallel`` runs each row in a tab of its own."""

    name: str
    file: Word
    parallel: bool = False


@attrs.frozen(kw_only=True)
class Parallel(Block):
    """Blocks that run at the same time, each in a tab of its own."""


@attrs.frozen
class SyntaxProblem:
    """A line that is wrong, and why."""

    number: int
    reason: str


@attrs.define
class _Parser:
    """Reads lines into ``statements``; the blocks of ``_open`` have no end yet."""

    statements: list[Statement] = attrs.field(factory=list[Statement])
    problems: list[SyntaxProblem] = attrs.field(factory=list[SyntaxProblem])
    _open: list[tuple[Block, list[Statement]]] = attrs.field(
        factory=list[tuple[Block, list[Statement]]]
    )

    @property
    def _body(self) -> list[Statement]:
        return self._open[-1][1] if self._open else self.statements

    def read(self, lines: Iterable[str]) -> None:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                self._read_line(number, text)
            except Problem as problem:
                self.problems.append(SyntaxProblem(number, str(problem)))
        while self._open:
            block = self._open[-1][0]
            reason = f"{block.line.split()[0]} has no end"
            self.problems.append(SyntaxProblem(block.number, reason))
            self._end()

    def _read_line(self, number: int, text: str) -> None:
        words = read_words(text)
        if words[0].bare == "end":
            if len(words) > 1:
                raise Problem("end stands alone")
            self._end()
            return
        try:
            statement = _read_statement(number, text, words)
            if self._open and isinstance(self._open[-1][0], Parallel):
                _check_branch(statement)
        except Problem:
            if words[0].bare in _BLOCKS:  # its end is no further problem
                self._open.append((Block(number=number, line=text), []))
            raise
        if isinstance(statement, Block):
            self._open.append((statement, []))
        else:
            self._body.append(statement)

    def _end(self) -> None:
        if not self._open:
            raise Problem("end without for, parallel or tab")
        block, body = self._open.pop()
        if not body and all(problem.number < block.number for problem in self.problems):
            self.problems.append(SyntaxProblem(block.number, "the block is empty"))
        self._body.append(attrs.evolve(block, body=tuple(body)))


def parse(text: str) -> tuple[Sequence[Statement], Sequence[SyntaxProblem]]:
    """Return the statements of a script, and the problems of all its lines."""
    parser = _Parser()
    parser.read(text.splitlines())
    return parser.statements, sorted(parser.problems, key=lambda problem: problem.number)


def _check_branch(statement: Statement) -> None:
    if type(statement) is not Block:
        raise Problem("in parallel, every block begins with tab and ends with end")


def _read_statement(number: int, line: str, words: Sequence[Word]) -> Statement:
    reader = Reader(words)
    second = reader.peek(1)
    if NAME.fullmatch(words[0].bare) and second is not None and second.bare == "=":
        return _read_assignment(number, line, reader)
    read = _READERS.get(words[0].bare)
    if read is not None:
        reader.place += 1
        statement = read(number, line, reader)
        if (more := reader.peek()) is not None:
            raise Problem(f"unexpected {_quote_word(more)} at the end of the line")
        return statement
    return _read_call(number, line, reader, "")


def _quote_word(word: Word) -> str:
    return repr(word.bare or "".join(str(piece) for part in word.parts for piece in part.pieces))


def _read_call(number: int, line: str, reader: Reader, name: str) -> Call:
    tool = reader.take("A command").bare
    if not tool:
        raise Problem("a line begins with a command, such as navigate or expect")
    arguments = list[Argument]()
    while reader.peek() is not None:
        argument = reader.take_argument()
        if isinstance(argument, Described) and argument.value is not None and argument.prefix:
            raise Problem("an element with a name= before it takes no value")
        arguments.append(argument)
    return Call(number=number, line=line, tool=tool, arguments=tuple(arguments), name=name)


def _read_assignment(number: int, line: str, reader: Reader) -> Statement:
    name = reader.take("A name").bare
    reader.place += 1
    first = reader.peek()
    if first is None:
        raise Problem(f"after {name} =, a value must follow")
    kind = first.bare
    if first.begins_quoted or (not kind and any(first.variables)):
        reader.place += 1
        statement: Statement = Let(number=number, line=line, name=name, text=first)
    elif kind in VALUES:
        statement = _read_value(number, line, reader, name)
    else:
        return _read_call(number, line, reader, name)
    if (more := reader.peek()) is not None:
        raise Problem(f"unexpected {_quote_word(more)} at the end of the line")
    return statement


def _read_value(number: int, line: str, reader: Reader, name: str) -> Read:
    kind = reader.take("A value").bare
    element, pattern = None, None
    if kind == "opened":
        if not reader.take_if("tab"):
            raise Problem("after opened, tab must follow")
    elif kind in {"text", "value"}:
        if reader.take_if("of"):
            element = reader.take_described().description
        if kind == "text" and reader.take_if("matching"):
            pattern = reader.take("The pattern after matching")
        if element is None and pattern is None:
            more = " or matching PATTERN" if kind == "text" else ""
            raise Problem(f"after {kind}, of ELEMENT{more} must follow")
    return Read(number=number, line=line, name=name, kind=kind, element=element, pattern=pattern)


def _read_print(number: int, line: str, reader: Reader) -> Print:
    texts = [reader.take("A text")]
    while reader.peek() is not None:
        texts.append(reader.take("A text"))
    return Print(number=number, line=line, texts=tuple(texts))


def _read_expect(number: int, line: str, reader: Reader) -> Statement:
    is_absent = bool(reader.take_if("no"))
    for where in ("text", "url", "title"):
        following = reader.peek(1)
        if following is not None and following.bare not in _SIGNS and reader.take_if(where):
            text = reader.take("The text")
            wait = _read_wait(reader)
            return ExpectText(
                number=number, line=line, where=where, text=text, is_absent=is_absent, wait=wait
            )
    if reader.at_description:
        described = reader.take_described()
        state: State | None = next((each for each in _STATES if reader.take_if(each)), None)
        return ExpectElement(
            number=number,
            line=line,
            element=described.description,
            is_absent=is_absent,
            state=state,
            value=described.value,
            wait=_read_wait(reader),
        )
    if is_absent:
        raise Problem("after expect no, text or an element must follow")
    left = reader.take("What to expect")
    sign: Compared | None = next((each for each in _SIGNS if reader.take_if(each)), None)
    if sign is None:
        raise Problem(
            "expect takes text, url, title, an element, or a comparison with = != contains"
        )
    right = reader.take(f"The text after {sign}")
    return ExpectValue(number=number, line=line, left=left, sign=sign, right=right)


def _read_wait(reader: Reader) -> float:
    """Return the seconds of ``within 30 s``."""
    if not reader.take_if("within"):
        return DEFAULT_WAIT
    count = reader.take("The number of seconds after within").bare.removesuffix("s")
    reader.take_if("s")
    if not DECIMAL.fullmatch(count) or not 0 <= float(count) <= LONGEST_WAIT:
        raise Problem(f"within takes 0 to {LONGEST_WAIT:.0f} seconds, such as within 30 s")
    return float(count)


def _read_for(number: int, line: str, reader: Reader, *, parallel: bool = False) -> Loop:
    name = reader.take("The name of the row").bare
    if not NAME.fullmatch(name) or not reader.take_if("in"):
        raise Problem("for must be: for NAME in FILE.csv")
    file = reader.take("The CSV file")
    return Loop(number=number, line=line, name=name, file=file, parallel=parallel)


def _read_parallel(number: int, line: str, reader: Reader) -> Block:
    if reader.take_if("for"):
        return _read_for(number, line, reader, parallel=True)
    return Parallel(number=number, line=line)


def _read_tab(number: int, line: str, reader: Reader) -> Block:
    del reader
    return Block(number=number, line=line)


_READERS: dict[str, Callable[[int, str, Reader], Statement]] = {
    "print": _read_print,
    "expect": _read_expect,
    "for": _read_for,
    "parallel": _read_parallel,
    "tab": _read_tab,
}
