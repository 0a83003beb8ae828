"""Names of the user's browser, and the directories in which it keeps its profiles."""

from pathlib import Path

import pytest

from charlotte.base.users_browsers import BROWSERS, data_directories, is_users_browser

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("name", "directories"),
    [
        ("chrome", [".config/google-chrome"]),
        ("chrome-beta", [".config/google-chrome-beta"]),
        ("chrome-dev", [".config/google-chrome-unstable"]),
        ("chrome-unstable", [".config/google-chrome-unstable"]),
        ("chrome-canary", [".config/google-chrome-canary"]),
        ("edge", [".config/microsoft-edge"]),
        ("edge-dev", [".config/microsoft-edge-dev"]),
        ("brave", [".config/BraveSoftware/Brave-Browser"]),
        ("chromium", [".config/chromium", "snap/chromium/common/chromium"]),
    ],
)
def test_on_linux_profiles_are_in_the_directory_for_configurations(
    name: str, directories: list[str]
) -> None:
    expected = tuple(HOME / each for each in directories)
    assert data_directories(name, "linux", {}, HOME) == expected


@pytest.mark.parametrize(
    ("name", "directory"),
    [
        ("chrome", "Google/Chrome"),
        ("chrome-canary", "Google/Chrome Canary"),
        ("edge-beta", "Microsoft Edge Beta"),
        ("chromium", "Chromium"),
        ("brave", "BraveSoftware/Brave-Browser"),
    ],
)
def test_on_macos_profiles_are_in_the_library(name: str, directory: str) -> None:
    expected = HOME / "Library/Application Support" / directory
    assert data_directories(name, "darwin", {"XDG_CONFIG_HOME": "/xdg"}, HOME) == (expected,)


@pytest.mark.parametrize(
    ("name", "directory"),
    [
        ("chrome", "Google/Chrome/User Data"),
        ("chrome-canary", "Google/Chrome SxS/User Data"),
        ("edge", "Microsoft/Edge/User Data"),
        ("chromium", "Chromium/User Data"),
        ("brave", "BraveSoftware/Brave-Browser/User Data"),
    ],
)
def test_on_windows_profiles_are_in_the_local_data(name: str, directory: str) -> None:
    local = {"LOCALAPPDATA": "/local"}
    assert data_directories(name, "win32", local, HOME) == (Path("/local") / directory,)
    assert data_directories(name, "win32", {}, HOME) == (HOME / "AppData/Local" / directory,)


@pytest.mark.parametrize(
    "text",
    [
        *BROWSERS,
        "~/agents",
        "/home/ada/agents",
        "./agents",
        "C:\\agents",
        "ws://host/x",
        "http://h",
    ],
)
def test_a_browser_is_a_name_a_directory_or_a_url(text: str) -> None:
    assert is_users_browser(text)
