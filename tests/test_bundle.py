"""The bundle of desktop clients, the record of the MCP registry, and the Claude Code plugin."""

import json
import re
import runpy
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from charlotte.base.version import __version__
from charlotte.tools.toolkit import CATALOG

ROOT = Path(__file__).parents[1]
bundle = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/bundle.py")))
ADDRESS = "https://github.com/owner/charlotte"
PLUGIN = ROOT / "plugin"
TOOLS = {tool.name: tool for tool in CATALOG}


def data(path: Path) -> dict[str, Any]:
    return dict[str, Any](json.loads(path.read_text(encoding="utf-8")))


def test_the_bundle_starts_this_version_with_uv(tmp_path: Path) -> None:
    bundle.write(tmp_path, "")
    [path] = tmp_path.iterdir()
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert path.name == f"charlotte-mcp-{__version__}.mcpb"
    manifest = json.loads(files["manifest.json"])
    server = manifest["server"]
    assert manifest["version"] == __version__
    assert server["entry_point"] in files
    assert server["mcp_config"]["args"][-1] == server["entry_point"]
    compile(files[server["entry_point"]], server["entry_point"], "exec")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["dependencies"] == [f"charlotte-mcp=={__version__}"]


def test_the_registry_gets_a_record_of_this_version_if_there_is_a_repository(
    tmp_path: Path,
) -> None:
    bundle.write(tmp_path, ADDRESS)
    record = data(tmp_path / "server.json")
    assert record["name"] == "io.github.owner/charlotte-mcp"
    assert len(record["description"]) <= 100
    assert {record["version"], record["packages"][0]["version"]} == {__version__}
    assert bundle.manifest(ADDRESS)["repository"] == {"type": "git", "url": ADDRESS}


def test_the_plugin_has_this_version_and_is_in_the_marketplace() -> None:
    plugin = data(PLUGIN / ".claude-plugin/plugin.json")
    [listed] = data(ROOT / ".claude-plugin/marketplace.json")["plugins"]
    assert plugin["version"] == __version__
    assert (listed["name"], listed["description"]) == (plugin["name"], plugin["description"])
    assert (ROOT / listed["source"]).resolve() == PLUGIN
    assert data(PLUGIN / ".mcp.json")["mcpServers"] == {
        "charlotte": {"command": "uvx", "args": ["charlotte-mcp"]}
    }


def skill() -> str:
    return (PLUGIN / "skills/charlotte/SKILL.md").read_text(encoding="utf-8")


def test_the_skill_is_short() -> None:
    assert len(skill()) < 1_500 * 3  # a token of English text has more than three characters


def test_the_skill_names_tools_and_parameters_that_exist() -> None:
    calls = re.findall(r"`([a-z_]+)(?:\{([^`]*)\})?`", skill())
    others = {"unsettled", "pending_dialog", "tab_id"}
    assert {name for name, _ in calls} - others <= TOOLS.keys()
    for name, arguments in calls:
        for parameter in re.findall(r"(?:^|, )([a-z_]+)", arguments):
            assert parameter in TOOLS[name].input_schema["properties"], (name, parameter)
