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

import structlog
import trio

from charlotte.api.app import open_local
from charlotte.api.session_files import SessionFiles
from charlotte.api.shared_sessions import SharedSessions
from charlotte.base import log
from charlotte.base.errors import CharlotteError
from charlotte.base.garbage import collect_garbage
from charlotte.cli.command_line import load_settings
from charlotte.cli.parser import ANSWERED, MISUSED
from charlotte.cli.program import cancel_on_signal
from charlotte.cli.serve import open_dashboard
from charlotte.cli.shell_service import ShellService
from charlotte.config import sources as config_sources
from charlotte.shell.place import SERVER_LOCK, SOCKET, directory
from charlotte.shell.starting import lock
from charlotte.watchdog import start_watchdog

_LOCK_WAIT = 10.0
"""Seconds for an earlier server to end."""
_PRIVATE = 0o177
_BACKLOG = 1024


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
    if lock(SERVER_LOCK, _LOCK_WAIT) is None:
        _report("Another background server is ending: repeat the command.")
        return MISUSED
    trio.run(serve, loaded, request["environment"], Path(directory()))
    return ANSWERED


def _report(line: str) -> None:
    """Write the only line on stdout; later output goes to the log."""
    os.write(1, f"{line}\n".encode())
    os.dup2(2, 1)


async def serve(
    loaded: config_sources.LoadedConfig, environment: Mapping[str, str], place: Path
) -> None:
    """Serve until idle or stopped; then the sessions end and their files are removed."""
    config, listener = loaded.config, _listen(place / SOCKET)
    saved = SessionFiles(place / "sessions")
    await start_watchdog()
    async with trio.open_nursery() as nursery:
        await nursery.start(cancel_on_signal, nursery.cancel_scope)
        async with (
            open_local(config, on_restart=collect_garbage) as charlotte,
            open_dashboard(config, charlotte.dashboard_state),
            trio.open_nursery() as keeping,
        ):
            sessions = SharedSessions(charlotte, config, saved, keeping)
            service = ShellService(config, environment, sessions)
            async with trio.open_nursery() as serving:
                await serving.start(trio.serve_listeners, service.serve, [listener])
                _report("ready")
                await service.wait_until_idle()
                (place / SOCKET).unlink()
                serving.cancel_scope.cancel("idle")
            keeping.cancel_scope.cancel("idle")
        nursery.cancel_scope.cancel("idle")
    await listener.aclose()
    (place / SOCKET).unlink(missing_ok=True)
    saved.remove_all()


def _listen(path: Path) -> trio.SocketListener:
    """Listen in place of a lost server; only the owner of the socket may connect."""
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    usual = os.umask(_PRIVATE)
    try:
        listening.bind(str(path))
    finally:
        os.umask(usual)
    listening.listen(_BACKLOG)
    return trio.SocketListener(trio.socket.from_stdlib_socket(listening))


if __name__ == "__main__":
    sys.exit(main())
