"""The program: commands for the background server start at once, the others load the rest."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from charlotte.shell import is_command


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``charlotte``; without a command, serve MCP on stdin and stdout."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if is_command(words) and sys.platform != "win32":
        code = import_module("charlotte.shell.client").main(words)
        sys.stderr.flush()
        os._exit(code)  # all is written: the usual end of the interpreter takes milliseconds
    import_module("charlotte.cli.program").main(words)


if __name__ == "__main__":
    main()
