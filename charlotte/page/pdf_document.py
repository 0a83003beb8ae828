"""PDF documents as HTML documents, with a heading for each page."""

from collections.abc import Sequence
from html import escape

from charlotte.base.errors import ellipsize
from charlotte.page.tokens import plural

LARGEST = 50 * 1024 * 1024
"""Bytes of a PDF document that is read."""

PROBLEMS = {
    "encrypted": "This PDF document is encrypted: its text cannot be read without the password.",
    "broken": "This PDF document is damaged: its text cannot be read.",
    "too large": f"This PDF document is larger than {LARGEST // 1024**2} MB: it was not read.",
    "too slow": "This PDF document was not read: reading it took too long.",
}
_LONGEST = 300
_NO_TEXT = "(no text: the page may be scanned)"


def render_pdf(name: str, title: str, pages: Sequence[str], *, count: int) -> str:
    """Return an HTML document with the text of the first pages of a PDF document of ``count``."""
    texts = [
        [" ".join(words) for line in page.splitlines() if (words := line.split())] for page in pages
    ]
    notes = [f"PDF document with {count} {plural(count, 'page')}."]
    if len(pages) < count:
        reason = "the others are too long, or take too much time or memory"
        notes.append(f"Only the first {len(pages)} are shown: {reason}.")
    if texts and not any(texts):
        notes.append("No page has text: the document is probably scanned.")
    sections = [_section(number, lines) for number, lines in enumerate(texts, start=1)]
    return _document(title.strip() or name, f"<p>{' '.join(notes)}</p>", *sections)


def render_problem(name: str, problem: str) -> str:
    """Return an HTML document with the reason why a PDF document is not shown."""
    return _document(name, f'<p role="alert">{PROBLEMS[problem]}</p>')


def _section(number: int, lines: Sequence[str]) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines or [_NO_TEXT])
    return f'<section id="page-{number}"><h2>Page {number}</h2>{paragraphs}</section>'


def _document(title: str, *parts: str) -> str:
    shown = escape(ellipsize(title, _LONGEST))
    head = f'<!DOCTYPE html><html><meta charset="utf-8"><title>{shown}</title>'
    return "\n".join([f"{head}<main>", *parts, "</main></html>"])
