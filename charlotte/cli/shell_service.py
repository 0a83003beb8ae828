"""The background server's answers to its clients; `charlotte.shell` describes the protocol."""

import os
import pickle
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import attrs
import outcome
import structlog
import trio

from charlotte.actors.state.baselines import acting_as
from charlotte.actors.state.events import Navigated, TabClosed, TabOpened
from charlotte.app import Charlotte
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
from charlotte.cli.shared_sessions import SharedSession, SharedSessions
from charlotte.config import Config, fields
from charlotte.errors import CharlotteError, InvalidArgument, internal_error
from charlotte.garbage import import_at_once
from charlotte.joined import receive
from charlotte.session import Session
from charlotte.setting import flag_of
from charlotte.shell.wire import encode, peer
from charlotte.tools.answer import Answer
from charlotte.tools.answer_format import ARGUMENT
from charlotte.tools.schema.tool import Tool, Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG
from charlotte.version import __version__

_REQUEST_WAIT = 10.0
_POLL = 5.0

log = structlog.get_logger(__name__)

Request = Mapping[str, Any]


@attrs.define(eq=False)
class ShellService:
    """The server: its sessions, and the settings with which it was started."""

    _charlotte: Charlotte
    _config: Config
    _given: Mapping[str, str]
    _environment: Mapping[str, str]
    sessions: SharedSessions
    _connections: int = 0
    _begun: float = attrs.field(factory=trio.current_time)
    _last_request: float = attrs.field(factory=trio.current_time)
    _toolbox: Toolbox = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._toolbox = Toolbox(CATALOG, profile="full", naming="bare")

    async def follow_tabs(self) -> None:
        """Save the tabs whenever one opens, closes or navigates."""
        async for _ in self._charlotte.events(TabOpened, TabClosed, Navigated):
            self.sessions.state.save_tabs()

    async def wait_until_idle(self) -> None:
        """Return when there is neither a session nor a client for the configured time."""
        while self.sessions.shared or self._connections or self._is_recent():  # noqa: ASYNC110
            await trio.sleep(min(_POLL, self._config.idle / 4))

    def _is_recent(self) -> bool:
        return trio.current_time() < self._last_request + self._config.idle

    async def handle(self, stream: trio.SocketStream) -> None:
        """Answer one client; its end cancels the work."""
        self._connections += 1
        try:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._handle(stream)
        except Exception:
            log.exception("a command crashed")
        finally:
            self._connections -= 1
            self._last_request = trio.current_time()
            await trio.aclose_forcefully(stream)

    async def _handle(self, stream: trio.SocketStream) -> None:
        if peer(cast("Any", stream.socket))[1] != os.getuid():
            return
        request = None
        with trio.move_on_after(_REQUEST_WAIT):
            request = await receive(stream)
        if request is None:
            return
        try:
            self._check(request)
        except CharlotteError as error:
            refusal = " ".join(filter(None, (error.message, error.suggestion)))
            await stream.send_all(encode({"refused": refusal}))
            return
        await stream.send_all(encode({"accepted": True}))
        if request["kind"] == "mcp":
            await self._serve_mcp(request, stream)
        else:
            await _until_closed(stream, lambda: self._answer(request, stream))

    def _check(self, request: Request) -> None:
        """Raise `InvalidArgument` for a client of another version, or with other settings."""
        if request["version"] != __version__:
            raise InvalidArgument(
                f"The background server has version {__version__}, this command "
                f"{request['version']}.",
                "End the server and its sessions with 'charlotte stop'.",
            )
        is_as_at_start = request["environment"] == self._environment
        if request["kind"] in {"ps", "stop"} or (
            is_as_at_start and not flags_of(request) and not request.get("settings")
        ):
            return
        check_same_settings(self._config, load_settings(request, is_running=True))

    async def _answer(self, request: Request, stream: trio.SocketStream) -> None:
        match request["kind"]:
            case "do":
                await stream.send_all(encode(await self._do(request)))
            case "run" | "call":
                data = pickle.dumps(await self._run(request))
                await stream.send_all(encode({"bytes": len(data)}) + data)
            case "stop":
                await stream.send_all(encode(await self._stop(request)))
            case _:
                await stream.send_all(encode({"out": "\n".join(self._list()), "exit": ANSWERED}))

    async def _do(self, request: Request) -> Reply:
        line = CommandLine(json="--json" in request["words"])
        cwd = Path(request["cwd"])
        try:
            line = read_command_line(request["words"])
            tool = self._toolbox.find(line.tool)
            given = Words(tool, request.get("stdin")).read(line.words)
            arguments = _complete(with_absolute_paths(given, cwd), line, tool)
            name = line.session or str(cwd)
            client = self.sessions.client(name, request["client"])
            async with self.sessions.use(name, client, cwd) as shared:
                answer = await answer_of(shared.session, tool.name, arguments)
                return reply_to(answer, line)
        except UnknownTool as error:
            return {"err": f"{error}. 'charlotte do' lists the tools.", "exit": MISUSED}
        except CharlotteError as error:
            return reply_to_error(error, is_json=line.json)
        except Exception as error:
            log.exception("tool crashed", tool=line.tool)
            return reply_to_error(internal_error(line.tool, error), is_json=line.json)

    async def _run(self, request: Request) -> outcome.Outcome[Any]:
        """Return the outcome of a call of a program; a typed call has the value of its answer."""
        name, cwd = request["session"], Path(request["cwd"])
        client = self.sessions.client(name, request["client"])
        try:
            async with self.sessions.use(name, client, cwd) as shared:
                session = shared.session
                if request["kind"] == "run":
                    tool = self._toolbox.find(request["tool"])
                    return outcome.Value(await session.run_tool(tool, request["arguments"]))
                answer = await session.call(request["tool"], request["arguments"])
                plain = Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)
                return outcome.Value(plain)
        except (CharlotteError, UnknownTool) as error:
            return outcome.Error(error)
        except Exception as error:
            log.exception("tool crashed", tool=request["tool"])
            return outcome.Error(internal_error(request["tool"], error))

    async def _serve_mcp(self, request: Request, stream: trio.SocketStream) -> None:
        """Serve MCP on the rest of the connection."""
        server = await trio.to_thread.run_sync(import_at_once, "charlotte.server")
        name, cwd = request["session"], Path(request["cwd"])
        client = self.sessions.client(name, request["client"])

        async with trio.open_nursery() as nursery:

            async def end_with(shared: SharedSession) -> None:
                await shared.ended.wait()
                nursery.cancel_scope.cancel("the session was ended")

            @asynccontextmanager
            async def open_service() -> AsyncGenerator[Session]:
                async with self.sessions.use(name, client, cwd) as shared:
                    nursery.start_soon(end_with, shared)
                    yield shared.session

            with acting_as(client):
                service = server.LazyService(open_service)
                await server.serve_stream(service, server.build_greeting(self._config), stream)
            nursery.cancel_scope.cancel("the client left")

    async def _stop(self, request: Request) -> Reply:
        """End the session that ``-s NAME`` names."""
        words = request["words"]
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
            for name in self.sessions.state.lost()
        ]
        return lines


async def _until_closed(stream: trio.SocketStream, work: Callable[[], Awaitable[object]]) -> None:
    """Do the work, unless the client closes the connection first."""
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            with suppress(trio.BrokenResourceError):
                await stream.receive_some(1)
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
