"""The command line: parses arguments into a `Config` and runs the subcommand on trio."""

import argparse
import gc
import importlib
import os
import signal
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import structlog
import trio

from charlotte import config as settings
from charlotte import log
from charlotte.config import Config
from charlotte.errors import CharlotteError
from charlotte.files import not_creatable
from charlotte.version import __version__
from charlotte.watchdog import start_watchdog

_COMMANDS = {
    "serve": "serve MCP; the default",
    "call": "call a tool and print its answer",
    "doctor": "check the installation",
    "completion": "print a completion script for a shell",
}
_WITH_WORDS = {"call", "completion"}
_ACTIONS: dict[Any, dict[str, Any]] = {
    bool: {"action": "store_true", "default": None},
    tuple[str, ...]: {"action": "append"},
}
GC_THRESHOLDS = (100_000, 5, 4)
"""Full collections run every 2,000,000 new objects: only failed calls leave reference cycles."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``charlotte``; without a subcommand, serve MCP on stdin and stdout."""
    # Until the server can answer it, SIGUSR1 must not end the process.
    signal.signal(signal.SIGUSR1, lambda _number, _frame: None)
    parser = argparse.ArgumentParser(
        prog="charlotte",
        description="A browser for AI agents, as an MCP server.",
        allow_abbrev=False,
        parents=[build_flags()],
    )
    parser.add_argument("command", nargs="?", choices=_COMMANDS, default="serve")
    parser.add_argument(
        "words", nargs="*", metavar="TOOL name=value", help="for call; SHELL for completion"
    )
    options = vars(parser.parse_args(arguments))
    command, words = options.pop("command"), options.pop("words")
    if words and command not in _WITH_WORDS:
        parser.error(f"{command} takes no arguments, got {words[0]!r}")
    file = options.pop("config") or os.environ.get("CHARLOTTE_CONFIG")
    try:
        config, warnings = settings.load(options, os.environ, Path(file) if file else None)
    except CharlotteError as error:
        sys.exit(f"charlotte: {error.message}")
    log.configure(config.log_level, config.hidden.hidden)
    if config.output_dir and (problem := not_creatable(Path(config.output_dir).absolute())):
        warnings = [*warnings, f"the output directory cannot be used: {problem}"]
    for warning in warnings:
        structlog.get_logger(__name__).warning(warning)
    sys.exit(trio.run(_run, command, config, words, warnings))


def build_flags() -> argparse.ArgumentParser:
    """Build the parser of the flags that all commands have."""
    flags = argparse.ArgumentParser(add_help=False)
    flags.add_argument("--version", action="version", version=f"charlotte {__version__}")
    flags.add_argument("--config", metavar="FILE", help="settings as TOML or JSON")
    for name, field in settings.fields().items():
        if not field.metadata.get("secret"):
            options = {"help": field.metadata["help"], **_ACTIONS.get(field.type, {})}
            if get_origin(field.type) is Literal:
                options["choices"] = get_args(field.type)
            flags.add_argument(f"--{name.replace('_', '-')}", **options)
    return flags


async def _cancel_on_signal(
    scope: trio.CancelScope, stop: trio.Event | None = None, *, task_status: trio.TaskStatus[None]
) -> None:
    """Cancel at a signal; with ``stop``, the first signal sets it, and the second cancels.

    trio delivers signals to the newest receiver only.
    """
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            if stop is None or stop.is_set():
                scope.cancel("signalled")
            else:
                stop.set()


async def _run(command: str, config: Config, words: Sequence[str], warnings: Sequence[str]) -> int:
    """Run a subcommand until it ends or SIGTERM or SIGINT arrives; return its exit code."""
    code = 0
    async with trio.open_nursery() as nursery:
        await nursery.start(_cancel_on_signal, nursery.cancel_scope)
        if command == "serve":
            code = await (_serve_http if config.http else _serve_stdio)(config)
        else:
            commands = _import_at_once("charlotte.command")
            if command == "call":
                code = await commands.call(config, words, print)
            elif command == "doctor":
                code = await commands.doctor(config, warnings, print)
            else:
                code = commands.completion(words, _COMMANDS, build_flags(), print)
        nursery.cancel_scope.cancel("done")
    return code


async def _serve_http(config: Config) -> int:
    server = _import_at_once("charlotte.server.http")
    try:
        port = server.bind_port(config)
    except OSError as error:
        where = f"{config.host}:{config.port}"
        print(f"charlotte: cannot listen on {where}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 1
    commands = _import_at_once("charlotte.command")
    stop = trio.Event()
    await start_watchdog()
    async with trio.open_nursery() as nursery:
        await nursery.start(_cancel_on_signal, nursery.cancel_scope, stop)
        async with (
            commands.open_charlotte(config, on_restart=_collect_garbage) as charlotte,
            commands.print_status_on_signal(charlotte.status, config.hidden.hidden),
        ):
            await server.serve_http(charlotte, config, port, stop, _announce)
        nursery.cancel_scope.cancel("served")
    return 0


def _announce(address: str) -> None:
    print(f"Charlotte listens on {address}", flush=True)  # noqa: T201 - over HTTP, stdout carries no messages


async def _serve_stdio(config: Config) -> int:
    # The SDK import dominates the start. The rest is imported, and the browser started, after the
    # client got its answer to initialize: in parallel, both would delay that answer.
    server = _import_at_once("charlotte.server")
    stdin = os.dup(0)  # the server replaces descriptor 0

    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        source = _import_at_once("charlotte.browser.browser_source")
        begun = source.PrelaunchedBrowser(source.browser_endpoint(config))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(begun.run)
            nursery.start_soon(start_watchdog, stdin)
            commands = await trio.to_thread.run_sync(_import_at_once, "charlotte.command")
            async with (
                commands.open_charlotte(
                    config, open_endpoint=begun.open, on_restart=_collect_garbage
                ) as charlotte,
                charlotte.open_session() as session,
                commands.print_status_on_signal(charlotte.status, config.hidden.hidden),
            ):
                yield session
            nursery.cancel_scope.cancel("closed")

    greeting = server.build_greeting(config)
    await server.serve_stdio(server.LazyService(open_service), greeting)
    return 0


def _import_at_once(name: str) -> Any:
    """Import a module without garbage collections, and collect less often afterwards.

    A page creates many thousand records at once. With the default thresholds, collections would
    take longer than creating the records.
    """
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.enable()


def _collect_garbage(event: Any) -> None:
    """Free the reference cycles of an ended browser, because automatic collections are rare."""
    if event.actor == "browser":
        gc.collect(1)


if __name__ == "__main__":
    main()
