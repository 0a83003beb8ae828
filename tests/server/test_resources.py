"""Resources: the status and the files of a session."""

import base64
import json
import os
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import BlobResourceContents, TextResourceContents

from charlotte.server.mcp_server import STATUS
from tests.server.clients import open_client
from tests.server.fake_server import FakeService

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@both_eras
async def test_the_status_is_listed_and_can_be_read(mode: str) -> None:
    async with open_client(FakeService(started=["one"]), mode) as client:
        listed = await client.list_resources()
        read = await client.read_resource(STATUS)

    assert STATUS in {resource.uri for resource in listed.resources}
    assert isinstance(read.contents[0], TextResourceContents)
    assert json.loads(read.contents[0].text) == {"started": ["one"]}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A directory with files, and beside it what is not to be read."""
    place = tmp_path / "output"
    place.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (place / "data.csv").write_text("a,b")
    os.utime(place / "data.csv", (1, 1))
    (place / "shot 1.png").write_bytes(b"\x89PNG")
    (place / ".part").touch()
    (place / "charlotte-session-1").mkdir()
    (place / "charlotte-session-1" / "theirs.txt").write_text("secret")
    (place / "link.txt").symlink_to(tmp_path / "secret.txt")
    return place


@both_eras
async def test_saved_files_are_listed_newest_first_and_can_be_read(mode: str, kept: Path) -> None:
    async with open_client(FakeService(kept=[kept, kept / "none"]), mode) as client:
        _, *files = (await client.list_resources()).resources
        image, text = [(await client.read_resource(str(file.uri))).contents[0] for file in files]

    assert [(file.name, file.mime_type, file.size) for file in files] == [
        ("shot 1.png", "image/png", 4),
        ("data.csv", "text/csv", 3),
    ]
    assert isinstance(image, BlobResourceContents)
    assert base64.b64decode(image.blob) == b"\x89PNG"
    assert isinstance(text, TextResourceContents)
    assert text.text == "a,b"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt",
        "link.txt",
        "none.txt",
        "%2e%2e/secret.txt",
        "charlotte-session-1/theirs.txt",
    ],
)
async def test_no_other_file_can_be_read(name: str, kept: Path) -> None:
    async with open_client(FakeService(kept=[kept]), "legacy") as client:
        for scheme in ("file", "http"):
            with pytest.raises(MCPError, match="not found"):
                await client.read_resource(f"{scheme}://{kept}/{name}")


@pytest.mark.parametrize("name", ["state.json", "state", "state.bin"])
async def test_files_are_read_without_secrets(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('{"cookie": "hunter2"}')
    async with open_client(FakeService(kept=[tmp_path]), "legacy") as client:
        uri = (tmp_path / name).as_uri()
        [contents] = (await client.read_resource(uri)).contents

    if isinstance(contents, TextResourceContents):
        text = contents.text
    else:
        text = base64.b64decode(contents.blob).decode()
    assert text == '{"cookie": "<secret>PASSWORD</secret>"}'
