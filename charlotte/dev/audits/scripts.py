"""The scripts beside this file, which look at a page for the audits."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Script = Literal["axe", "elements", "timings"]


def expression(script: Script, argument: Any = None) -> str:
    """Return an expression for the probe's world that evaluates to a JSON string or a promise."""
    engine = _source("axe-core/axe.min.js") if script == "axe" else ""
    return f"{engine}\n(\n{_source(f'{script}.js')})(charlotte.parts, {json.dumps(argument)})"


@cache
def _source(path: str) -> str:
    return files(__package__ or "").joinpath(path).read_text(encoding="utf-8")
