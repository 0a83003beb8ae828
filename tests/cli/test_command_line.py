"""A command line of ``charlotte do``: its settings, and its words as arguments of tools."""

from pathlib import Path
from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.cli.arguments import Words, with_absolute_paths
from charlotte.cli.command_line import check_same_settings, load_settings, read_command_line
from charlotte.config.config import Config
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG


def request(*words: str, environment: dict[str, str] | None = None) -> dict[str, Any]:
    return {"kind": "do", "words": list(words), "environment": environment or {}, "cwd": "/w"}


def test_settings_stand_before_the_tool_and_options_anywhere() -> None:
    line = read_command_line(
        ["--headed", "--viewport", "800x600", "-s", "shop", "click", "btn-1", "--tab", "tab-2",
         "--json", "--hold", "5", "-o", "a.png"]
    )  # fmt: skip
    assert line.flags == ["--headed", "--viewport", "800x600"]
    assert (line.session, line.tab, line.output, line.json) == ("shop", "tab-2", "a.png", True)
    assert (line.tool, line.words) == ("click", ["btn-1", "--hold", "5"])


def test_options_are_words_after_two_dashes() -> None:
    line = read_command_line(["type", "inp-1", "--", "--json", "-s"])
    assert (line.json, line.session) == (False, None)
    assert line.words == ["inp-1", "--", "--json", "-s"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--hedaed", "tabs"], "unknown flag --hedaed (did you mean --headed?)"),
        (["--json"], "A tool is missing"),
        (["tabs", "-s"], "-s requires a value"),
        (["--viewport"], "--viewport requires a value"),
    ],
)
def test_a_wrong_option_is_named(words: list[str], problem: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        read_command_line(words)
    assert problem in raised.value.message


def test_flags_and_environment_are_settings_of_the_server() -> None:
    loaded = load_settings(
        request("--idle", "60", "tabs", environment={"CHARLOTTE_VIEWPORT": "800x600"})
    )
    assert (loaded.config.idle, loaded.config.viewport) == (60, "800x600")
    assert set(loaded.sources) == {"idle", "viewport"}


def test_a_file_of_settings_is_relative_to_the_working_directory_of_the_client(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.toml").write_text("idle = 60")
    for given in (
        request("--config", "a.toml", "tabs"),
        request("tabs", environment={"CHARLOTTE_CONFIG": "a.toml"}),
    ):
        assert load_settings(given | {"cwd": str(tmp_path)}).config.idle == 60


def test_a_wrong_value_of_a_flag_is_named() -> None:
    with pytest.raises(InvalidArgument, match="--sandbox must be one of auto, on, off"):
        load_settings(request("--sandbox", "maybe", "tabs"))
    with pytest.raises(InvalidArgument, match="--join is for charlotte serve"):
        load_settings(request("--join", "shop", "tabs"))


def test_other_settings_than_those_of_the_server_are_named() -> None:
    given = load_settings(
        request("--headed", "--viewport", "800x600", "tabs",
                environment={"CHARLOTTE_CLIENT_CERTIFICATE_PASSWORD": "correct horse battery"})
    )  # fmt: skip
    with pytest.raises(InvalidArgument) as raised:
        check_same_settings(Config(viewport="1024x768"), given)
    message = raised.value.message
    assert "--headed is off there, not on" in message
    assert "--viewport is 1024x768 there, not 800x600" in message
    assert "client_certificate_password is not the same" in message
    assert "correct horse" not in message


def test_settings_that_are_not_passed_may_differ() -> None:
    check_same_settings(Config(headed=True, viewport="800x600"), load_settings(request("tabs")))
    same = load_settings(request("--viewport", "800x600", "tabs"))
    check_same_settings(Config(headed=True, viewport="800x600"), same)


TOOLS = Toolbox(CATALOG, profile="full", naming="bare")


def read(tool: str, *words: str, stdin: str | None = None) -> dict[str, Any]:
    return Words(TOOLS.find(tool), stdin).read(words)


@pytest.mark.parametrize(
    ("tool", "words", "arguments"),
    [
        ("navigate", ["https://a.test"], {"url": "https://a.test"}),
        ("click", ["btn-1ff8"], {"element_id": "btn-1ff8"}),
        ("click", ["btn-1ff8", "double"], {"element_id": "btn-1ff8", "click_type": "double"}),
        ("type", ["inp-2190", "Ada"], {"element_id": "inp-2190", "text": "Ada"}),
        ("type", ["Ada"], {"text": "Ada"}),
        ("find", ["Order book 770"], {"text": "Order book 770"}),
        ("find", ["Order", "button"], {"text": "Order", "role": "button"}),
        ("observe", ["content"], {"mode": "content"}),
        ("observe", ["full", "content"], {"detail": "full", "mode": "content"}),
        ("scroll", ["down", "300"], {"direction": "down", "amount": "300"}),
        ("scroll", ["rgn-12ab"], {"element_id": "rgn-12ab"}),
        ("click_at", ["10", "20"], {"x": "10", "y": "20"}),
        ("viewport", ["mobile"], {"device": "mobile"}),
        ("wait_for", ["Saved"], {"text": "Saved"}),
        ("wait_for", ["btn-1ff8", "hidden"], {"element_id": "btn-1ff8", "state": "hidden"}),
        ("select", ["sel-12ab", "a"], {"element_id": "sel-12ab", "value": "a"}),
        ("select", ["sel-12ab", "a", "b"], {"element_id": "sel-12ab", "value": ["a", "b"]}),
        ("upload", ["inp-2190", "a", "b"], {"element_id": "inp-2190", "paths": ["a", "b"]}),
        (
            "fill_form",
            ["inp-2190=Ada", "inp-2191=a=b"],
            {"fields": [{"element_id": "inp-2190", "value": "Ada"},
                        {"element_id": "inp-2191", "value": "a=b"}]},
        ),
        ("dialog", ["true", "Ada"], {"accept": "true", "prompt_text": "Ada"}),
        ("tab_close", ["tab-2"], {"tab_id": "tab-2"}),
        ("storage", ["save", "a.json"], {"action": "save", "path": "a.json"}),
        ("screenshot", ["--full-page"], {"full_page": "true"}),
        ("screenshot", ["--full-page", "false"], {"full_page": "false"}),
        ("find", ["--limit", "3", "Save"], {"limit": "3", "text": "Save"}),
        ("find", ["--limit=3", "Save"], {"limit": "3", "text": "Save"}),
        ("navigate", ["url=https://a.test/?b=c"], {"url": "https://a.test/?b=c"}),
        ("type", ["inp-2190", "a=b"], {"element_id": "inp-2190", "text": "a=b"}),
        ("type", ["inp-2190", "--", "--slowly"], {"element_id": "inp-2190", "text": "--slowly"}),
        ("type", ["inp-2190", "--", "text=1"], {"element_id": "inp-2190", "text": "text=1"}),
    ],
)  # fmt: skip
def test_words_fill_the_parameters_that_accept_them(
    tool: str, words: list[str], arguments: dict[str, Any]
) -> None:
    assert read(tool, *words) == arguments
    TOOLS.find(tool).parse(dict(arguments))


def test_a_dash_is_the_text_on_stdin_unless_it_stands_after_two_dashes() -> None:
    assert read("type", "inp-2190", "-", stdin="long")["text"] == "long"
    assert read("type", "inp-2190", "text=-", stdin="long")["text"] == "long"
    assert read("type", "inp-2190", "--", "-", stdin="long")["text"] == "-"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["btn-1ff8", "left", "twice"], "takes no further argument, got 'twice'"),
        (["btn-1ff8", "--twice"], "has no parameter '--twice'"),
        (["btn-1ff8", "--hold"], "needs a value after --hold"),
    ],
)
def test_a_word_that_nothing_accepts_is_named(words: list[str], problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        read("click", *words)


def test_every_tool_can_be_called_with_words() -> None:
    for tool in TOOLS.tools:
        assert set(tool.words) <= set(tool.input_schema["properties"]), tool.name


def test_paths_are_relative_to_the_working_directory() -> None:
    given = {"paths": ["a", "/b"], "path": "c.pdf", "text": "d"}
    assert with_absolute_paths(given, Path("/w")) == {
        "paths": ["/w/a", "/b"], "path": "/w/c.pdf", "text": "d",
    }  # fmt: skip
