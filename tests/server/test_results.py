"""The results of calls as clients receive them."""

import json

import attrs
import pytest
from mcp_types import TextContent
from structlog.testing import capture_logs

from charlotte.base.version import __version__
from charlotte.config.config import AnswerFormat, Config
from charlotte.server.mcp_server import build_instructions
from tests.server.clients import open_client, open_raw
from tests.server.fake_server import CONFIG, FakeService

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@both_eras
async def test_every_result_has_duration_timestamp_and_version(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        result = await client.call_tool("noop")
    assert result.meta is not None
    metadata = result.meta["charlotte/metadata"]
    assert list(metadata) == ["tab_id", "duration_ms", "timestamp", "tool_version"]
    assert metadata["duration_ms"] == round(metadata["duration_ms"], 1)


@both_eras
async def test_an_error_of_a_tool_is_a_result_with_json_for_the_model(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        result = await client.call_tool("missing")
    assert result.is_error
    assert result.content == [
        TextContent(
            text='{"error":{"code":"ELEMENT_NOT_FOUND","message":"No element btn-1.",'
            '"suggestion":"Take a new snapshot to see current page state. Call observe or find.",'
            '"details":{"element_id":"btn-1"}}}'
        )
    ]
    assert result.meta is not None
    assert result.meta["charlotte/metadata"]["tool_version"] == __version__


async def test_an_error_that_no_session_has_written_has_the_format_of_the_server() -> None:
    config = attrs.evolve(CONFIG, answers="text")
    async with open_client(FakeService(), "2026-07-28", config) as client:
        result = await client.call_tool("missing")
    assert isinstance(result.content[0], TextContent)
    assert result.content[0].text.startswith("error ELEMENT_NOT_FOUND: No element btn-1.")


@both_eras
async def test_an_unexpected_exception_is_logged_and_answered_without_its_text(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        with capture_logs() as logged:
            result = await client.call_tool("crash")
        assert not (await client.call_tool("noop")).is_error
    assert isinstance(result.content[0], TextContent)
    error = json.loads(result.content[0].text)["error"]
    assert result.is_error
    assert error["code"] == "SESSION_ERROR"
    assert error["message"].startswith("internal error in crash (KeyError)")
    assert "secret" not in result.content[0].text
    assert [(entry["event"], entry["exc_info"]) for entry in logged] == [("tool crashed", True)]


async def test_images_and_links_become_content_blocks() -> None:
    async with open_raw(FakeService()) as client:
        await client.initialize()
        answer = await client.ask(1, "tools/call", name="media")
    assert answer["result"]["content"] == [
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///a.png", "name": "a.png", "mimeType": "image/png"},
    ]


@pytest.mark.parametrize(("answers", "expected"), [("text", "as lines"), ("json", "(delta)")])
def test_the_instructions_are_short_and_describe_the_format(
    answers: AnswerFormat, expected: str
) -> None:
    text = build_instructions(Config(answers=answers))
    assert len(text) < 1_200
    assert expected in text


@pytest.mark.parametrize(("directory", "is_shared"), [("profile", True), (None, False)])
def test_the_instructions_report_a_profile_that_clients_share(
    directory: str | None, *, is_shared: bool
) -> None:
    text = build_instructions(Config(http=True, no_auth=True, user_data_dir=directory))
    assert ("All sessions share one browser profile" in text) is is_shared
