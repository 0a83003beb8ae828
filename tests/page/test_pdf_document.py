"""PDF documents as HTML documents."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.pdf_document import PROBLEMS, render_pdf, render_problem


class Parts(HTMLParser):
    """The tags of a document, and the texts of its headings and paragraphs."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.append(tag)
        if tag in {"h2", "p"}:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] in (["h2"], ["p"]) and data != "\n":
            self.texts[-1] += data


def texts_of(pages: list[str], count: int | None = None) -> list[str]:
    return Parts(render_pdf("a.pdf", "", pages, count=count or len(pages))).texts


def test_each_page_has_a_heading_and_its_lines() -> None:
    assert texts_of(["One\n\n  two   words ", "Three"]) == [
        "PDF document with 2 pages.",
        *("Page 1", "One", "two words"),
        *("Page 2", "Three"),
    ]


def test_a_page_without_text_has_a_remark() -> None:
    assert texts_of(["One", " \n"])[-2:] == ["Page 2", "(no text: the page may be scanned)"]
    assert "No page has text: the document is probably scanned." in texts_of([""])[0]


def test_missing_pages_are_explained() -> None:
    assert texts_of(["One"], 9)[0] == (
        "PDF document with 9 pages. Only the first 1 are shown: the others are too long, or take "
        "too much time or memory."
    )


def test_the_title_is_that_of_the_document_or_else_its_name() -> None:
    assert "<title>Report &lt;1&gt;</title>" in render_pdf("a.pdf", " Report <1> ", [], count=0)
    assert "<title>a.pdf</title>" in render_pdf("a.pdf", "  ", [], count=0)


def test_each_problem_has_a_message() -> None:
    for problem, message in PROBLEMS.items():
        assert Parts(render_problem("a.pdf", problem)).texts == [message]


@given(st.lists(st.text(), max_size=4), st.text())
def test_no_text_of_a_document_becomes_markup(pages: list[str], title: str) -> None:
    tags = Parts(render_pdf(title, title, pages, count=len(pages))).tags

    assert set(tags) <= {"html", "meta", "title", "main", "p", "section", "h2"}
    assert tags.count("section") == len(pages)
