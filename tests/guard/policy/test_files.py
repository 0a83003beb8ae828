"""Policies are read from presets and TOML files; errors name file, rule and key."""

from pathlib import Path
from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.config.checks import check
from charlotte.config.config import Config
from charlotte.config.setting import InvalidSetting
from charlotte.config.sources import load
from charlotte.guard.rule_files import read_policy
from charlotte.guard.rules import Rule

WHOLE = """
[[rule]]
name = "orders"
action = "ask"
tool = "click"
origin = ["https://shop.test", "https://*.shop.test"]
method = "post"
path = "/orders*"

[[rule]]
action = "refuse"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rules.toml"


def test_a_file_has_rules(file: Path) -> None:
    file.write_text(WHOLE)
    policy = read_policy([str(file)])
    assert policy.rules == (
        Rule(
            name="orders",
            action="ask",
            source=f"policy {file}, rule 1",
            tool=("click",),
            origin=("https://shop.test", "https://*.shop.test"),
            method=("POST",),
            path=("/orders*",),
        ),
        Rule(name="rule 2", action="refuse", source=f"policy {file}, rule 2"),
    )
    assert policy.may_ask


def test_rules_are_tried_in_the_order_of_the_flags(file: Path) -> None:
    file.write_text('[[rule]]\nname = "search"\naction = "allow"\npath = "/search"')
    assert read_policy([str(file), "read-only"]).rules[0].name == "search"
    assert read_policy(["read-only", str(file)]).rules[-1].name == "search"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rule = 1", "each rule must be a table below [[rule]]"),
        ("rules = []", "'rules' is not a key"),
        ("[[rule]", "is not valid TOML"),
        ("[[rule]]", "rule 1: action is required: one of allow, refuse, ask"),
        ('[[rule]]\naction = "deny"', "rule 1: action must be one of allow, refuse, ask"),
        ('[[rule]]\nname = "x"\naction = "ask"\nhost = "a"', "rule 1 ('x'): 'host' is not a key"),
        ('[[rule]]\naction = "ask"\nmethod = 5', "rule 1: method must be a text or a list"),
        ('[[rule]]\naction = "ask"\nmethod = [""]', "rule 1: method must be a text or a list"),
        ('[[rule]]\naction = "ask"\nname = 5', "rule 1: name must be a text, got 5"),
        ('[[rule]]\naction = "ask"\norigin = "shop.test"', "rule 1: origin must be like https://"),
        ('[[rule]]\naction = "ask"\norigin = "!https://a/b"', "rule 1: origin must be like"),
        ('[[rule]]\naction = "ask"\npath = "orders"', "rule 1: path must begin with / or *"),
        ('[[rule]]\naction = "ask"\n[[rule]]\naction = 1', "rule 2: action must be one of"),
    ],
)
def test_an_error_names_file_rule_and_key(file: Path, text: str, problem: str) -> None:
    file.write_text(text)
    with pytest.raises(InvalidArgument) as raised:
        read_policy([str(file)])
    assert str(file) in raised.value.message
    assert problem in raised.value.message


def test_an_unknown_preset_is_taken_for_a_file_that_does_not_exist() -> None:
    with pytest.raises(InvalidArgument, match="must be a file or one of read-only"):
        read_policy(["readonly"])


def test_the_setting_is_checked_at_the_start_and_named_as_it_was_written(file: Path) -> None:
    file.write_text("[[rule]]")
    with pytest.raises(InvalidArgument, match=r"--policy .*rule 1: action is required"):
        load({"policy": [str(file)]}, {})
    with pytest.raises(InvalidArgument, match="CHARLOTTE_POLICY must be a file"):
        load({}, {"CHARLOTTE_POLICY": "nothing.toml"})


def test_rules_on_requests_are_not_for_the_users_own_browser(file: Path) -> None:
    file.write_text('[[rule]]\naction = "refuse"\ntool = "evaluate"')
    check(Config(attach="chrome", policy=(str(file),)))
    for policy in ("read-only", "no-uploads", "no-downloads"):
        with pytest.raises(InvalidSetting, match="can only have rules on calls with attach"):
            check(Config(attach="chrome", policy=(policy,)))


def test_rules_that_ask_people_are_for_browsers_of_one_machine(file: Path) -> None:
    file.write_text('[[rule]]\naction = "ask"\ntool = "evaluate"')
    cluster: dict[str, Any] = {"engine": "ray", "http": True, "auth_token": "t"}
    with pytest.raises(InvalidSetting, match="allow or refuse with engine ray"):
        check(Config(policy=(str(file),), **cluster))
    check(Config(policy=("read-only",), **cluster))
    with pytest.raises(InvalidSetting, match="dashboard cannot be combined with engine ray"):
        check(Config(dashboard=True, **cluster))
