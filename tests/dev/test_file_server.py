"""The files of a directory over HTTP, mostly without a socket."""

import os
from pathlib import Path

import attrs
import httpx2
import pytest
import trio
from starlette.datastructures import Headers
from starlette.types import Message

from charlotte.actors.dev_server import bind, port_of
from charlotte.dev.file_server import content_type, files_app, serve
from tests.server.clients import PATIENCE

_LARGE = 100_000_000
PAGE = b"<!DOCTYPE html><title>Home</title>"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site, and beside it what is not to be seen."""
    site = tmp_path / "site"
    (site / "docs" / "deep").mkdir(parents=True)
    (site / "index.html").write_bytes(PAGE)
    (site / "app.js").write_bytes(b"0123456789")
    (site / "docs" / "a b.txt").write_bytes(b"text")
    (site / ".env").write_bytes(b"SECRET=1")
    (tmp_path / "outside.txt").write_bytes(b"SECRET=2")
    (tmp_path / "site-beside").mkdir()
    (tmp_path / "site-beside" / "x.txt").write_bytes(b"SECRET=3")
    return site.resolve()


@attrs.frozen
class Answer:
    status: int
    headers: Headers
    body: bytes


async def ask(root: Path, path: str, method: str = "GET", **headers: str) -> Answer:
    extra = {name.replace("_", "-"): value for name, value in headers.items()}
    shown = {"host": "127.0.0.1:8080", **extra}.items()
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in shown],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        await trio.sleep_forever()

    async def send(message: Message) -> None:
        sent.append(message)

    await files_app(root)(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent)
    return Answer(sent[0]["status"], Headers(raw=sent[0]["headers"]), body)


@pytest.mark.req("C-DEV-01")
@pytest.mark.parametrize("path", ["/", "/index.html", "//index.html"])
async def test_a_file_is_served_and_a_directory_by_its_index(root: Path, path: str) -> None:
    response = await ask(root, path)
    assert (response.status, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.body == PAGE
    assert response.headers["Content-Length"] == str(len(PAGE))
    assert response.headers["Cache-Control"] == "no-cache"


async def test_a_directory_without_an_index_lists_its_visible_files(root: Path) -> None:
    (root / "docs" / ".hidden").touch()
    listed = (await ask(root, "/docs/")).body
    assert b'href="a%20b.txt"' in listed
    assert b'href="deep/"' in listed
    assert b"hidden" not in listed


async def test_a_directory_without_a_slash_is_redirected(root: Path) -> None:
    response = await ask(root, "/docs")
    assert (response.status, response.headers["Location"]) == (302, "/docs/")


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/docs/../../outside.txt",
        "/.env",
        "/docs/./a b.txt",
        "/a\0b",
        "/../site-beside/x.txt",
    ],
)
async def test_paths_out_of_the_directory_and_hidden_files_are_refused(
    root: Path, path: str
) -> None:
    response = await ask(root, path)
    assert response.status == 403
    assert b"SECRET" not in response.body


@pytest.mark.parametrize("target", ["../outside.txt", "../site-beside", "/etc"])
async def test_a_link_out_of_the_directory_is_refused(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    assert (await ask(root, "/link")).status == 403
    assert (await ask(root, "/link/x.txt")).status == 403


async def test_an_index_that_links_out_of_the_directory_is_refused(root: Path) -> None:
    (root / "docs" / "index.html").symlink_to("../../outside.txt")
    assert (await ask(root, "/docs/")).status == 403


async def test_a_link_to_a_hidden_file_or_into_a_hidden_directory_is_refused(root: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"SECRET=4")
    (root / "visible.txt").symlink_to(".env")
    (root / "gitlink").symlink_to(".git")
    for path in ("/visible.txt", "/gitlink/", "/gitlink/config"):
        response = await ask(root, path)
        assert response.status == 403
        assert b"SECRET" not in response.body


async def test_a_circular_link_is_not_found(root: Path) -> None:
    (root / "circle").symlink_to("circle")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    for path in ("/circle", "/one", "/one/x.txt"):
        assert (await ask(root, path)).status == 404


async def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    (root / "link.js").symlink_to("app.js")
    assert (await ask(root, "/link.js")).body == b"0123456789"


async def test_a_missing_favicon_is_no_error(root: Path) -> None:
    assert (await ask(root, "/favicon.ico")).status == 204
    (root / "favicon.ico").touch()
    assert (await ask(root, "/favicon.ico")).status == 200


async def test_a_missing_file_is_not_found(root: Path) -> None:
    assert (await ask(root, "/nothing.html")).status == 404


@pytest.mark.parametrize(
    ("asked", "status", "part", "content_range"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=0-99", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, None, "bytes */10"),
        ("bytes=-0", 416, None, "bytes */10"),
    ],
)
async def test_a_single_byte_range_is_sent(
    root: Path, asked: str, status: int, part: bytes | None, content_range: str | None
) -> None:
    response = await ask(root, "/app.js", range=asked)
    assert (response.status, response.headers.get("Content-Range")) == (status, content_range)
    if part is not None:
        assert response.body == part
        assert response.headers["Content-Length"] == str(len(part))


async def test_a_file_is_not_modified_until_it_changes(root: Path) -> None:
    first = await ask(root, "/app.js")
    known = {"if_none_match": first.headers["ETag"]}
    dated = {"if_modified_since": first.headers["Last-Modified"]}
    assert (await ask(root, "/app.js", **known)).status == 304
    assert (await ask(root, "/app.js", **dated)).status == 304

    (root / "app.js").write_bytes(b"other")
    os.utime(root / "app.js", (2e9, 2e9))
    assert (await ask(root, "/app.js", **known)).status == 200
    assert (await ask(root, "/app.js", **dated)).status == 200
    changed = await ask(root, "/app.js", range="bytes=0-1", if_range=first.headers["ETag"])
    assert changed.status == 200


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test", ""])
async def test_another_name_for_this_machine_is_refused(root: Path, host: str) -> None:
    assert (await ask(root, "/", host=host)).status == 421


async def test_only_get_and_head_are_allowed(root: Path) -> None:
    response = await ask(root, "/", "POST")
    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")


async def test_a_file_that_becomes_shorter_ends_the_response_early(root: Path) -> None:
    with (root / "large.bin").open("wb") as large:
        large.truncate(_LARGE)
    with trio.fail_after(PATIENCE), bind() as listener:
        url = f"http://127.0.0.1:{port_of(listener)}/large.bin"
        async with trio.open_nursery() as nursery, httpx2.AsyncClient() as client:
            nursery.start_soon(serve, listener, root)
            async with client.stream("GET", url) as response:
                os.truncate(root / "large.bin", 0)
                with pytest.raises(httpx2.RemoteProtocolError):
                    await response.aread()
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.MJS", "text/javascript; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.json", "application/json; charset=utf-8"),
        ("a.svg", "image/svg+xml; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.woff2", "font/woff2"),
        ("a.webp", "image/webp"),
        ("a.png", "image/png"),
        ("a.pdf", "application/pdf"),
        ("a", "application/octet-stream"),
    ],
)
def test_files_have_the_content_types_that_browsers_expect(name: str, kind: str) -> None:
    assert content_type(name) == kind


async def test_an_error_page_is_a_text(root: Path) -> None:
    response = await ask(root, "/<b>")
    assert response.headers["content-type"].startswith("text/plain")
    assert response.body == b"/<b> not found."
