"""``charlotte skill``: the skill for coding agents, and its installation."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from charlotte.__main__ import main
from charlotte.cli.clients import CLIENTS
from charlotte.cli.scripts.language import parse
from charlotte.cli.skill import RECORD, InstalledSkill, read_skill
from charlotte.errors import InvalidArgument
from charlotte.tools.toolkit import CATALOG

TOOLS = {tool.name: tool for tool in CATALOG}
MOST = 1_500
"""Tokens of the skill; one has at least 3.5 characters of English text and commands."""


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, int]:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    return capsys.readouterr().out, int(str(ended.value.code))


def test_the_skill_has_a_name_and_a_description_and_is_short() -> None:
    head, _, body = read_skill().removeprefix("---\n").partition("---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == "charlotte"
    assert len(fields["description"]) <= 1024
    assert body.startswith("\n# ")
    assert len(read_skill()) <= MOST * 3.466


def test_the_skill_names_tools_and_script_lines_that_exist() -> None:
    inline = [*re.findall(r"`([^`]+)`", read_skill().replace("```", "")), "do"]
    named = {word for text in inline for word in re.findall(r"^(?:charlotte do )?([a-z_]+)", text)}
    assert {"upload", "hover", "drag", "scroll", "dialog", "evaluate", "batch"} <= named
    assert named & {"upload", "hover", "drag", "scroll", "back", "dialog"} <= TOOLS.keys()
    lines = [text for text in inline if text.startswith(("type textbox", "expect"))]
    assert len(lines) == 2
    assert not parse("\n".join(lines))[1]


def test_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "skill") == (read_skill(), 0)


def test_it_is_written_for_clients_and_removed_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for client in CLIENTS:
        if not client.skills:
            continue
        (tmp_path / client.skills.partition("/")[0]).mkdir(exist_ok=True)
        before = {*tmp_path.rglob("*")}
        path = tmp_path / client.skills / "charlotte/SKILL.md"
        printed, code = output(capsys, "config", client.name, "--skill", "--write")
        assert (code, f"Written to {path}." in printed) == (0, True)
        assert path.read_text() == read_skill()
        again, _ = output(capsys, "config", client.name, "--skill", "--write")
        assert "already is this skill" in again
        assert output(capsys, "config", client.name, "--skill", "--undo") == (
            f"Removed {path}.\n",
            0,
        )
        assert {*tmp_path.rglob("*")} == before
        missing, _ = output(capsys, "config", client.name, "--skill", "--undo")
        assert "does not exist" in missing


def test_a_client_without_skills_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    printed, code = output(capsys, "config", "zed", "--skill", "--write")
    assert (code, "--skill is for claude-code, codex" in printed) == (2, True)
    printed, code = output(capsys, "config", "codex", "--skill", "--http", "http://127.0.0.1/")
    assert (code, "neither --http nor flags" in printed) == (2, True)


def test_a_changed_skill_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    skill = InstalledSkill(tmp_path / "charlotte")
    skill.insert(force=False)
    skill.path.write_text("mine")
    with pytest.raises(InvalidArgument, match="nothing was written"):
        skill.insert(force=False)
    with pytest.raises(InvalidArgument, match="nothing was removed"):
        skill.remove()
    assert skill.path.read_text() == "mine"
    skill.insert(force=True)
    assert skill.path.read_text() == read_skill()
    assert skill.remove() == f"Restored {skill.path}."
    assert skill.path.read_text() == "mine"
    assert [*skill.directory.iterdir()] == [skill.path]


def test_a_skill_of_an_earlier_version_is_replaced(tmp_path: Path) -> None:
    skill = InstalledSkill(tmp_path / "skills" / "charlotte")
    skill.insert(force=False)
    skill.path.write_text("earlier")
    record = json.loads((skill.directory / RECORD).read_text())
    record["hash"] = hashlib.sha256(b"earlier").hexdigest()
    (skill.directory / RECORD).write_text(json.dumps(record))
    assert skill.insert(force=False).startswith("Written")
    skill.remove()
    assert [*tmp_path.iterdir()] == []
