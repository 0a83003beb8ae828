"""``python -m tests.cluster.chaos``: agents on a cluster whose parts are killed at random."""

import argparse
import secrets
import signal
import sys
from functools import partial

import trio

from tests.cluster.chaos.run import run


def main() -> int:
    """Run once; return 1 if there was a failure."""
    parser = argparse.ArgumentParser(prog="tests.cluster.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), metavar="N")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="N")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else the nodes would stay
    verdict = trio.run(partial(run, options.seed, options.minutes * 60))
    sys.stdout.write("\n".join(verdict.lines()) + "\n")
    return 1 if verdict.failures else 0


if __name__ == "__main__":
    sys.exit(main())
