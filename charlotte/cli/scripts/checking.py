"""The check of a script before its first command runs: tools, arguments, variables, files."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path

import attrs

from charlotte.cli.arguments import Quoted, Words
from charlotte.cli.scripts.descriptions import Argument, Described
from charlotte.cli.scripts.language import (
    Block,
    Call,
    Let,
    Loop,
    Parallel,
    Read,
    Statement,
    SyntaxProblem,
)
from charlotte.cli.scripts.words import Problem, Scope, Variable, Word
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.tools.schema.tool import Tool, Toolbox, UnknownTool

Rows = Sequence[Mapping[str, str]]
_ANY_ID = "btn-0000-{}"
"""Stands for the ids of described elements while arguments are checked."""

_UNKNOWN = "\0"
"""Stands for a text that only the run finds out."""


def read_rows(path: Path) -> tuple[Sequence[str], Rows]:
    """Return the columns and the rows of a CSV file. Raises `InvalidArgument`."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, restval="")
            return list(reader.fieldnames or ()), list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidArgument(f"{path} cannot be read as CSV: {error}.") from None


def build_words(
    arguments: Iterable[Argument], scope: Scope, find: Callable[[Described], str]
) -> list[str]:
    """Return the words of a command; ``find`` returns the id of a described element."""
    words = list[str]()
    for argument in arguments:
        if isinstance(argument, Word):
            text = argument.text(scope)
            words.append(Quoted(text) if argument.begins_quoted else text)
            continue
        found = argument.prefix + find(argument)
        if argument.value is not None:
            found = Quoted(f"{found}={argument.value.text(scope)}")
        words.append(found)
    return words


@attrs.define
class Check:
    """A check; ``open_file`` returns the path of a file that the script may read."""

    _toolbox: Toolbox
    _open_file: Callable[[str], Path]
    problems: list[SyntaxProblem] = attrs.field(factory=list[SyntaxProblem])

    def run(
        self, statements: Iterable[Statement], scope: dict[str, str | Mapping[str, str]]
    ) -> None:
        """Check statements in order; variables that they set are added to the scope."""
        for statement in statements:
            try:
                for variable in statement.variables():
                    _check_variable(variable, scope)
                if isinstance(statement, Call):
                    self._check_call(statement, scope)
            except Problem as problem:
                self.problems.append(SyntaxProblem(statement.number, str(problem)))
            except CharlotteError as error:
                text = " ".join(filter(None, (error.message, error.suggestion)))
                self.problems.append(SyntaxProblem(statement.number, text))
            self._note(statement, scope)
        self.problems.sort(key=lambda problem: problem.number)

    def _note(self, statement: Statement, scope: dict[str, str | Mapping[str, str]]) -> None:
        """Add the variables of a statement to the scope, and check the lines in it."""
        match statement:
            case Call(name=name) | Read(name=name):
                if name:
                    scope[name] = _UNKNOWN
            case Let(name=name, text=text):
                scope[name] = text.text(scope) if _are_known(text.variables, scope) else _UNKNOWN
            case Loop(name=name, body=body):
                inner = dict(scope) if statement.parallel else scope
                inner[name] = self._row_of(statement, scope)
                self.run(body, inner)
            case Parallel(body=body):
                for branch in body:
                    self.run([branch], dict(scope))
            case Block(body=body):
                self.run(body, scope)
            case _:
                pass

    def _row_of(self, loop: Loop, scope: Scope) -> str | Mapping[str, str]:
        """Return a row with unknown texts; an unknown text for a row with unknown columns."""
        try:
            if _are_known(loop.file.variables, scope):
                columns, _ = read_rows(self._open_file(loop.file.text(scope)))
                return dict.fromkeys(columns, _UNKNOWN)
        except (Problem, CharlotteError) as error:
            message = error.message if isinstance(error, CharlotteError) else str(error)
            self.problems.append(SyntaxProblem(loop.number, message))
        return _UNKNOWN

    def _check_call(self, call: Call, scope: Scope) -> None:
        try:
            tool = self._toolbox.find(call.tool)
        except UnknownTool as error:
            raise Problem(f"{error}") from None
        if not _are_known(call.variables(), scope):
            return
        numbers = count(1)
        words = build_words(call.arguments, scope, lambda _: _ANY_ID.format(next(numbers)))
        check_arguments(tool, words)


def check_arguments(tool: Tool, words: Sequence[str]) -> None:
    """Raise `InvalidArgument` for arguments that a tool does not take."""
    given = Words(tool).read(words)
    given.pop("answers", None)
    tool.parse(given)


def _are_known(variables: Iterable[Variable], scope: Scope) -> bool:
    found = [variable.find(scope) for variable in variables]
    return all(text is not None and _UNKNOWN not in text for text in found)


def _check_variable(variable: Variable, scope: Scope) -> None:
    """Raise `Problem` for a variable or a column that does not exist."""
    if variable.find(scope) is not None:
        return
    name, dot, _ = variable.path.partition(".")
    value = scope.get(name)
    if isinstance(value, Mapping) and dot:
        raise Problem(f"${variable.path}: the row has {', '.join(value)}")
    if isinstance(value, Mapping):
        raise Problem(f"${name} is a row: use ${name}.COLUMN")
    raise Problem(f"${name} is not defined: set it in the environment, or pass {name}=VALUE")
