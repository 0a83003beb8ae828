"""docs/reference/answers.md: the text form with examples, and the fields of JSON answers.

The prose is in prose.md, where ``<<name>>`` stands for a table, or for an example that the code of
answers writes. The meanings of JSON fields are in fields.toml.
"""

import re
from pathlib import Path

from . import json_form, text_form
from .registry import EXAMPLES

PROSE = Path(__file__).with_name("prose.md")
MODULES = (text_form, json_form)
"""Modules that register examples."""


def write() -> str:
    """Return the text of the page."""
    prose = PROSE.read_text()
    return re.sub(r"<<(\w+)>>", lambda found: EXAMPLES[found[1]](), prose)
