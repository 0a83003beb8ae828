"""Words of ``charlotte do`` become arguments in the order of the definitions."""

from pathlib import Path
from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.cli.arguments import Words, with_absolute_paths
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG

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
