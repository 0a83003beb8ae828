"""The scripts for every document, built from the modules in ``probe/`` by ``make probe``."""

from functools import cache
from importlib.resources import files

TITLE_BINDING = "charlotteTitle"
"""The function by which the probe of a main frame reports the title, if the binding exists."""

FRAME_BINDING = "charlotteFrame"
"""The function that the probe calls when it waits for an animation frame that does not arrive."""


def read_bundle(name: str) -> str:
    """Return a built script with its first line, a comment that names the hash of its sources."""
    return files(__name__).joinpath(f"{name}.bundle.js").read_text(encoding="ascii")


@cache
def _script(name: str) -> str:
    return read_bundle(name).partition("\n")[2]


def probe_source() -> str:
    """Return the script for the isolated world; it installs ``globalThis.charlotte`` once."""
    return _script("isolated_world")


def init_main_source() -> str:
    """Return the script for the page's own world, to be run before any script of the page."""
    return _script("main_world")


def late_source() -> str:
    """Return the script that reports the listeners of a document that has begun already.

    It needs the functions of the console (``include_command_line_api``).
    """
    return _script("late_listeners")
