"""Package metadata that depends on the address of the repository.

The address is one value in pyproject.toml: ``tool.hatch.metadata.hooks.custom.repository``. While
it is empty, the package states no URL and its readme keeps relative links.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hatchling.metadata.plugin.interface import MetadataHookInterface

NAME = "charlotte-mcp"
RELATIVE_LINK = re.compile(
    r"(?P<image>!?)(?P<text>\[[^\]]*\])\((?!https?:|#|mailto:)(?P<path>[^)\s]+)\)"
)


class RepositoryHook(MetadataHookInterface):
    """Sets the project URLs and the readme."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``urls`` and ``readme``."""
        repository = self.config["repository"]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["urls"] = project_urls(repository)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": package_readme(readme, repository, metadata["version"]),
        }


def project_urls(repository: str) -> dict[str, str]:
    """Return the URLs of the project by label; none without a repository."""
    if not repository:
        return {}
    return {
        "Repository": repository,
        "Documentation": f"{repository}/blob/HEAD/docs/index.md",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def registry_name(repository: str) -> str:
    """Return the server's name in the MCP registry: a reversed host, or the owner on GitHub."""
    address = urlsplit(repository)
    if address.netloc == "github.com":
        return f"io.github.{address.path.split('/')[1]}/{NAME}"
    return f"{'.'.join(reversed(address.netloc.split('.')))}/{NAME}"


def package_readme(readme: str, repository: str, version: str) -> str:
    """Return the readme with absolute links to the tag of the version, and the registry's mark."""
    if not repository:
        return readme

    def absolute(link: re.Match[str]) -> str:
        view = "raw" if link["image"] else "blob"
        return f"{link['image']}{link['text']}({repository}/{view}/v{version}/{link['path']})"

    mark = f"<!-- mcp-name: {registry_name(repository)} -->"
    return f"{RELATIVE_LINK.sub(absolute, readme)}\n{mark}\n"
