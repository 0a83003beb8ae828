"""``python -m bench.answers``: answers about 30 kinds of pages, beside Playwright MCP's snapshots.

Characters, and tokens (`bench.tokens`).
"""

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import attrs
import trio
from starlette.responses import HTMLResponse

from bench.answer_forms import (
    DEFAULT,
    FULL,
    JSON_DEFAULT,
    JSON_FULL,
    SNAPSHOT,
    VISIBLE,
    PageForms,
    open_readers,
)
from bench.peers import PLAYWRIGHT, VERSIONS, NoPeers
from bench.plot import Points, plot
from bench.report import save
from bench.tokens import TOKENIZER, count_tokens
from tests.site.routes import always
from tests.site.server import open_site

PAGES: Final = Path(__file__).with_name("pages")
_MISSING: Final = PAGES / "error-404.html"
_RESULTS: Final = Path(__file__).with_name("results")
_TEXTS: Final = ("documentation", "forum", "news-article", "wiki")
"""Pages that consist mostly of text."""

_FORMS: Final = (VISIBLE, SNAPSHOT, FULL, DEFAULT, JSON_FULL, JSON_DEFAULT)
_COLUMNS: Final = (
    "page", "visible", PLAYWRIGHT, "full", "default", "full/pw", "default/pw", "full/visible",
    "tokens full/pw", "default/pw", "ids",
)  # fmt: skip


@attrs.frozen
class Result:
    """The sizes of a page in characters and in tokens by form."""

    page: str
    forms: PageForms
    tokens: Mapping[str, int]

    @property
    def chars(self) -> Mapping[str, int]:
        """The characters of the forms."""
        return {form: len(text) for form, text in self.forms.texts.items()}

    def ratio(self, form: str, other: str, *, tokens: bool = False) -> float:
        """Return the size of a form as a multiple of another form."""
        sizes = self.tokens if tokens else self.chars
        return sizes[form] / sizes[other]

    def cells(self) -> list[str]:
        """Return the cells of the table."""
        shown = len(self.forms.ids & self.forms.ids_in_text)
        ratios = [(FULL, SNAPSHOT), (DEFAULT, SNAPSHOT), (FULL, VISIBLE)]
        return [
            self.page,
            *(f"{self.chars[form]:,}" for form in (VISIBLE, SNAPSHOT, FULL, DEFAULT)),
            *(f"{self.ratio(*one):.2f}" for one in ratios),
            *(f"{self.ratio(*one, tokens=True):.2f}" for one in ratios[:2]),
            f"{shown}/{len(self.forms.ids)}",
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the record of the page in the results."""
        return {
            "page": self.page,
            "characters": {form: self.chars[form] for form in _FORMS},
            "tokens": {form: self.tokens[form] for form in _FORMS},
            "ids": len(self.forms.ids),
            "missing_ids": sorted(self.forms.ids - self.forms.ids_in_text),
            "missing_words": sorted(self.forms.missing_words),
        }


@attrs.frozen
class Limit:
    """A measured value and its maximum."""

    name: str
    value: float
    maximum: float

    @property
    def met(self) -> bool:
        """Whether the value is within the maximum."""
        return self.value <= self.maximum

    def line(self) -> str:
        """Return the line of the report."""
        return f"{self.name:<40}{self.value:>8.3f} <= {self.maximum:<6}{'' if self.met else 'over'}"


def limits(results: Sequence[Result]) -> list[Limit]:
    """Return the bounds and the measured values."""
    full = [one.ratio(FULL, SNAPSHOT) for one in results]
    default = [one.ratio(DEFAULT, SNAPSHOT) for one in results]
    texts = [one.ratio(FULL, VISIBLE) for one in results if one.page in _TEXTS]
    return [
        Limit(f"full / {PLAYWRIGHT}, median", statistics.median(full), 0.5),
        Limit(f"default / {PLAYWRIGHT}, median", statistics.median(default), 0.25),
        Limit(f"default / {PLAYWRIGHT}, worst", max(default), 0.4),
        Limit("full / visible text, worst text page", max(texts, default=0.0), 1.15),
    ]


def main() -> None:
    """Measure, print the table, write the results; exit with 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(prog="bench.answers", description=__doc__)
    parser.add_argument("--only", action="append", metavar="PAGE")
    options = parser.parse_args()
    names = sorted(file.stem for file in PAGES.glob("*.html"))
    pages = [name for name in names if not options.only or name in options.only]
    try:
        agent, results = trio.run(measure, pages)
    except* NoPeers as missing:
        sys.exit(f"Without {PLAYWRIGHT} and {', '.join(TOKENIZER)}: {missing.exceptions[0]}.")
    print(_table(results))
    bounds = limits(results)
    print("", *(one.line() for one in bounds), sep="\n")
    if not options.only:
        _write(agent, results, bounds)
    over = [one.name for one in bounds if not one.met]
    sys.exit(f"Not within its bound: {'; '.join(over)}." if over else None)


async def measure(pages: Sequence[str]) -> tuple[str, list[Result]]:
    """Return the browser and the results of pages. Raises `NoPeers`."""
    missing = HTMLResponse(_MISSING.read_bytes(), HTTPStatus.NOT_FOUND)
    routes = {f"/{_MISSING.name}": always(missing)}
    async with open_site(PAGES, routes=routes) as site, open_readers() as readers:
        forms = {page: await readers.read(site.url(f"/{page}.html")) for page in pages}
        agent = readers.agent
    results: list[Result] = []
    for page in pages:
        counts = await count_tokens([*forms[page].texts.values()])
        tokens = dict(zip(forms[page].texts, counts, strict=True))
        results.append(Result(page, forms[page], tokens))
    return agent, results


def _table(results: Sequence[Result]) -> str:
    """Return the results in Markdown."""
    rows = [_COLUMNS, ("---", *["--:"] * (len(_COLUMNS) - 1)), *(one.cells() for one in results)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _write(agent: str, results: Sequence[Result], bounds: Sequence[Limit]) -> None:
    rows = [one.as_json() for one in results]
    versions = {"browser": agent, "peer": {PLAYWRIGHT: VERSIONS[PLAYWRIGHT]}, **TOKENIZER}
    values = {one.name: round(one.value, 3) for one in bounds}
    save(_RESULTS / "answers.json", rows, runs=1, bounds=values, **versions)
    ordered = sorted(results, key=lambda one: one.chars[SNAPSHOT])
    lines: dict[str, Points] = {
        form: [(one.chars[SNAPSHOT], one.chars[form]) for one in ordered]
        for form in (SNAPSHOT, JSON_FULL, FULL, DEFAULT)
    }
    title = f"Answers about {len(results)} pages"
    drawing = plot(title, "characters of the snapshot", "characters", lines, joined=False)
    (_RESULTS / "answers.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
