"""``charlotte script`` in the background server: reads, checks and runs a script, and answers."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import trio

from charlotte.cli.arguments import arguments_of
from charlotte.cli.command_line import CommandLine
from charlotte.cli.invocation import ANSWERED, FAILED, MISUSED
from charlotte.cli.replies import EXIT_CODES, Reply
from charlotte.cli.scripts.checking import Check
from charlotte.cli.scripts.language import Statement, SyntaxProblem, parse
from charlotte.cli.scripts.running import Counts, Failed, Runner, write_page
from charlotte.errors import InvalidArgument
from charlotte.session import Session
from charlotte.tools.remarks import write_error
from charlotte.tools.schema.tool import Toolbox

_QUIET = 10.0
"""Seconds after which the client gets a message although nothing is printed."""

_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)")


@attrs.frozen
class Script:
    """A script: its file as the user named it, its text, and the variables that it is given.

    ``variables`` are those of the command line.
    """

    name: str
    text: str
    environment: Mapping[str, str]
    variables: Mapping[str, str]


def read_script(line: CommandLine, request: Mapping[str, Any]) -> Script:
    """Return the script that a command names, ``-`` for stdin. Raises `InvalidArgument`.

    Of the client's environment, the script sees the variables that it names.
    """
    if line.tool == "-":
        text = request.get("stdin") or ""
    else:
        path = Path(request["cwd"], line.tool)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise InvalidArgument(f"{path} not found.", "Name a script, or - for stdin.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidArgument(f"{path} cannot be read: {error}.") from None
    named = set(_VARIABLE.findall(text))
    outer: Mapping[str, str] = request.get("variables", {})
    known = {name: value for name, value in outer.items() if name in named}
    return Script(line.tool, text, known, arguments_of(line.words))


@attrs.define(eq=False)
class ScriptRun:
    """A run of a script in a session; ``send`` passes messages to the client while it runs."""

    script: Script
    toolbox: Toolbox
    cwd: Path
    is_json: bool
    send: Callable[[Mapping[str, str]], Awaitable[None]]
    _printed: list[str] = attrs.field(factory=list[str])
    _writing: trio.Lock = attrs.field(factory=trio.Lock)
    _sent: float = attrs.field(factory=trio.current_time)

    async def run(self, session: Session, tab: str | None) -> Reply:
        """Check the script, run it, and return the last message to the client."""
        statements, problems = parse(self.script.text)
        script, secrets = self.script, session.record.settings.secrets
        names = {name: name for name in secrets.names}
        scope: dict[str, Any] = {**script.environment, **names, **script.variables}

        def open_file(path: str) -> Path:
            [found] = session.record.settings.files.files([str(self.cwd / path)])
            return found

        check = Check(self.toolbox, open_file)
        check.run(statements, dict(scope))
        if problems := sorted([*problems, *check.problems], key=lambda problem: problem.number):
            return self._reply_to_problems(problems)
        counts, begun = Counts(), trio.current_time()
        runner = Runner(session, self.toolbox, self._print, self.cwd, scope, tab, counts)
        try:
            await runner.run(statements)
        except Failed as failed:
            return self._reply_to_failure(failed)
        return self._reply(runner, statements, trio.current_time() - begun)

    async def _print(self, line: str | None) -> None:
        """Pass a printed line on; None after a line that printed none, so that the client waits."""
        if line is not None and self.is_json:
            self._printed.append(line)
            line = None
        async with self._writing:
            if line is not None:
                await self.send({"out": line})
            elif trio.current_time() > self._sent + _QUIET:
                await self.send({})
            else:
                return
            self._sent = trio.current_time()

    def _reply(self, runner: Runner, statements: Sequence[Statement], seconds: float) -> Reply:
        count = runner.counts.statements
        if not self.is_json:
            return {"exit": ANSWERED, "out": f"done: {count} lines ran in {seconds:.1f} s"}
        assigned = {getattr(statement, "name", "") for statement in statements}
        hidden = runner.session.record.hidden
        variables = {
            name: hidden(value)
            for name, value in runner.scope.items()
            if name in assigned and isinstance(value, str)
        }
        return self._as_json(
            ANSWERED,
            ok=True,
            lines=count,
            seconds=round(seconds, 3),
            printed=self._printed,
            variables=variables,
        )

    def _reply_to_problems(self, problems: Sequence[SyntaxProblem]) -> Reply:
        if self.is_json:
            rows = [{"line": problem.number, "reason": problem.reason} for problem in problems]
            return self._as_json(MISUSED, ok=False, problems=rows)
        lines = [f"{self.script.name}:{problem.number}: {problem.reason}" for problem in problems]
        return {"exit": MISUSED, "err": "\n".join([*lines, "Nothing was run."])}

    def _reply_to_failure(self, failed: Failed) -> Reply:
        number, line, error = failed.statement.number, failed.statement.line, failed.error
        code = EXIT_CODES.get(error.code, FAILED)
        if self.is_json:
            more = error.as_json()
            return self._as_json(
                code, ok=False, line=number, text=line, rows=failed.rows, printed=self._printed,
                page=failed.page, error=more["error"],
            )  # fmt: skip
        rows = f" (row {', '.join(map(str, failed.rows))})" if failed.rows else ""
        lines = [
            f"{self.script.name}:{number}: {line}{rows}",
            error.text or write_error(error),
            write_page(failed.page),
        ]
        return {"exit": code, "err": "\n".join(lines)}

    def _as_json(self, code: int, **members: Any) -> Reply:
        return {"exit": code, "out": json.dumps(members, ensure_ascii=False, default=str)}
