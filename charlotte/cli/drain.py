"""``charlotte drain``: move the sessions of a node of a Ray cluster to other nodes."""

import sys
from contextlib import aclosing

from charlotte.cli.invocation import FAILED, Invocation
from charlotte.errors import CharlotteError

_WAITING_FOR = "; sessions move when their calls have ended and other nodes have free slots"


async def run(invocation: Invocation) -> int:
    """Drain the node, and print how many sessions it still has; return the exit code."""
    from charlotte.cluster.draining import drain  # noqa: PLC0415 - not for one machine

    parsed = invocation.arguments
    last = 0
    try:
        async with aclosing(drain(parsed.node, parsed.address, undo=parsed.undo)) as counts:
            async for count in counts:
                if count and count != last:
                    left = "1 session is" if count == 1 else f"{count} sessions are"
                    reason = "" if last else _WAITING_FOR
                    invocation.write(f"{left} left on {parsed.node}{reason}")
                last = count
    except CharlotteError as error:
        print(f"charlotte: error: {error.message} {error.suggestion or ''}", file=sys.stderr)  # noqa: T201
        return FAILED
    done = "gets sessions again" if parsed.undo else "is drained and can be stopped"
    invocation.write(f"{parsed.node} {done}")
    return 0
