"""The wheel, the sdist and their metadata."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
ADDRESS = "https://example.org/charlotte"
SETTING = re.compile(r'^repository = "[^"]*"', re.MULTILINE)
PROJECT_FILES = ("pyproject.toml", "hatch_build.py", "README.md", "charlotte/base/version.py")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(  # noqa: S603 - fixed commands
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(target: Path, *options: str) -> Path:
    """Build as for a release: without options the sdist, and the wheel from the sdist."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, *options)
    return target


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("release"))


def only(directory: Path, pattern: str) -> Path:
    [path] = directory.glob(pattern)
    return path


def tracked_files() -> set[str]:
    return set(run("git", "ls-files", "charlotte").splitlines())


def test_the_wheel_has_every_tracked_file_of_the_package(release: Path) -> None:
    with zipfile.ZipFile(only(release, "*.whl")) as wheel:
        names = set(wheel.namelist())
    assert not tracked_files() - names
    assert {name.split("/")[0] for name in names} == {
        "charlotte",
        only(release, "*.tar.gz").name.removesuffix(".tar.gz") + ".dist-info",
    }


def test_the_sdist_has_every_tracked_file_of_the_package(release: Path) -> None:
    with tarfile.open(only(release, "*.tar.gz")) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert not tracked_files() - names


def test_the_sdist_and_the_repository_build_the_same_wheel(release: Path, tmp_path: Path) -> None:
    from_repository = only(build(tmp_path, "--wheel"), "*.whl")
    from_sdist = only(release, "*.whl")
    assert from_sdist.name == from_repository.name
    assert from_sdist.read_bytes() == from_repository.read_bytes()


def metadata(project: Path, repository: str) -> dict[str, Any]:
    """Return the metadata of a copy of the project with that address of the repository."""
    for name in PROJECT_FILES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    settings = project / "pyproject.toml"
    text, count = SETTING.subn(f'repository = "{repository}"', settings.read_text())
    assert count == 1
    settings.write_text(text, encoding="utf-8")
    found = run(sys.executable, "-m", "hatchling", "metadata", cwd=project)
    return dict[str, Any](json.loads(found))


def test_without_a_repository_the_readme_is_unchanged_and_there_are_no_urls(tmp_path: Path) -> None:
    found = metadata(tmp_path, "")
    assert "urls" not in found
    assert found["readme"]["text"] == (ROOT / "README.md").read_text(encoding="utf-8")


def test_all_urls_of_the_project_derive_from_the_repository(tmp_path: Path) -> None:
    assert metadata(tmp_path, ADDRESS)["urls"] == {
        "Repository": ADDRESS,
        "Documentation": f"{ADDRESS}/blob/HEAD/docs/index.md",
        "Changelog": f"{ADDRESS}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{ADDRESS}/issues",
    }


def test_links_of_the_long_description_lead_to_the_tag_of_the_version(tmp_path: Path) -> None:
    found = metadata(tmp_path, ADDRESS)
    readme, version = found["readme"]["text"], found["version"]
    assert f"[Install]({ADDRESS}/blob/v{version}/docs/installation.md)" in readme
    assert f"]({ADDRESS}/raw/v{version}/bench/results/scaling-tabs.svg)" in readme
    assert "[MCP](https://modelcontextprotocol.io)" in readme


def test_no_link_of_the_long_description_is_relative(tmp_path: Path) -> None:
    readme = metadata(tmp_path, ADDRESS)["readme"]["text"]
    links = [rest.partition(")")[0] for rest in readme.split("](")[1:]]
    assert links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


@pytest.mark.parametrize(
    ("repository", "name"),
    [
        (ADDRESS, "org.example/charlotte-mcp"),
        ("https://github.com/owner/charlotte", "io.github.owner/charlotte-mcp"),
    ],
)
def test_the_long_description_names_the_server_for_the_mcp_registry(
    tmp_path: Path, repository: str, name: str
) -> None:
    assert f"\n<!-- mcp-name: {name} -->\n" in metadata(tmp_path, repository)["readme"]["text"]
