"""Download of a browser: Chrome's headless shell, from the index of Chrome for Testing."""

import hashlib
import json
import platform
import re
import shutil
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
import httpx2
import trio

from charlotte.base.errors import SessionProblem, ellipsize
from charlotte.browser.process.executables import System

INDEX = (
    "https://googlechromelabs.github.io/chrome-for-testing/known-good-versions-with-downloads.json"
)
STABLE = (
    "https://googlechromelabs.github.io/chrome-for-testing/"
    "last-known-good-versions-with-downloads.json"
)
PINNED = Path(__file__).with_name("pinned.json")
"""``{"version": "…", "sha256": {"linux64": "…"}}``; ``make pin-browser`` writes it."""
PLATFORMS = {
    ("linux", "x86_64"): "linux64",
    ("darwin", "arm64"): "mac-arm64",
    ("darwin", "x86_64"): "mac-x64",
    ("win32", "AMD64"): "win64",
    ("win32", "x86"): "win32",
}
_PRODUCT = "chrome-headless-shell"
_DEADLINE = 900.0
_VERSION_DEADLINE = 20.0
_CHUNK = 2**20
_VERSION = re.compile(r"\d+(\.\d+)*")  # it becomes the name of a directory
_MISSING_LIBRARY = re.compile(r"error while loading shared libraries: ([^:]+):")


@attrs.frozen
class Build:
    """A build of the headless shell. ``sha256`` is None if no hash is pinned."""

    version: str
    platform: str
    url: str
    sha256: str | None = None


@attrs.frozen
class Installed:
    """An executable, the hash of its archive, and whether that hash was expected."""

    executable: Path
    sha256: str = ""
    is_verified: bool = False
    is_new: bool = True


Say = Callable[[str], object]


def get_platform() -> str:
    """Return the name of this system in the index. Raises `SessionProblem` if it has none."""
    system, machine = sys.platform, platform.machine()
    if name := PLATFORMS.get((system, machine)):
        return name
    raise SessionProblem(
        f"Chrome for Testing has no build for {system} on {machine}.",
        "Install your system's Chromium (Debian: apt install chromium-headless-shell).",
    )


async def find_build(
    name: str, *, index: str | None = None, pinned: Mapping[str, Any] | None = None
) -> Build:
    """Return the pinned build for a platform, or the newest stable one. Raises `SessionProblem`."""
    pin: Mapping[str, Any] = json.loads(PINNED.read_text()) if pinned is None else pinned
    version = pin.get("version")
    address = index or (INDEX if version else STABLE)
    with _deadline():
        async with _client() as http:
            response = await http.get(address)
            response.raise_for_status()
    try:
        content = response.json()
    except ValueError:
        raise SessionProblem(f"The index {address} is not JSON.", "Check --index.") from None
    try:
        stable = content.get("channels", {}).get("Stable")
        builds = [*content.get("versions", ()), *([stable] if stable else ())]
        wanted = re.compile(re.escape(version)) if version else _VERSION
        [build] = [each for each in builds if wanted.fullmatch(each["version"])][-1:]
        [url] = [each["url"] for each in build["downloads"][_PRODUCT] if each["platform"] == name]
    except (AttributeError, KeyError, TypeError, ValueError):
        which = f"version {version}" if version else "a stable version"
        raise SessionProblem(
            f"The index {address} has no {_PRODUCT} for {name} with {which}.",
            "Install your system's Chromium, or pass another index with --index.",
        ) from None
    return Build(build["version"], name, url, pin.get("sha256", {}).get(name))


async def install(
    build: Build, *, system: System | None = None, force: bool = False, say: Say = print
) -> Installed:
    """Download a build into the user's cache, unless it is there; return its executable.

    Two installations at once do not disturb each other: each unpacks into its own directory, and
    the first that is complete stays. Raises `SessionProblem`; nothing is left then.
    """
    system = system or System()
    directory = system.installed / build.version
    if not force and (found := _executable(directory)):
        return Installed(found, is_new=False)
    try:
        system.installed.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=system.installed, prefix=".partial-") as partial:
            archive, unpacked = Path(partial) / "archive.zip", Path(partial) / "unpacked"
            with _deadline():
                digest = await _download(build.url, archive, say)
            if build.sha256 and digest != build.sha256:
                raise SessionProblem(
                    f"The archive {build.url} has the hash {digest}, expected {build.sha256}.",
                    "Try again later; do not use the file.",
                )
            await trio.to_thread.run_sync(_unpack, archive, unpacked)
            if _executable(unpacked) is None:
                raise SessionProblem(f"The archive {build.url} contains no {_PRODUCT}.")
            if force or _executable(directory) is None:
                shutil.rmtree(directory, ignore_errors=True)
                with suppress(OSError):  # another installation was faster
                    unpacked.rename(directory)
    except OSError as error:
        raise SessionProblem(
            f"The browser cannot be written to {system.installed}: {error.strerror or error}.",
            "Free space there, or set XDG_CACHE_HOME to another directory.",
        ) from None
    executable = _executable(directory)
    if executable is None:
        raise SessionProblem(f"{directory} contains no {_PRODUCT} after the installation.")
    return Installed(executable, digest, is_verified=build.sha256 is not None)


async def run_version(executable: Path) -> str:
    """Return the output of ``--version``; raises `SessionProblem`, also for missing libraries."""
    with trio.move_on_after(_VERSION_DEADLINE):
        done = await trio.run_process(
            [str(executable), "--version"], capture_stdout=True, capture_stderr=True, check=False
        )
        if done.returncode == 0:
            return done.stdout.decode(errors="replace").strip()
        errors = done.stderr.decode(errors="replace")
        if missing := _MISSING_LIBRARY.search(errors):
            raise SessionProblem(
                f"{executable} needs the library {missing[1]}, which this system lacks.",
                "Install Chromium's libraries (Debian: apt install chromium-headless-shell).",
            )
        raise SessionProblem(f"{executable} does not run: {ellipsize(errors.strip(), 300)}")
    raise SessionProblem(f"{executable} did not print its version in {_VERSION_DEADLINE:g} s.")


def _executable(directory: Path) -> Path | None:
    found = (directory.glob(f"{_PRODUCT}-*/{name}") for name in (_PRODUCT, f"{_PRODUCT}.exe"))
    return next((path for paths in found for path in paths if path.is_file()), None)


@contextmanager
def _deadline() -> Generator[None]:
    """Limit the time of the block; raises `SessionProblem` if it takes too long or fails."""
    try:
        with trio.fail_after(_DEADLINE):
            yield
    except (httpx2.HTTPError, httpx2.InvalidURL, trio.TooSlowError) as error:
        is_late = isinstance(error, trio.TooSlowError)
        reason = f"not complete after {_DEADLINE:g} s" if is_late else str(error)
        raise SessionProblem(
            f"The download failed: {reason or type(error).__name__}.",
            "Check the network and HTTPS_PROXY, or install your system's Chromium.",
        ) from None


async def _download(address: str, file: Path, say: Say) -> str:
    """Write a file and return its SHA-256; say after each tenth how much is there."""
    digest, said, written = hashlib.sha256(), 0, 0
    async with _client() as http, http.stream("GET", address) as response:
        response.raise_for_status()
        size = int(response.headers.get("Content-Length", 0))
        say(f"Downloading {address}" + (f" ({size / 2**20:.0f} MiB)" if size else ""))
        async with await trio.open_file(file, "wb") as output:
            async for chunk in response.aiter_bytes(_CHUNK):
                digest.update(chunk)
                await output.write(chunk)
                written += len(chunk)
                if size and (tenths := 10 * written // size) > said:
                    said = tenths
                    say(f"{10 * tenths} %")
    return digest.hexdigest()


def _client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(timeout=30.0, follow_redirects=True)


def _unpack(archive: Path, directory: Path) -> None:
    """Unpack the files of an archive with their modes; ``zipfile`` keeps them in the directory."""
    try:
        with zipfile.ZipFile(archive) as entries:
            for entry in entries.infolist():
                if not entry.is_dir():
                    path = Path(entries.extract(entry, directory))
                    path.chmod(stat.S_IMODE(entry.external_attr >> 16) & 0o755 or 0o644)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SessionProblem(f"The archive is damaged: {error}.", "Try again.") from None
