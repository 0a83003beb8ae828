"""The background server of ``charlotte do``, which its first client starts.

It reads the request of that client from stdin. It writes one line to stdout: ``ready`` when it
accepts connections, or why it cannot start.
"""

import json
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import attrs
import structlog
import trio
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte import config_sources, log
from charlotte.app import Charlotte, open_charlotte
from charlotte.asgi_server import host
from charlotte.cli.command_line import load_settings
from charlotte.cli.invocation import ANSWERED, MISUSED
from charlotte.cli.serve import open_dashboard
from charlotte.cli.shell_service import ShellService
from charlotte.cli.signals import cancel_on_signal
from charlotte.cli.status import print_status_on_signal
from charlotte.config import Config
from charlotte.errors import CharlotteError
from charlotte.garbage import collect_garbage, import_at_once
from charlotte.session_files import SessionFiles
from charlotte.shared_sessions import SharedSessions
from charlotte.shell.place import SERVER_LOCK, SOCKET, directory
from charlotte.shell.starting import wait_for_lock
from charlotte.watchdog import start_watchdog

_LOCK_WAIT = 10.0
"""Seconds for an earlier server to end."""
_PRIVATE = 0o177


def main() -> int:
    """Serve until idle or stopped; return the exit code."""
    request = json.load(sys.stdin)
    try:
        loaded = load_settings(request)
    except CharlotteError as error:
        _report(" ".join(filter(None, (error.message, error.suggestion))))
        return MISUSED
    log.configure(loaded.config.log_level, loaded.config.hidden.hidden)
    for warning in loaded.warnings:
        structlog.get_logger(__name__).warning(warning)
    place = Path(directory())
    lock = os.open(place / SERVER_LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    if not wait_for_lock(lock, _LOCK_WAIT):
        _report("Another background server is ending: repeat the command.")
        return MISUSED
    trio.run(serve, loaded, request["environment"], place)
    return ANSWERED


def _report(line: str) -> None:
    """Write the only line on stdout; later output goes to the log."""
    os.write(1, f"{line}\n".encode())
    os.dup2(2, 1)


async def serve(loaded: config_sources.Loaded, environment: Mapping[str, str], place: Path) -> None:
    """Serve until idle or stopped; then the sessions end and their files are removed."""
    config, listening = loaded.config, _bind(place / SOCKET)
    saved = SessionFiles(place / "sessions")
    await start_watchdog()
    async with trio.open_nursery() as nursery:
        await nursery.start(cancel_on_signal, nursery.cancel_scope)
        async with (
            open_charlotte(config, on_restart=collect_garbage) as charlotte,
            print_status_on_signal(charlotte.status, config.hidden.hidden),
            open_dashboard(config, charlotte.dashboard_state),
            trio.open_nursery() as keeping,
        ):
            sessions = SharedSessions(charlotte, config, saved, keeping)
            mcp = _Mcp(charlotte, config, sessions, keeping)
            service = ShellService(config, loaded.sources, environment, sessions, mcp.serve)
            async with trio.open_nursery() as serving:
                closing = trio.Event()
                await serving.start(host, service, listening, closing)
                _report("ready")
                await service.wait_until_idle()
                (place / SOCKET).unlink()
                closing.set()
            keeping.cancel_scope.cancel("idle")
        nursery.cancel_scope.cancel("idle")
    listening.close()
    (place / SOCKET).unlink(missing_ok=True)
    saved.remove_all()


@attrs.define(eq=False)
class _Mcp:
    """MCP for the sessions; importing the SDK would delay the first command."""

    _charlotte: Charlotte
    _config: Config
    _sessions: SharedSessions
    _nursery: trio.Nursery
    _opening: trio.Lock = attrs.field(factory=trio.Lock)
    _app: ASGIApp | None = None

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        async with self._opening:
            app = self._app = self._app or await self._open()
        await app(scope, receive, send)

    async def _open(self) -> ASGIApp:
        name = "charlotte.server.http.shared_mcp"
        module = await trio.to_thread.run_sync(import_at_once, name)
        app: ASGIApp = await self._nursery.start(
            module.keep_mcp, self._charlotte, self._config, self._sessions
        )
        return app


def _bind(path: Path) -> socket.socket:
    """Return a socket in place of one of a lost server; only its owner may connect."""
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    usual = os.umask(_PRIVATE)
    try:
        listening.bind(str(path))
    finally:
        os.umask(usual)
    return listening


if __name__ == "__main__":
    sys.exit(main())
