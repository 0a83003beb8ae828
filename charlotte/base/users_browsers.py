"""The browsers that a user may have open: their names, and the directories of their profiles."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from charlotte.base.urls import is_endpoint

_BRAVE = "BraveSoftware/Brave-Browser"
_DIRECTORIES: Final[Mapping[str, tuple[str, str, str]]] = {
    "chrome": ("google-chrome", "Google/Chrome", "Google/Chrome"),
    "chromium": ("chromium", "Chromium", "Chromium"),
    "edge": ("microsoft-edge", "Microsoft Edge", "Microsoft/Edge"),
    "brave": (_BRAVE, _BRAVE, _BRAVE),
    "chrome-beta": ("google-chrome-beta", "Google/Chrome Beta", "Google/Chrome Beta"),
    "chrome-dev": ("google-chrome-unstable", "Google/Chrome Dev", "Google/Chrome Dev"),
    "chrome-unstable": ("google-chrome-unstable", "Google/Chrome Dev", "Google/Chrome Dev"),
    "chrome-canary": ("google-chrome-canary", "Google/Chrome Canary", "Google/Chrome SxS"),
    "edge-beta": ("microsoft-edge-beta", "Microsoft Edge Beta", "Microsoft/Edge Beta"),
    "edge-dev": ("microsoft-edge-dev", "Microsoft Edge Dev", "Microsoft/Edge Dev"),
    "edge-canary": ("microsoft-edge-canary", "Microsoft Edge Canary", "Microsoft/Edge SxS"),
    "brave-beta": (f"{_BRAVE}-Beta", f"{_BRAVE}-Beta", f"{_BRAVE}-Beta"),
    "brave-nightly": (f"{_BRAVE}-Nightly", f"{_BRAVE}-Nightly", f"{_BRAVE}-Nightly"),
}
"""The data directories on Linux, macOS and Windows, in the directory of each for such data."""

_SNAPS: Final = {"chromium": "snap/chromium/common/chromium"}

BROWSERS: Final = tuple(_DIRECTORIES)
"""Names of browsers whose data directories are known."""


def is_users_browser(text: str) -> bool:
    """Return whether a text names a browser, a directory of profiles or the URL of a browser."""
    is_path = text.startswith("~") or "\\" in text or ("/" in text and "://" not in text)
    is_directory = is_path or (text != "" and Path(text).is_dir())
    return text in _DIRECTORIES or is_endpoint(text) or is_directory


def data_directories(
    name: str, platform: str, environment: Mapping[str, str], home: Path
) -> tuple[Path, ...]:
    """Return the directories in which a browser may keep its profiles, the usual one first.

    ``platform`` is `sys.platform`.
    """
    linux, macos, windows = _DIRECTORIES[name]
    if platform == "darwin":
        return (home / "Library" / "Application Support" / macos,)
    if platform == "win32":
        local = environment.get("LOCALAPPDATA") or home / "AppData" / "Local"
        return (Path(local) / windows / "User Data",)
    configured = map(environment.get, ("CHROME_CONFIG_HOME", "XDG_CONFIG_HOME"))
    base = Path(next(filter(None, configured), home / ".config"))
    snap = _SNAPS.get(name)
    return (base / linux, *((home / snap,) if snap else ()))
