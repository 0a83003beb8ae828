"""Roots: which paths lead to files that may be read."""

from pathlib import Path

import pytest

from charlotte.errors import InvalidArgument
from charlotte.files import Roots


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with the roots ``one`` and ``two``, each with a file, and a file beside them."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(name)
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path.resolve()


def roots(place: Path) -> Roots:
    return Roots((place / "one", place / "two"))


def test_a_relative_path_is_looked_for_in_every_root(place: Path) -> None:
    assert roots(place).files(["two.txt", "one.txt"]) == [
        place / "two" / "two.txt",
        place / "one" / "one.txt",
    ]


def test_an_absolute_path_inside_of_a_root_is_taken(place: Path) -> None:
    path = place / "one" / "one.txt"
    assert roots(place).files([str(path)]) == [path]


@pytest.mark.parametrize(
    "path", ["../secret.txt", "{place}/secret.txt", "/etc/hostname", "link.txt", "a\0b", "loop"]
)
def test_what_leads_out_of_the_roots_is_refused_with_their_names(place: Path, path: str) -> None:
    (place / "one" / "link.txt").symlink_to(place / "secret.txt")
    (place / "one" / "loop").symlink_to(place / "one" / "loop")

    with pytest.raises(InvalidArgument) as caught:
        roots(place).files([path.format(place=place)])

    assert "outside" in caught.value.message or "not exist" in caught.value.message
    assert str(place / "one") in str(caught.value.suggestion)
    assert str(place / "two") in str(caught.value.suggestion)


def test_a_directory_with_a_name_that_begins_like_a_root_is_outside(place: Path) -> None:
    (place / "one-more").mkdir()
    (place / "one-more" / "file.txt").write_text("")

    with pytest.raises(InvalidArgument, match="outside"):
        roots(place).files([str(place / "one-more" / "file.txt")])


def test_whether_something_exists_outside_is_not_told(place: Path) -> None:
    messages: list[str] = []
    for name in ("secret.txt", "absent.txt"):
        with pytest.raises(InvalidArgument) as caught:
            roots(place).files([f"../{name}"])
        messages.append(caught.value.message.replace(name, ""))

    assert messages[0] == messages[1]


def test_all_problems_are_told_at_once(place: Path) -> None:
    (place / "one" / "folder").mkdir()

    with pytest.raises(InvalidArgument) as caught:
        roots(place).files(["one.txt", "absent.txt", "folder", "../secret.txt"])

    for told in (
        "'absent.txt' does not exist",
        "'folder' is no file",
        "'../secret.txt' is outside",
    ):
        assert told in caught.value.message
