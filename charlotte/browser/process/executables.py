"""Search for a browser: PATH, the usual places of each system, and caches of other programs.

Debian's packages come first. Without windows, `chromium-headless-shell` is preferred: the same
engine without the code that draws windows, with half of the work per page.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import attrs
from platformdirs import user_cache_path, user_config_path

from charlotte.base.errors import SessionProblem

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WINDOWLESS = (
    "/usr/lib/chromium/chromium-headless-shell",  # the executable; Debian installs a script in PATH
    "chromium-headless-shell",
    "chrome-headless-shell",
)
ADVICE = (
    "Install Chromium (Debian: apt install chromium-headless-shell), run 'charlotte install', or "
    "pass the path of a browser with --chromium or CHARLOTTE_CHROMIUM."
)
_LINUX = ("snap/bin/chromium", "opt/google/chrome/chrome", "usr/lib/chromium/chromium")
_APPLICATIONS = ("Google Chrome", "Chromium", "Google Chrome for Testing")
_VENDORS = ("Google/Chrome", "Chromium")
_PROGRAM_DIRECTORIES = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")


@attrs.frozen
class System:
    """A system in which to search: `sys.platform`, environment, and directories.

    ``cache`` and ``settings`` are the directories of the user for those of applications.
    """

    platform: str = sys.platform
    environment: Mapping[str, str] = attrs.field(factory=lambda: os.environ)
    home: Path = attrs.field(factory=Path.home)
    root: Path = Path("/")
    cache: Path = attrs.field(factory=user_cache_path)
    settings: Path = attrs.field(factory=lambda: user_config_path(roaming=True))

    @property
    def installed(self) -> Path:
        """The directory of browsers that ``charlotte install`` has downloaded."""
        return self.cache / "charlotte" / "browsers"


def find_executable(
    wanted: str | None, *, windows: bool = False, system: System | None = None
) -> str:
    """Return the absolute path of ``wanted``, or of the first browser that is found.

    Unless ``windows`` are needed, a browser without windows is preferred. Raises `SessionProblem`.
    """
    system = system or System()
    path = system.environment.get("PATH")
    known = NAMES if windows else (*WINDOWLESS, *NAMES)
    places = map(str, _places(system, windows=windows))
    names = chain(known, places) if wanted is None else (wanted,)
    for name in names:
        if program := shutil.which(name, path=path):
            return str(Path(program).absolute())
    missing = "none is in PATH, in the usual places or in a cache"
    if wanted is not None:
        missing = f"there is no program {wanted!r}"
    raise SessionProblem(f"Charlotte needs a browser, and {missing}.", ADVICE)


def _places(system: System, *, windows: bool) -> Iterator[Path]:
    """Return executables outside of PATH, those without windows first if none are needed."""
    if not windows:
        yield from _newest_first(system.installed, "*/chrome-headless-shell-*/*headless-shell*")
        for base in _caches_of_playwright(system):
            pattern = "chromium_headless_shell-*/*/*headless[_-]shell*"
            yield from _newest_first(base, pattern)
    if system.platform == "darwin":
        for base in (system.root, system.home):
            yield from (base / "Applications" / program for program in _programs(system))
    elif system.platform == "win32":
        for variable in _PROGRAM_DIRECTORIES:
            if directory := system.environment.get(variable):
                for vendor in _VENDORS:
                    yield Path(directory) / vendor / "Application" / "chrome.exe"
    else:
        yield from (system.root / place for place in _LINUX)
    for base in _caches_of_playwright(system):
        yield from _newest_first(base, *(f"chromium-*/*/{name}" for name in _programs(system)))


def _programs(system: System) -> Iterator[str]:
    """Return the paths of a browser with windows inside its directory in a cache."""
    if system.platform == "darwin":
        yield from (f"{name}.app/Contents/MacOS/{name}" for name in _APPLICATIONS)
    else:
        yield "chrome.exe" if system.platform == "win32" else "chrome"


def _caches_of_playwright(system: System) -> Iterator[Path]:
    if given := system.environment.get("PLAYWRIGHT_BROWSERS_PATH"):
        yield Path(given)
    yield system.cache / "ms-playwright"


def _newest_first(base: Path, *patterns: str) -> list[Path]:
    """Return the files below ``base`` by descending version, which is a number in their path."""
    found = [path for pattern in patterns for path in base.glob(pattern)]

    def version(path: Path) -> tuple[list[int], str]:
        inner = str(path.relative_to(base))
        return [int(number) for number in re.findall(r"\d+", inner)], inner

    return sorted(found, key=version, reverse=True)
