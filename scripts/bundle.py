"""Write what a release has for clients to dist/: an MCP bundle and the record for the MCP registry.

`make bundle` runs it. The bundle (`.mcpb`) is a zip archive that a client such as Claude Desktop
installs with a click: a manifest, and a project for uv that depends on this version of the package.
The formats are https://github.com/modelcontextprotocol/mcpb (manifest 0.4) and `_REGISTRY_SCHEMA`.
"""

import json
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from charlotte.base.version import __version__
from charlotte.config.config import Config
from charlotte.tools.schema.tool import PROFILES, Toolbox
from charlotte.tools.toolkit import CATALOG
from hatch_build import NAME, project_urls, registry_name

ROOT = Path(__file__).parents[1]
_REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_METADATA = _PROJECT["project"]
_START = """from charlotte.__main__ import main

main()
"""


def manifest(repository: str) -> dict[str, Any]:
    """Return the manifest of the bundle; without a repository it has no URLs."""
    urls = project_urls(repository)
    places = {
        "repository": {"type": "git", "url": repository},
        "documentation": urls.get("Documentation"),
        "support": urls.get("Issues"),
    }
    return {
        "manifest_version": "0.4",
        "name": NAME,
        "display_name": "Charlotte",
        "version": __version__,
        "description": _METADATA["description"],
        "author": {"name": _METADATA["authors"][0]["name"]},
        **(places if repository else {}),
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
                "env": {
                    "CHARLOTTE_HEADED": "${user_config.headed}",
                    "CHARLOTTE_PROFILE": "${user_config.profile}",
                },
            },
        },
        "tools": [
            {"name": tool.name, "description": tool.description}
            for tool in Toolbox(CATALOG, profile="browse", naming="underscore").listed()
        ],
        "tools_generated": True,
        "keywords": _METADATA["keywords"],
        "license": _METADATA["license"],
        "compatibility": {"runtimes": {"python": _METADATA["requires-python"]}},
        "user_config": {
            "headed": {
                "type": "boolean",
                "title": "Show the browser",
                "description": "Open browser windows, to watch the agent.",
                "default": False,
            },
            "profile": {
                "type": "string",
                "title": "Tools",
                "description": f"Tools listed at the start: {', '.join(PROFILES)}.",
                "default": Config().profile,
            },
        },
    }


def project() -> str:
    """Return the pyproject.toml of the bundle."""
    return f"""[project]
name = "{NAME}-bundle"
version = "{__version__}"
requires-python = "{_METADATA["requires-python"]}"
dependencies = ["{NAME}=={__version__}"]

[tool.uv]
package = false
"""


def registry_record(repository: str) -> dict[str, Any]:
    """Return server.json, which publishes the server in the MCP registry."""
    return {
        "$schema": _REGISTRY_SCHEMA,
        "name": registry_name(repository),
        "title": "Charlotte",
        "description": _METADATA["description"],
        "version": __version__,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": NAME,
                "version": __version__,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
            }
        ],
    }


def write(target: Path, repository: str) -> None:
    """Write the bundle to a directory and, if there is a repository, server.json."""
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(
        target / f"{NAME}-{__version__}.mcpb", "w", zipfile.ZIP_DEFLATED
    ) as bundle:
        bundle.writestr("manifest.json", json.dumps(manifest(repository), indent=2))
        bundle.writestr("pyproject.toml", project())
        bundle.writestr("server.py", _START)
    if repository:
        record = json.dumps(registry_record(repository), indent=2)
        (target / "server.json").write_text(f"{record}\n", encoding="utf-8")
    else:
        print("no server.json: pyproject.toml states no repository", file=sys.stderr)


if __name__ == "__main__":
    write(ROOT / "dist", _PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"])
