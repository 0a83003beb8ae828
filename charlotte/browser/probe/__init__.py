"""Owns the in-page probe: the scripts beside this file, joined into the source a page is given."""

import re
from functools import cache
from importlib.resources import files

_MODULES = (
    "builtins",
    "scriptless",
    "accessible",
    "registry",
    "tags",
    "roles",
    "boxless",
    "sight",
    "secrets",
    "values",
    "custom",
    "states",
    "pass",
    "names",
    "steps",
    "labels",
    "proxies",
    "rows",
    "generated",
    "read",
    "frames",
    "told",
    "closed",
    "text",
    "clickable",
    "beyond",
    "record",
    "walk",
    "changes",
    "scrolled",
    "tickers",
    "mutations",
    "memory",
    "twins",
    "records",
    "capture",
    "time",
    "heard",
    "hit",
    "met",
    "target",
    "through",
    "unveil",
    "focus",
    "around",
    "query",
    "away",
    "wording",
    "beside",
    "scroll",
    "points",
    "drawn",
    "editors",
    "choose",
    "pick",
    "fields",
    "complaints",
    "uploads",
    "pending",
    "settle",
    "watch",
    "stillness",
    "rest",
    "title",
    "section",
    "options",
    "survey",
    "surveyed",
    "selectors",
    "stored",
    "api",
)

_MAIN_MODULES = (
    "main_overheard",
    "main_types",
    "main_listens",
    "main_hides",
    "main_pending",
    "main_lines",
)


_UNREAD = re.compile(r"^ *(?://[^\n]*\n|/\*.*?\*/\n)|^ +", re.MULTILINE | re.DOTALL)
"""Comments that have lines of their own, and margins: every new renderer would read them again."""


def _read(name: str) -> str:
    """Return a module in ASCII: one other character would double what the browser holds of all."""
    source = files(__name__).joinpath(f"{name}.js").read_text(encoding="utf-8")
    return _UNREAD.sub("", source).encode("ascii", "backslashreplace").decode()


TITLE_BINDING = "charlotteTitle"
"""What the probe of a main frame calls with the title, where the browser lends it that function."""

FRAME_BINDING = "charlotteFrame"
"""What the probe calls when it waits for a frame that does not come."""


_SCRIPTLESS = "matchMedia('(scripting: none)').matches"
"""True where no script of the page runs, so that nothing is to be heard of any (scriptless.js)."""


def _program(*parts: str) -> str:
    body = "\n".join(parts)
    return f"(() => {{\n'use strict';\n{body}\n}})();\n"


@cache
def probe_source() -> str:
    """Return the script for the isolated world; it installs ``globalThis.charlotte`` once.

    The parentheses around the function have V8 compile it at once: otherwise each new renderer
    parses it twice, first to skip it and then to run it.
    """
    modules = "\n".join(map(_read, _MODULES))
    install = f"const install = (() => {{\n{modules}\nreturn api;\n}});"
    return _program("if (globalThis.charlotte) return;", install, _read("installing"))


@cache
def init_main_source() -> str:
    """Return the script for the page's own world, to be run before any script of the page."""
    return _program(f"if ({_SCRIPTLESS}) return;", *map(_read, _MAIN_MODULES))


@cache
def late_source() -> str:
    """Return the script for the page's own world, to be run with the functions of the console."""
    return _program(*map(_read, ("main_types", "main_late")))
