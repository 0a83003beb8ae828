"""The scripts beside this file, which look at a page for the audits."""

from functools import cache
from importlib.resources import files
from typing import Literal

from charlotte.dev.audits.axe import axe_source

Script = Literal["axe", "elements", "texts", "timings"]


@cache
def expression(script: Script) -> str:
    """What to evaluate where the probe lives; comes to a JSON string, or a promise of one."""
    source = files(__package__ or "").joinpath(f"{script}.js").read_text(encoding="utf-8")
    engine = axe_source() if script == "axe" else ""
    return f"{engine}\n(\n{source})(charlotte.parts)"
