"""A rule about a tool that does not exist would never match: nothing starts with it."""

import itertools
from pathlib import Path

import pytest

from charlotte import Config, open_charlotte
from charlotte.base.errors import InvalidArgument
from charlotte.tools.toolkit import CATALOG, check_policy_tools
from tests.programs import run
from tests.shell.running import open_background

PROBLEM = "rule 1: tool names no tool and no capability: 'evalute' (did you mean evaluate?)."
ORIGIN, POST = 'origin = "https://shop.test"\n', 'method = "POST"'


def policy(tmp_path: Path, *tools: str, more: str = "") -> str:
    file = tmp_path / "rules.toml"
    file.write_text(f'[[rule]]\naction = "refuse"\ntool = {[*tools]}\n{more}')
    return str(file)


@pytest.mark.parametrize("command", [["serve"], ["call", "tabs"]])
def test_a_command_ends_with_the_nearest_name(command: list[str], tmp_path: Path) -> None:
    ran = run(*command, "--policy", policy(tmp_path, "evalute"))
    assert ran.code != 0
    assert PROBLEM in ran.err
    assert "Traceback" not in ran.err


def test_a_background_server_does_not_start(tmp_path: Path) -> None:
    with open_background() as background:
        ran = background.do("--policy", policy(tmp_path, "evalute"), "tabs")
    assert PROBLEM in ran.err
    assert "Traceback" not in ran.err


async def test_a_program_gets_an_error(tmp_path: Path) -> None:
    config = Config(policy=(policy(tmp_path, "evalute"),))
    with pytest.raises(InvalidArgument, match=r"rules\.toml, rule 1: .*'evalute'"):
        async with open_charlotte(config):
            pass


@pytest.mark.parametrize(
    ("tool", "arguments", "used"),
    [
        ("evaluate", {"expression": "1"}, "scripts"),
        ("wait_for", {"js": "1"}, "scripts"),
        ("dev_inject", {"js": "1"}, "scripts"),
        ("network", {"mock": [{"url": "*", "body": "1"}]}, "scripts"),
        ("upload", {"element_id": "inp-1111", "paths": ["a"]}, "files"),
        ("screenshot", {"save": True}, "files"),
        ("pdf", {}, "files"),
        ("requests", {"har": True}, "files"),
        ("dev_serve", {"path": "."}, "files"),
        ("get_cookies", {}, "cookies"),
        ("storage", {"action": "save"}, "cookies"),
        ("wait_for", {"text": "a"}, None),
        ("network", {"cpu_rate": 2}, None),
        ("screenshot", {}, None),
    ],
)
def test_calls_use_the_capabilities_that_rules_name(
    tool: str, arguments: dict[str, object], used: str | None
) -> None:
    [found] = [one for one in CATALOG if one.name == tool]
    names = found.names_for_rules(found.parse(arguments))
    also = {"scripts": {"scripts", "evaluate"}, None: set[str]()}
    assert names == {tool, *also.get(used, {used})}


@pytest.mark.parametrize(
    ("tools", "more"),
    [
        *itertools.product(["scripts", "cookies", "files", "evaluate"], ["", POST]),
        *((pattern, "") for pattern in ("scr*", "eval*", "click *", "!click", "* !scripts")),
    ],
)
def test_a_rule_about_calls_that_work_beyond_the_page_takes_no_origin(
    tmp_path: Path, tools: str, more: str
) -> None:
    file = policy(tmp_path, *tools.split(), more=ORIGIN + more)
    with pytest.raises(InvalidArgument, match=r"rule 1: '\w+' takes no origin"):
        check_policy_tools(Config(policy=(file,)).rules)


@pytest.mark.parametrize(
    ("tools", "more"),
    [("click* !click_at", ""), ("* !scripts !cookies !files", ""), ("!click", POST)],
)
def test_other_rules_take_patterns_and_an_origin(tmp_path: Path, tools: str, more: str) -> None:
    file = policy(tmp_path, *tools.split(), more=ORIGIN + more)
    check_policy_tools(Config(policy=(file,)).rules)
