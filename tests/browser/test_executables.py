"""The search for a browser, on trees of empty files."""

from pathlib import Path

import pytest

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import executables
from charlotte.browser.process.executables import System, find_executable


@pytest.fixture(autouse=True)
def no_absolute_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide a browser of this machine that is found by its absolute path."""
    monkeypatch.setattr(executables, "WINDOWLESS", ("chromium-headless-shell",))


def system(tmp_path: Path, platform: str = "linux", **environment: str) -> System:
    return System(
        platform=platform,
        environment={"PATH": str(tmp_path / "bin"), **environment},
        home=tmp_path / "home",
        root=tmp_path,
        cache=tmp_path / "home/.cache",
    )


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    path.chmod(0o755)
    return str(path)


def test_a_missing_browser_is_an_error_with_the_command_that_installs_one(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match="none is in PATH") as raised:
        find_executable(None, system=system(tmp_path))
    assert "run 'charlotte install'" in str(raised.value.suggestion)


def test_the_path_comes_first_without_windows_if_none_are_needed(tmp_path: Path) -> None:
    program(tmp_path / "home/.cache/ms-playwright/chromium_headless_shell-1/x/headless_shell")
    chrome = program(tmp_path / "bin/google-chrome")
    assert find_executable(None, system=system(tmp_path)) == chrome
    windowless = program(tmp_path / "bin/chromium-headless-shell")
    assert find_executable(None, system=system(tmp_path)) == windowless
    assert find_executable(None, windows=True, system=system(tmp_path)) == chrome


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", "snap/bin/chromium"),
        ("linux", "opt/google/chrome/chrome"),
        ("darwin", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("darwin", "home/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("win32", "programs/Google/Chrome/Application/chrome.exe"),
        ("linux", "home/.cache/ms-playwright/chromium-1200/chrome-linux/chrome"),
        (
            "darwin",
            (
                "home/.cache/ms-playwright/chromium-1/chrome-mac/"
                "Chromium.app/Contents/MacOS/Chromium"
            ),
        ),
        ("win32", "home/.cache/ms-playwright/chromium-1200/chrome-win/chrome.exe"),
    ],
)
def test_usual_places_of_systems_are_searched(tmp_path: Path, platform: str, place: str) -> None:
    expected = program(tmp_path / place)
    given = {"PROGRAMFILES": str(tmp_path / "programs"), "LOCALAPPDATA": str(tmp_path / "local")}
    there = system(tmp_path, platform, **given)
    assert find_executable(None, system=there) == expected
    assert find_executable(None, windows=True, system=there) == expected


@pytest.mark.parametrize(
    "place",
    [
        ".cache/charlotte/browsers/140.0.1.2/chrome-headless-shell-linux64/chrome-headless-shell",
        ".cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell",
    ],
)
def test_a_cached_headless_shell_is_used_if_it_needs_no_window(tmp_path: Path, place: str) -> None:
    expected = program(tmp_path / "home" / place)
    chrome = program(tmp_path / "snap/bin/chromium")
    assert find_executable(None, system=system(tmp_path)) == expected
    assert find_executable(None, windows=True, system=system(tmp_path)) == chrome


def test_a_file_that_cannot_be_executed_is_no_browser(tmp_path: Path) -> None:
    Path(program(tmp_path / "snap/bin/chromium")).chmod(0o644)
    with pytest.raises(SessionProblem):
        find_executable(None, system=system(tmp_path))


def test_a_missing_executable_is_named(tmp_path: Path) -> None:
    program(tmp_path / "bin/chromium")
    with pytest.raises(SessionProblem, match=r"no program '.*/nowhere'"):
        find_executable(str(tmp_path / "nowhere"), system=system(tmp_path))
