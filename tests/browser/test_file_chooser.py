"""Which of some files a file input asks for."""

from pathlib import Path

import pytest

from charlotte.browser.file_upload import unaccepted_files

FILES = [Path(name) for name in ("notes.txt", "cat.PNG", "dog.jpeg", "bill.pdf", "plain")]


@pytest.mark.parametrize(
    ("accept", "hidden"),
    [
        ("", []),
        ("*/*", []),
        (".pdf, .TXT", ["cat.PNG", "dog.jpeg", "plain"]),
        ("image/*", ["notes.txt", "bill.pdf", "plain"]),
        ("image/png,application/pdf", ["notes.txt", "dog.jpeg", "plain"]),
        ("image/jpg", ["notes.txt", "cat.PNG", "bill.pdf", "plain"]),
    ],
)
def test_files_of_other_kinds_are_not_offered(accept: str, hidden: list[str]) -> None:
    assert [file.name for file in unaccepted_files(FILES, accept)] == hidden


def test_of_a_kind_that_nobody_knows_every_file_may_be() -> None:
    assert unaccepted_files(FILES, "application/x-unheard-of") == []


def test_an_ending_may_have_several_parts() -> None:
    assert unaccepted_files([Path("a.tar.gz"), Path("b.gz")], ".tar.gz") == [Path("b.gz")]
