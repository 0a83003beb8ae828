"""``python -m tests.cluster.chaos``: agents on a cluster whose parts are killed at random."""

import signal
import sys

from tests.chaos.__main__ import main
from tests.cluster.chaos.run import run

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else the nodes would stay
    sys.exit(main(run, __doc__, 10.0))
