"""``charlotte skill``: the skill for coding agents."""

import re
from collections.abc import Callable

from charlotte.cli.clients import CLIENTS
from charlotte.cli.config import read_skill
from charlotte.tools.toolkit import CATALOG
from tests.programs import Ran

TOOLS = {tool.name: tool for tool in CATALOG}
MOST = 1_500
"""Tokens of the skill; one has at least 3.5 characters of English text and commands."""


def test_the_skill_has_a_name_and_a_description_and_is_short() -> None:
    head, _, body = read_skill().removeprefix("---\n").partition("---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == "charlotte"
    assert len(fields["description"]) <= 1024
    assert body.startswith("\n# ")
    assert len(read_skill()) <= MOST * 3.466


def test_the_skill_names_tools_that_exist() -> None:
    inline = [*re.findall(r"`([^`]+)`", read_skill().replace("```", "")), "do"]
    named = {word for text in inline for word in re.findall(r"^(?:charlotte do )?([a-z_]+)", text)}
    assert {"upload", "hover", "drag", "scroll", "dialog", "evaluate", "batch"} <= named
    assert named & {"upload", "hover", "drag", "scroll", "back", "dialog"} <= TOOLS.keys()


def test_it_is_printed(here: Callable[..., Ran]) -> None:
    assert here("skill") == Ran(0, read_skill(), "")


def test_it_is_printed_with_its_path_for_clients_with_skills(here: Callable[..., Ran]) -> None:
    for client in CLIENTS:
        if client.skills:
            ran = here("config", client.name, "--skill")
            assert (ran.code, ran.out) == (0, read_skill())
            assert f"/{client.skills}/charlotte/SKILL.md" in ran.err


def test_a_client_without_skills_is_refused(here: Callable[..., Ran]) -> None:
    ran = here("config", "zed", "--skill")
    assert (ran.code, "--skill is for claude-code, codex" in ran.out) == (2, True)
    ran = here("config", "codex", "--skill", "--http", "http://127.0.0.1/")
    assert (ran.code, "neither --http nor flags" in ran.out) == (2, True)
