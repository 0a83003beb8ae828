"""Our own programs as processes."""

import subprocess
import sys
from typing import Any

import attrs


@attrs.frozen
class Ran:
    code: int
    out: str
    err: str


def run_python(*words: str, stdin: str = "", timeout: float = 110, **options: Any) -> Ran:
    """Run Python with arguments to its end."""
    done = subprocess.run(  # noqa: S603 - it is our own program
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        input=stdin,
        timeout=timeout,
        **options,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def run(*words: str, **options: Any) -> Ran:
    """Run ``charlotte`` to its end."""
    return run_python("-m", "charlotte", *words, **options)
