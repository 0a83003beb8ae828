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
    "main_listens",
    "main_hides",
    "main_pending",
    "main_lines",
)


_UNREAD = re.compile(r"^ *(?://[^\n]*\n|/\*.*?\*/\n)|^ +", re.MULTILINE | re.DOTALL)
"""Comments that have lines of their own, and margins: every new renderer would read them again."""


def _read(name: str) -> str:
    return _UNREAD.sub("", files(__name__).joinpath(f"{name}.js").read_text(encoding="utf-8"))


TITLE_BINDING = "charlotteTitle"
"""What the probe of a main frame calls with the title, where the browser lends it that function."""

FRAME_BINDING = "charlotteFrame"
"""What the probe calls when it waits for a frame that does not come."""


_SCRIPTLESS = "matchMedia('(scripting: none)').matches"
"""True where no script of the page runs, so that nothing is to be heard of any (scriptless.js)."""


@cache
def probe_source() -> str:
    """Return the script for the isolated world; it installs ``globalThis.charlotte`` once."""
    install = "\n".join(_read(name) for name in _MODULES)
    return _INSTALLING % install


_INSTALLING = """(() => {
'use strict';
if (globalThis.charlotte) return;
const install = () => {
%s
return api;
};
let api = install();
let home = document;
Object.defineProperty(globalThis, 'charlotte', { get: () => {
if (home !== document) [home, api] = [document, install()];
return api;
} });
})();
"""
"""A window that was opened blank is kept, with all that runs in it, for the document that comes.

Nothing is run anew then, but everything has to begin anew for that document.
"""


@cache
def init_main_source() -> str:
    """Return the script for the page's own world, to be run before any script of the page."""
    body = "\n".join(_read(name) for name in _MAIN_MODULES)
    return f"(() => {{\n'use strict';\nif ({_SCRIPTLESS}) return;\n{body}\n}})();\n"


@cache
def late_source() -> str:
    """Return the script for the page's own world, to be run with the functions of the console."""
    return f"(() => {{\n'use strict';\n{_read('main_late')}\n}})();\n"
