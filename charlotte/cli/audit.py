"""``charlotte audit verify``: checks the chain of an audit log."""

import sys
from pathlib import Path

import trio

from charlotte.audit import verify
from charlotte.cli.invocation import ANSWERED, FAILED, Invocation


async def run(invocation: Invocation) -> int:
    """Print the number of good lines, and the first bad line; return the exit code."""
    file = Path(invocation.arguments.file)
    try:
        found = await trio.to_thread.run_sync(verify, file)
    except OSError as error:
        print(f"charlotte: error: {file} cannot be read: {error.strerror}", file=sys.stderr)  # noqa: T201
        return FAILED
    for number in found.torn:
        invocation.write(f"line {number} is not complete; line {number + 1} notes that")
    if found.problem is not None:
        invocation.write(f"{file}: {found.problem}; the {found.lines} lines before it are good")
        return FAILED
    invocation.write(f"{file}: {found.lines} lines, the chain is unbroken, last hash {found.last}")
    return ANSWERED
