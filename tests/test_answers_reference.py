"""docs/reference/answers.md is what the code writes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_page_about_answers_is_current() -> None:
    check = [sys.executable, "-m", "scripts.answers_reference", "--check"]
    ran = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert (ran.returncode, ran.stderr) == (0, "")
