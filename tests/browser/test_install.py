"""Download of a browser from a local server."""

import hashlib
import io
import json
import stat
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import executables
from charlotte.browser.process.executables import System, find_executable
from charlotte.browser.process.install import Build, find_build, install, run_version

SHELL = b"#!/bin/sh\necho Chrome 140.0.1.2\n"
DIRECTORY = "chrome-headless-shell-linux64"
PLACE = f"{DIRECTORY}/chrome-headless-shell"


def archive(entries: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFREG | 0o755) << 16
            file.writestr(entry, content)
    return written.getvalue()


@attrs.define
class Files:
    """A local web server; with ``cut``, responses end in their middle."""

    address: str
    content: dict[str, bytes]
    cut: bool = False

    async def serve(self, stream: trio.SocketStream) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += await stream.receive_some() or b"\r\n\r\n"
        body = self.content.get(head.split(maxsplit=2)[1].decode())
        status = "404 Not Found" if body is None else "200 OK"
        body = body or b""
        start = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        await stream.send_all(start.encode() + body[: len(body) // 2 if self.cut else None])
        await stream.aclose()


@asynccontextmanager
async def serving(content: dict[str, bytes]) -> AsyncGenerator[Files]:
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    files = Files(f"http://127.0.0.1:{listener.socket.getsockname()[1]}", content)
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, files.serve, [listener])
        yield files
        nursery.cancel_scope.cancel()


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    monkeypatch.setattr(executables, "WINDOWLESS", ())
    return System(
        platform="linux",
        environment={"PATH": ""},
        home=tmp_path,
        root=tmp_path / "root",
        cache=tmp_path / ".cache",
    )


def index(url: str, *versions: str) -> bytes:
    builds = [
        {
            "version": version,
            "downloads": {"chrome-headless-shell": [{"platform": "linux64", "url": url}]},
        }
        for version in versions
    ]
    return json.dumps({"versions": builds, "channels": {"Stable": builds[-1]}}).encode()


def left(there: System) -> list[str]:
    return sorted(path.name for path in there.installed.glob("*"))


async def put(build: Build, there: System) -> Any:
    return await install(build, system=there, say=lambda _text: None)


async def test_an_installed_browser_runs_and_is_found(there: System) -> None:
    async with serving({"/a.zip": archive({PLACE: SHELL})}) as files:
        url = f"{files.address}/a.zip"
        files.content["/index"] = index(url, "139.0.0.0", "140.0.1.2")
        build = await find_build("linux64", index=f"{files.address}/index", pinned={})
        assert build == Build("140.0.1.2", "linux64", url)
        installed, again = await put(build, there), await put(build, there)
    assert installed.sha256 == hashlib.sha256(files.content["/a.zip"]).hexdigest()
    assert (installed.is_verified, installed.is_new, again.is_new) == (False, True, False)
    assert await run_version(installed.executable) == "Chrome 140.0.1.2"
    assert find_executable(None, system=there) == str(installed.executable)
    assert left(there) == ["140.0.1.2"]


async def test_a_pinned_version_is_installed_only_with_its_hash(there: System) -> None:
    content = archive({PLACE: SHELL})
    good = hashlib.sha256(content).hexdigest()
    async with serving({"/a.zip": content}) as files:
        files.content["/index"] = index(f"{files.address}/a.zip", "139.0.0.0", "140.0.1.2")
        pinned = {"version": "139.0.0.0", "sha256": {"linux64": good}}
        build = await find_build("linux64", index=f"{files.address}/index", pinned=pinned)
        assert build.version == "139.0.0.0"
        assert (await put(build, there)).is_verified
        with pytest.raises(SessionProblem, match=f"has the hash {good}, expected 00"):
            await put(attrs.evolve(build, version="1", sha256="00"), there)
    assert left(there) == ["139.0.0.0"]


@pytest.mark.parametrize("content", [archive({"readme": b"x"}), b"no archive"])
async def test_a_bad_archive_leaves_nothing(there: System, content: bytes) -> None:
    async with serving({"/a.zip": content}) as files:
        with pytest.raises(SessionProblem, match="archive"):
            await put(Build("1", "linux64", f"{files.address}/a.zip"), there)
    assert left(there) == []


async def test_a_download_that_fails_leaves_nothing_and_gives_the_reason(there: System) -> None:
    async with serving({"/a.zip": archive({PLACE: SHELL})}) as files:
        with pytest.raises(SessionProblem, match="404"):
            await put(Build("1", "linux64", f"{files.address}/b.zip"), there)
        files.cut = True
        with pytest.raises(SessionProblem, match="The download failed"):
            await put(Build("1", "linux64", f"{files.address}/a.zip"), there)
    assert left(there) == []


async def test_an_incomplete_directory_is_replaced_and_progress_is_printed(there: System) -> None:
    (there.installed / "140.0.1.2/half").mkdir(parents=True)
    said: list[str] = []
    async with serving({"/a.zip": archive({PLACE: SHELL})}) as files:
        build = Build("140.0.1.2", "linux64", f"{files.address}/a.zip")
        installed = await install(build, system=there, say=said.append)
    assert installed.executable.is_file()
    assert not (there.installed / "140.0.1.2/half").exists()
    assert said == [f"Downloading {build.url} (0 MiB)", "100 %"]


@pytest.mark.parametrize("version", ["../..", "1/../../x", "", "/"])
async def test_a_version_that_is_no_version_is_refused(there: System, version: str) -> None:
    async with serving({"/index": index("x", version)}) as files:
        with pytest.raises(SessionProblem, match="has no chrome-headless-shell"):
            await find_build("linux64", index=f"{files.address}/index", pinned={})


async def test_missing_libraries_are_named(tmp_path: Path) -> None:
    program = tmp_path / "shell"
    program.write_text(
        "#!/bin/sh\n"
        "echo shell: error while loading shared libraries: libnss3.so: cannot open >&2; exit 127\n"
    )
    program.chmod(0o755)
    with pytest.raises(SessionProblem, match=r"needs the library libnss3\.so"):
        await run_version(program)
