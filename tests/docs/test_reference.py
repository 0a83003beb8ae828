"""The pages of docs/reference are what the code writes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_is_current() -> None:
    check = [sys.executable, "-m", "scripts.reference", "--check"]
    ran = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert (ran.returncode, ran.stderr) == (0, "")
