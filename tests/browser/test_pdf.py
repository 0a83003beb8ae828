"""Text of PDF files."""

import io

import pytest
from pypdf import PdfWriter

from charlotte.browser.pdf import PdfText, parse_output, read_pdf
from tests.pdf import write_pdf

INVOICE = write_pdf(["Invoice (draft)\nTotal: 12 EUR", "", "Terms apply"], title="Invoice 4711")


def encrypted(*, user: str) -> bytes:
    writer, file = PdfWriter(clone_from=io.BytesIO(INVOICE)), io.BytesIO()
    writer.encrypt(user, "owner", algorithm="AES-256")
    writer.write(file)
    return file.getvalue()


async def test_each_page_has_its_text() -> None:
    assert await read_pdf(INVOICE) == PdfText(
        count=3, title="Invoice 4711", pages=["Invoice (draft)\nTotal: 12 EUR", "", "Terms apply"]
    )


async def test_a_file_that_needs_a_password_is_encrypted() -> None:
    assert (await read_pdf(encrypted(user="secret"))).problem == "encrypted"


async def test_a_file_that_only_restricts_editing_is_read() -> None:
    assert "Terms apply" in (await read_pdf(encrypted(user=""))).pages


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.4 nonsense", b"<html>", INVOICE[: len(INVOICE) // 3]]
)
async def test_a_damaged_file_is_broken(data: bytes) -> None:
    assert (await read_pdf(data)).problem == "broken"


async def test_reading_ends_at_the_deadline() -> None:
    assert (await read_pdf(INVOICE, seconds=0)).problem == "too slow"


HEAD = b'{"pages": 3, "title": ""}\n"one"\n'


@pytest.mark.parametrize("end", [b"", b'"tw'])
def test_pages_that_were_read_before_a_limit_are_kept(end: bytes) -> None:
    text = parse_output(HEAD + end)

    assert (text.count, text.pages) == (3, ["one"])


def test_a_process_that_writes_nothing_has_read_a_broken_file() -> None:
    assert parse_output(b"").problem == "broken"
