"""The background server's answers to shells and programs; `charlotte.shell` has the protocol.

A request for a session of an MCP client is answered when the session ends, which it holds open.
"""

import os
import pickle
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import outcome
import structlog
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.cli.arguments import Words, with_absolute_paths
from charlotte.cli.call import answer_of
from charlotte.cli.command_line import (
    CommandLine,
    check_same_settings,
    flags_of,
    load_settings,
    read_command_line,
)
from charlotte.cli.invocation import ANSWERED, FAILED, MISUSED
from charlotte.cli.replies import Reply, reply_to, reply_to_error
from charlotte.config import Config, fields
from charlotte.errors import CharlotteError, InvalidArgument, internal_error
from charlotte.setting import flag_of
from charlotte.shared_sessions import SharedSessions
from charlotte.shell.place import COMMANDS
from charlotte.tools.answer import Answer
from charlotte.tools.answer_format import ARGUMENT
from charlotte.tools.schema.tool import Tool, Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG
from charlotte.version import __version__

_POLL = 5.0

log = structlog.get_logger(__name__)

Asked = Mapping[str, Any]


@attrs.define(eq=False)
class ShellService:
    """The ASGI application: commands, with the settings of the start of the server, and MCP."""

    _config: Config
    _given: Mapping[str, str]
    _environment: Mapping[str, str]
    sessions: SharedSessions
    _mcp: ASGIApp
    _is_closing: bool = False
    _requests: int = 0
    _begun: float = attrs.field(factory=trio.current_time)
    _last_request: float = attrs.field(factory=trio.current_time)
    _toolbox: Toolbox = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._toolbox = Toolbox(CATALOG, profile="full", naming="bare")

    async def wait_until_idle(self) -> None:
        """Return when there is neither a session nor a request for the configured time.

        Later commands are refused before they are read.
        """
        while self.sessions.shared or self._requests or self._is_recent():  # noqa: ASYNC110
            await trio.sleep(min(_POLL, self._config.idle / 4))
        self._is_closing = True

    def _is_recent(self) -> bool:
        return trio.current_time() < self._last_request + self._config.idle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._is_closing:
            await Response(status_code=503)(scope, receive, send)
            return
        self._requests += 1
        try:
            answer = self._execute if scope["path"] == COMMANDS else self._mcp
            await answer(scope, receive, send)
        finally:
            self._requests -= 1
            self._last_request = trio.current_time()

    async def _execute(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Execute a command; its client cancels the work by leaving."""
        asked = await Request(scope, receive).json()
        try:
            self._check(asked)
        except CharlotteError as error:
            text = " ".join(filter(None, (error.message, error.suggestion)))
            await PlainTextResponse(text, 409)(scope, receive, send)
            return

        async def work() -> None:
            if asked["kind"] == "join":
                await self._hold(asked, send)
            else:
                await (await self._answer(asked))(scope, receive, send)

        await _until_closed(receive, work)

    def _check(self, asked: Asked) -> None:
        """Raise `InvalidArgument` for a client of another version, or with other settings."""
        if asked["version"] != __version__:
            raise InvalidArgument(
                f"The background server has version {__version__}, this command "
                f"{asked['version']}.",
                "End the server and its sessions with 'charlotte stop'.",
            )
        is_as_at_start = asked["environment"] == self._environment
        if asked["kind"] in {"ps", "stop"} or (
            is_as_at_start and not flags_of(asked) and not asked.get("settings")
        ):
            return
        check_same_settings(self._config, load_settings(asked, is_running=True))

    async def _answer(self, asked: Asked) -> Response:
        match asked["kind"]:
            case "do":
                return JSONResponse(await self._do(asked))
            case "run" | "call":
                return Response(pickle.dumps(await self._run(asked)))
            case "stop":
                return JSONResponse(await self._stop(asked))
            case _:
                return JSONResponse({"out": "\n".join(self._list()), "exit": ANSWERED})

    async def _do(self, asked: Asked) -> Reply:
        line = CommandLine(json="--json" in asked["words"])
        cwd = Path(asked["cwd"])
        try:
            line = read_command_line(asked["words"])
            tool = self._toolbox.find(line.tool)
            given = Words(tool, asked.get("stdin")).read(line.words)
            arguments = _complete(with_absolute_paths(given, cwd), line, tool)
            async with self.sessions.use(line.session or str(cwd), asked["client"], cwd) as shared:
                answer = await answer_of(shared.session, tool.name, arguments)
                return reply_to(answer, line)
        except UnknownTool as error:
            return {"err": f"{error}. 'charlotte do' lists the tools.", "exit": MISUSED}
        except CharlotteError as error:
            return reply_to_error(error, is_json=line.json)
        except Exception as error:
            log.exception("tool crashed", tool=line.tool)
            return reply_to_error(internal_error(line.tool, error), is_json=line.json)

    async def _run(self, asked: Asked) -> outcome.Outcome[Any]:
        """Return the outcome of a call of a program; a typed call has the value of its answer."""
        name, cwd = asked["session"], Path(asked["cwd"])
        try:
            async with self.sessions.use(name, asked["client"], cwd) as shared:
                session = shared.session
                if asked["kind"] == "run":
                    tool = self._toolbox.find(asked["tool"])
                    return outcome.Value(await session.run_tool(tool, asked["arguments"]))
                answer = await session.call(asked["tool"], asked["arguments"])
                plain = Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)
                return outcome.Value(plain)
        except (CharlotteError, UnknownTool) as error:
            return outcome.Error(error)
        except Exception as error:
            log.exception("tool crashed", tool=asked["tool"])
            return outcome.Error(internal_error(asked["tool"], error))

    async def _hold(self, asked: Asked, send: Send) -> None:
        """Hold the session of an MCP client open; the answer begins now, and ends with it."""
        beginning: dict[str, Any] = {"type": "http.response.start", "status": 200, "headers": []}
        try:
            async with self.sessions.use(
                asked["session"], asked["client"], Path(asked["cwd"])
            ) as shared:
                await send(beginning)
                await shared.ended.wait()
        except CharlotteError as error:  # calls report it
            log.warning("a session could not be opened", error=error.message)
            await send(beginning)
            await trio.sleep_forever()
        await send({"type": "http.response.body"})

    async def _stop(self, asked: Asked) -> Reply:
        """End the session that ``-s NAME`` names."""
        words = asked["words"]
        option, _, name = words[0].partition("=") if len(words) == 1 else (words[0], "", words[-1])
        if option not in {"-s", "--session"} or not name or len(words) > 2:  # noqa: PLR2004 - -s NAME
            return {"err": "charlotte stop takes nothing, or -s NAME.", "exit": MISUSED}
        if await self.sessions.end(name):
            return {"out": f"Ended session {name}.", "exit": ANSWERED}
        return {"err": f"There is no session {name!r}: 'charlotte ps' lists them.", "exit": FAILED}

    def _list(self) -> list[str]:
        """Return the server, its settings and its sessions as lines."""
        now = trio.current_time()
        shown = [
            f"{flag_of(name)} {getattr(self._config, name)}"
            for name in self._given
            if "secret" not in fields()[name].metadata
        ]
        lines = [
            f"server {os.getpid()}, version {__version__}, running for {now - self._begun:.0f} s"
            + (f", with {', '.join(shown)}" if shown else "")
        ]
        for name, shared in self.sessions.shared.items():
            tabs = len(shared.session.record.tabs)
            used = "in use" if shared.users else f"used {now - shared.last_used:.0f} s ago"
            lines.append(f"  {name}: {tabs} {'tab' if tabs == 1 else 'tabs'}, {used}")
        lines += [
            f"  {name}: of a lost server, restored with its next use"
            for name in self.sessions.saved.lost()
        ]
        return lines


async def _until_closed(receive: Receive, work: Callable[[], Awaitable[object]]) -> None:
    """Do the work, unless the client closes the connection first."""
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            await receive()
            nursery.cancel_scope.cancel("the client left")

        nursery.start_soon(watch)
        await work()
        nursery.cancel_scope.cancel("answered")


def _complete(given: dict[str, Any], line: CommandLine, tool: Tool) -> dict[str, Any]:
    """Add the options of the command to the arguments of its tool."""
    properties = tool.input_schema["properties"]
    if line.tab is not None:
        given["tab_id"] = line.tab
    if ARGUMENT not in properties:
        given[ARGUMENT] = "json" if line.json else "text"
    if "save" in properties and line.output is None:
        given.setdefault("save", "true")
    return given
