"""File types that a file input accepts."""

from pathlib import Path

import pytest

from charlotte.browser.drag import unaccepted_files

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
def test_files_of_other_types_are_not_accepted(accept: str, hidden: list[str]) -> None:
    assert [file.name for file in unaccepted_files(FILES, accept)] == hidden


def test_an_unknown_type_accepts_every_file() -> None:
    assert unaccepted_files(FILES, "application/x-unheard-of") == []


def test_an_extension_can_have_several_parts() -> None:
    assert unaccepted_files([Path("a.tar.gz"), Path("b.gz")], ".tar.gz") == [Path("b.gz")]
