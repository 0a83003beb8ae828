"""Prompts, and the instructions of the server."""

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from charlotte.config import AnswerFormat, Config
from charlotte.server.mcp_server import build_greeting
from tests.server.clients import open_client
from tests.server.fake_server import FakeService

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


async def prompt_text(mode: str, name: str, **arguments: str) -> str:
    async with open_client(FakeService(), mode) as client:
        [message] = (await client.get_prompt(name, arguments)).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


@both_eras
async def test_prompts_are_listed_with_their_arguments(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        listed = (await client.list_prompts()).prompts

    assert [(one.name, one.title) for one in listed] == [
        ("test_page", "Test this page"),
        ("fill_form", "Fill this form"),
        ("research", "Research in parallel"),
        ("log_in", "Log in with secrets"),
        ("debug_page", "Debug this page"),
    ]
    assert [argument.name for argument in listed[1].arguments or []] == ["data", "url"]


@both_eras
async def test_a_prompt_names_the_page_and_the_tools(mode: str) -> None:
    text = await prompt_text(mode, "test_page", url="https://shop.test", focus="the cart")
    assert text.startswith(
        "Test the page https://shop.test with Charlotte. Test this first: the cart\n"
    )
    assert "console{level: error}" in text
    assert "the page that is open" in await prompt_text(mode, "test_page")


async def test_an_argument_that_is_left_out_leaves_no_empty_sentence() -> None:
    text = await prompt_text("legacy", "test_page")
    assert text.startswith("Test the page that is open with Charlotte.\nObserve")


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        (
            "research",
            {"question": "Who?", "urls": "a.test"},
            "Charlotte: Who?\nBegin with: a.test\n",
        ),
        ("research", {"question": "Who?"}, "Charlotte: Who?\nOpen each page"),
        ("log_in", {"secrets": "SHOP_USER"}, "in these secrets: SHOP_USER\n"),
        (
            "debug_page",
            {"problem": "It hangs."},
            "open with Charlotte: It hangs.",
        ),
    ],
)
async def test_prompts_contain_their_arguments(
    name: str, arguments: dict[str, str], expected: str
) -> None:
    assert expected in await prompt_text("legacy", name, **arguments)


async def test_the_argument_of_a_prompt_may_contain_braces() -> None:
    text = await prompt_text("legacy", "fill_form", data="name: {Ada}")
    assert "from this: name: {Ada}" in text


@pytest.mark.parametrize(
    ("name", "message"), [("fill_form", "requires data"), ("x", "Prompt 'x' not found")]
)
async def test_an_unknown_prompt_or_a_missing_argument_is_an_error(name: str, message: str) -> None:
    async with open_client(FakeService(), "legacy") as client:
        with pytest.raises(MCPError, match=message):
            await client.get_prompt(name)


@pytest.mark.parametrize(("answers", "expected"), [("text", "as lines"), ("json", "(delta)")])
def test_the_instructions_are_short_and_describe_the_format(
    answers: AnswerFormat, expected: str
) -> None:
    text = build_greeting(Config(answers=answers)).instructions
    assert len(text) < 1_200
    assert expected in text


@pytest.mark.parametrize(("directory", "is_shared"), [("profile", True), (None, False)])
def test_the_instructions_report_a_profile_that_clients_share(
    directory: str | None, *, is_shared: bool
) -> None:
    text = build_greeting(Config(http=True, no_auth=True, user_data_dir=directory)).instructions
    assert ("All sessions share one browser profile" in text) is is_shared
