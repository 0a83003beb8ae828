"""Write docs/reference/answers.md: the text form with examples, and the fields of JSON answers.

python -m scripts.answers_reference            write the page
python -m scripts.answers_reference --check    fail if the page is not current

The prose is in prose.md, where ``<<name>>`` stands for a table, or for an example that the code of
answers writes. The meanings of JSON fields are in fields.toml.
"""

import re
import sys
from pathlib import Path

from . import json_form, text_form
from .registry import EXAMPLES

PAGE = "docs/reference/answers.md"
PROSE = Path(__file__).with_name("prose.md")
MODULES = (text_form, json_form)
"""Modules that register examples."""


def write() -> str:
    """Return the text of the page."""
    prose = PROSE.read_text()
    return re.sub(r"<<(\w+)>>", lambda found: EXAMPLES[found[1]](), prose)


def main() -> None:
    """Write the page, or check it."""
    path = Path.cwd() / PAGE
    text = write()
    if "--check" not in sys.argv[1:]:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        sys.exit(f"{PAGE} is not current: run python -m scripts.answers_reference")


if __name__ == "__main__":
    main()
