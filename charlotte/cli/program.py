"""The program: parses the command line, loads the configuration and runs a command on trio."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import structlog
import trio

from charlotte.base import log
from charlotte.base.errors import CharlotteError
from charlotte.base.files import not_creatable
from charlotte.base.garbage import import_at_once
from charlotte.cli.command_line import check_tools
from charlotte.cli.parser import BY_NAME, FAILED, MISUSED, Invocation, parse
from charlotte.config import sources as config_sources
from charlotte.config.config import Config, fields

NO_WINDOWS = (
    "Charlotte runs on Linux. On Windows, run it in WSL, or connect over HTTP to Charlotte on "
    "another machine."
)


async def cancel_on_signal(
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


def main(arguments: Sequence[str]) -> None:
    """Run ``charlotte``; without a command, serve MCP on stdin and stdout."""
    has_failed = False
    try:
        try:
            _main(arguments)
        finally:
            sys.stdout.flush()
    except* BrokenPipeError:  # the reader has ended, as in `charlotte call | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        has_failed = True
    except* CharlotteError as errors:  # in the groups of the nurseries of a command
        for error in _flat(errors):
            print(f"charlotte: error: {error.message} {error.suggestion or ''}", file=sys.stderr)  # noqa: T201
        has_failed = True
    if has_failed:
        sys.exit(FAILED)


def _flat(errors: BaseExceptionGroup[CharlotteError]) -> Iterator[CharlotteError]:
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _flat(error)
        else:
            yield error


def _main(arguments: Sequence[str]) -> None:
    parsed = parse(arguments)
    command = BY_NAME[parsed.command]
    is_line = hasattr(parsed, "line")
    if (command.groups or is_line) and _is_windows() and not getattr(parsed, "help", False):
        sys.exit(f"charlotte: error: {NO_WINDOWS}")
    if is_line:
        sys.exit(import_at_once("charlotte.shell.client").main(parsed.line))
    loaded = config_sources.LoadedConfig(Config(), {}, [])
    if command.groups:
        flags = {name: getattr(parsed, name, None) for name in fields()}
        file = parsed.config or os.environ.get("CHARLOTTE_CONFIG")
        try:
            loaded = config_sources.load(flags, os.environ, Path(file) if file else None)
            check_tools(loaded.config)
        except CharlotteError as error:
            print(f"charlotte: error: {error.message}", file=sys.stderr)  # noqa: T201
            sys.exit(MISUSED)
    config, warnings = loaded.config, list(loaded.warnings)
    # The table of doctor contains what the log would warn of.
    level = "error" if command.name == "doctor" else config.log_level
    log.configure(level, config.hidden.hidden)
    if config.output_dir and (problem := not_creatable(Path(config.output_dir).absolute())):
        warnings.append(f"the output directory cannot be used: {problem}")
    for warning in warnings:
        structlog.get_logger(__name__).warning(warning)
    run = import_at_once(command.module).run
    sys.exit(trio.run(_run, run, Invocation(parsed, config, loaded.sources, warnings)))


def _is_windows() -> bool:
    return sys.platform == "win32"


async def _run(run: Callable[[Invocation], Awaitable[int]], invocation: Invocation) -> int:
    """Run a command until it ends or SIGTERM or SIGINT arrives; return its exit code."""
    code = 0
    async with trio.open_nursery() as nursery:
        await nursery.start(cancel_on_signal, nursery.cancel_scope)
        code = await run(invocation)
        nursery.cancel_scope.cancel("done")
    return code
