"""The arguments and the configuration of a subcommand."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence

import attrs

from charlotte.config.config import Config

ANSWERED, FAILED, MISUSED = 0, 1, 2
"""Exit codes."""


@attrs.frozen
class Invocation:
    """A subcommand with its arguments.

    ``sources`` has the source of each setting that is not a default, ``warnings`` are logged.
    """

    arguments: Namespace
    config: Config
    sources: Mapping[str, str]
    warnings: Sequence[str]
    write: Callable[[str], object] = print
