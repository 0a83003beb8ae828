"""``python -m tests.chaos``: agents at work while everything breaks (`make chaos`)."""

import argparse
import secrets
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import trio

from tests.chaos.run import run


def main(run: Callable[[int, float], Awaitable[Any]], about: str | None, minutes: float) -> int:
    """Run once; return 1 if there was a failure."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), metavar="N")
    parser.add_argument("--minutes", type=float, default=minutes, metavar="N")
    options = parser.parse_args()
    verdict = trio.run(partial(run, options.seed, options.minutes * 60))
    sys.stdout.write("\n".join(verdict.lines()) + "\n")
    return 1 if verdict.failures else 0


if __name__ == "__main__":
    sys.exit(main(run, __doc__, 2.0))
