"""The background server's answers to shells, programs and MCP clients, by `charlotte.shell`."""

import json
import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import outcome
import structlog
import trio

from charlotte.answers.answer import Answer
from charlotte.answers.answer_format import ARGUMENT
from charlotte.answers.remarks import write_error
from charlotte.api.joined import unusable
from charlotte.api.session import Session
from charlotte.api.shared_sessions import SharedSessions
from charlotte.base.blocks import closing
from charlotte.base.errors import CharlotteError, InvalidArgument, internal_error
from charlotte.base.version import __version__
from charlotte.cli.arguments import Words, with_absolute_paths
from charlotte.cli.call import Reply, answer_of, reply_to
from charlotte.cli.command_line import (
    CommandLine,
    check_same_settings,
    flags_of,
    load_settings,
    read_command_line,
)
from charlotte.cli.parser import ANSWERED, FAILED, MISUSED
from charlotte.config.config import Config
from charlotte.shell.client import LOST, UNUSABLE
from charlotte.shell.place import peer
from charlotte.tools.schema.tool import Tool, Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG

ELEMENT, NAVIGATION, TIME, SCRIPT, TAB = 3, 4, 5, 6, 7
"""Further exit codes than those of `charlotte.cli.parser` and of `charlotte.shell.client`."""

EXIT_CODES = {
    "INVALID_ARGUMENT": MISUSED,
    "INVALID_COORDINATES": MISUSED,
    "ELEMENT_NOT_FOUND": ELEMENT,
    "ELEMENT_NOT_INTERACTIVE": ELEMENT,
    "ELEMENT_CHANGED": ELEMENT,
    "SNAPSHOT_EXPIRED": ELEMENT,
    "NAVIGATION_FAILED": NAVIGATION,
    "NAVIGATION_BLOCKED": NAVIGATION,
    "TIMEOUT": TIME,
    "TAB_HUNG": TIME,
    "EVALUATION_ERROR": SCRIPT,
    "TAB_NOT_FOUND": TAB,
    "TAB_CRASHED": TAB,
    "CDP_CONNECTION_LOST": LOST,
}
"""Exit codes by the code of an error; those of other errors are `FAILED`."""

_POLL = 5.0

log = structlog.get_logger(__name__)

Asked = Mapping[str, Any]


def reply_to_error(error: CharlotteError, *, is_json: bool) -> Reply:
    """Return an error as text on stderr, or as JSON on stdout."""
    code = EXIT_CODES.get(error.code, FAILED)
    if is_json:
        return {"out": json.dumps(error.as_json(), ensure_ascii=False, default=str), "exit": code}
    return {"err": error.text or write_error(error), "exit": code}


@attrs.define(eq=False)
class ShellService:
    """The commands, with the settings and the environment of the start of the server."""

    _config: Config
    _environment: Mapping[str, str]
    sessions: SharedSessions
    _requests: int = 0
    _begun: float = attrs.field(factory=trio.current_time)
    _last_request: float = attrs.field(factory=trio.current_time)
    _toolbox: Toolbox = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._toolbox = Toolbox(CATALOG, profile="full", naming="bare")

    async def wait_until_idle(self) -> None:
        """Return when there is neither a session nor a request for the configured time."""
        idle = self._config.idle
        while (  # noqa: ASYNC110
            self.sessions.shared
            or self._requests
            or trio.current_time() < self._last_request + idle
        ):
            await trio.sleep(min(_POLL, idle / 4))

    async def serve(self, stream: trio.SocketStream) -> None:
        """Execute the request of a connection; its client cancels the work by leaving."""
        self._requests += 1
        line: Any = stream.socket
        try:
            async with closing(stream), trio.open_nursery() as nursery:
                if peer(line)[1] == os.getuid():
                    request = bytearray()
                    while not request.endswith(b"\n") and (part := await stream.receive_some()):
                        request += part
                    nursery.start_soon(_watch, stream, nursery.cancel_scope)
                    asked = json.loads(request)
                    if asked["kind"] == "join":
                        await self._hold(asked, stream)
                    else:
                        await stream.send_all(await self._answer(asked))
                nursery.cancel_scope.cancel("answered")
        except* (trio.BrokenResourceError, CharlotteError):
            pass  # the client left, or its calls report why its session cannot be held
        except* Exception:
            log.exception("a request crashed")
        finally:
            self._requests -= 1
            self._last_request = trio.current_time()

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

    async def _answer(self, asked: Asked) -> bytes:
        is_call = asked["kind"] == "call"
        try:
            self._check(asked)
        except CharlotteError as error:
            reason = " ".join(filter(None, (error.message, error.suggestion)))
            if is_call:
                return pickle.dumps(outcome.Error(unusable(reason)))
            return _as_json({"err": reason, "exit": UNUSABLE})
        if is_call:
            return pickle.dumps(await self._call(asked))
        match asked["kind"]:
            case "do":
                return _as_json(await self._do(asked))
            case "stop":
                return _as_json(await self._stop(asked))
            case _:
                return _as_json({"out": "\n".join(self._list()), "exit": ANSWERED})

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
                return reply_to(answer, is_json=line.json, output=line.output)
        except UnknownTool as error:
            return {"err": f"{error}. 'charlotte do' lists the tools.", "exit": MISUSED}
        except CharlotteError as error:
            return reply_to_error(error, is_json=line.json)
        except Exception as error:
            log.exception("tool crashed", tool=line.tool)
            return reply_to_error(internal_error(line.tool, error), is_json=line.json)

    async def _call(self, asked: Asked) -> outcome.Outcome[Any]:
        """Return the outcome of a method of a session, for a program or an MCP client."""
        name, cwd = asked["session"], Path(asked["cwd"])
        try:
            async with self.sessions.use(name, asked["client"], cwd) as shared:
                return outcome.Value(await self._run(shared.session, asked))
        except (CharlotteError, UnknownTool) as error:
            return outcome.Error(error)
        except Exception as error:
            log.exception("a call crashed", method=asked["method"])
            return outcome.Error(internal_error(asked["method"], error))

    async def _run(self, session: Session, asked: Asked) -> Any:
        arguments = asked["arguments"]
        match asked["method"]:
            case "run_tool":
                return await session.run_tool(self._toolbox.find(arguments[0]), arguments[1])
            case "call":
                answer = await session.call(*arguments)
                return Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)
            case "read_file" | "list_files" | "read_status" as method:
                return await getattr(session, method)(*arguments)
            case _:
                return session.listed()

    async def _hold(self, asked: Asked, stream: trio.SocketStream) -> None:
        """Hold the session of an MCP client open; each byte announces that its tools changed."""
        self._check(asked)
        name, cwd, lock = asked["session"], Path(asked["cwd"]), trio.Lock()
        async with (
            self.sessions.use(name, asked["client"], cwd) as shared,
            trio.open_nursery() as nursery,
        ):

            async def announce() -> None:
                async with lock:
                    await stream.send_all(b"+")

            unregister = shared.session.on_change(partial(nursery.start_soon, announce))
            try:
                await shared.closed.wait()
            finally:
                unregister()

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
        """Return the server and its sessions as lines."""
        now = trio.current_time()
        lines = [
            f"server {os.getpid()}, version {__version__}, running for {now - self._begun:.0f} s"
        ]
        for name, shared in self.sessions.shared.items():
            tabs = len(shared.session.record.tabs)
            used = "in use" if shared.users else f"used {now - shared.last_used:.0f} s ago"
            lines.append(f"  {name}: {tabs} {'tab' if tabs == 1 else 'tabs'}, {used}")
        lines += [
            f"  {name}: of a lost server, restored with its next use"
            for name in self.sessions.saved.lost
        ]
        return lines


def _as_json(reply: Reply) -> bytes:
    return json.dumps(reply, ensure_ascii=False).encode(errors="replace")


async def _watch(stream: trio.SocketStream, scope: trio.CancelScope) -> None:
    with suppress(trio.BrokenResourceError):
        await stream.receive_some(1)
    scope.cancel("the client left")


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
