"""The pages of the documentation and their code blocks."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *(ROOT / "docs").rglob("*.md"),
    ]
)
BLOCK = re.compile(
    r"^(?:<!-- needs: (?P<needs>[a-z ]+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```",
    re.DOTALL | re.MULTILINE,
)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(*kinds: str) -> Iterator[tuple[str, str, str]]:
    """Return page, text and mark of each code block of these languages."""
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text()):
            if block["kind"] in kinds:
                yield name(page), block["text"], block["needs"] or ""
