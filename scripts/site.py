"""Build the documentation as a site in build/site: ``python -m scripts.site``.

The pages are written for the repository. Here they are copied to a directory of their own, with the
files that they link to and with the links adapted. docs/index.md is the front page, and its
sections are the site's navigation. The site has each page as Markdown too, listed in llms.txt.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build"
STAGED = BUILD / "site-source"
SITE = BUILD / "site"
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)#\s:]+)(?P<anchor>#[^)]*)?\)")
SECTION = re.compile(r"^\*\*(.+)\*\*$")
ENTRY = re.compile(r"^\* \[(.+)\]\((\S+)\)$")
TEXT = re.compile(r"\w|`\w")
CONFIG = """
[project]
site_name = "Charlotte"
site_description = "A browser for AI agents"
docs_dir = "site-source"
site_dir = "site"
nav = {nav}

[project.theme]
font = false  # no requests to other hosts
features = ["content.code.copy", "navigation.footer", "navigation.sections", "toc.follow"]

[project.validation]
invalid_links = true
"""


def staged_name(path: Path) -> str:
    """Return the place of a file of the repository in the site, relative to its root."""
    docs = ROOT / "docs"
    return path.relative_to(docs if path.is_relative_to(docs) else ROOT).as_posix()


def stage(page: Path) -> list[Path]:
    """Copy a page with adapted links; return the files that it links to."""
    linked: list[Path] = []

    def adapt(link: re.Match[str]) -> str:
        target = (page.parent / link["path"]).resolve()
        if not target.is_file():
            return link["text"]  # a directory of the repository
        linked.append(target)
        path = os.path.relpath(staged_name(target), Path(staged_name(page)).parent)
        return f"{link['image']}[{link['text']}]({path}{link['anchor'] or ''})"

    place = STAGED / staged_name(page)
    place.parent.mkdir(parents=True, exist_ok=True)
    if page.suffix == ".md":
        place.write_text(LINK.sub(adapt, page.read_text()))
    else:
        shutil.copyfile(page, place)
    return linked


def stage_all() -> None:
    """Copy all pages of docs/ and all files that are reached from them."""
    found = [*(ROOT / "docs").rglob("*.md")]
    for page in found:
        found += [one for one in stage(page) if one not in found]


def sections() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Return the sections of the front page: title, and titles and paths of its pages."""
    title, pages = "", list[tuple[str, str]]()
    for line in (STAGED / "index.md").read_text().splitlines():
        if section := SECTION.match(line):
            if pages:
                yield title, pages
            title, pages = section[1], []
        elif entry := ENTRY.match(line):
            pages.append((entry[1], entry[2]))
    yield title, pages


def write_config() -> Path:
    """Write the configuration of the generator with the navigation."""
    nav = [{title: [{name: path} for name, path in pages]} for title, pages in sections()]
    tables = json.dumps([{"Charlotte": "index.md"}, *nav], ensure_ascii=False)
    config = BUILD / "zensical.toml"
    # Such lists and tables differ between JSON and TOML only in the sign between key and value.
    config.write_text(CONFIG.format(nav=tables.replace('":', '" =')))
    return config


def first_sentence(text: str) -> str:
    """Return the first sentence of a page in Markdown."""
    paragraph = next(part for part in text.split("\n\n") if TEXT.match(part))
    return " ".join(LINK.sub(r"\g<text>", paragraph).split()).partition(". ")[0].rstrip(".") + "."


def write_index_for_models() -> None:
    """Write llms.txt: each page with the sentence below its title."""
    lines = ["# Charlotte", "", "> A browser for AI agents: an MCP server that drives Chromium."]
    for title, pages in sections():
        lines += ["", f"## {title}", ""]
        for name, path in pages:
            lines.append(f"- [{name}]({path}): {first_sentence((STAGED / path).read_text())}")
    (SITE / "llms.txt").write_text("\n".join(lines) + "\n")


def main() -> None:
    """Build the site; warnings of the generator, such as dead links, are errors."""
    for directory in (STAGED, SITE):
        shutil.rmtree(directory, ignore_errors=True)
    stage_all()
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "--clean"]
    config = write_config()
    subprocess.run([*command, "--config-file", str(config)], check=True, cwd=BUILD)
    shutil.copytree(STAGED, SITE, dirs_exist_ok=True)
    write_index_for_models()


if __name__ == "__main__":
    main()
