"""Which paths lead to files that may be read, and how files from pages are named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.base.errors import InvalidArgument, StorageFailed
from charlotte.base.files import Roots, keep_as, not_creatable, safe_name, write
from charlotte.guard.url_guard import Guard


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


def test_a_relative_path_is_searched_in_every_root(place: Path) -> None:
    assert roots(place).files(["two.txt", "one.txt"]) == [
        place / "two" / "two.txt",
        place / "one" / "one.txt",
    ]


@pytest.mark.parametrize(
    "path", ["../secret.txt", "{place}/secret.txt", "/etc/hostname", "link.txt", "a\0b", "loop"]
)
def test_a_path_outside_the_roots_is_rejected_with_the_names_of_the_roots(
    place: Path, path: str
) -> None:
    (place / "one" / "link.txt").symlink_to(place / "secret.txt")
    (place / "one" / "loop").symlink_to(place / "one" / "loop")

    with pytest.raises(InvalidArgument) as caught:
        roots(place).files([path.format(place=place)])

    assert "outside" in caught.value.message or "not exist" in caught.value.message
    assert str(place / "one") in str(caught.value.suggestion)
    assert str(place / "two") in str(caught.value.suggestion)


def test_a_directory_is_hidden_below_a_root_but_not_as_a_root(place: Path) -> None:
    (place / "one" / ".git" / "hooks").mkdir(parents=True)
    assert roots(place).is_hidden(place / "one" / ".git")
    assert roots(place).is_hidden(place / "one" / ".git" / "hooks")
    assert not roots(place).is_hidden(place / "one")
    assert not Roots((place / "one" / ".git",)).is_hidden(place / "one" / ".git")


TOO_LONG = ["a" * 300, "/".join(["b" * 200] * 30)]


@pytest.mark.parametrize("path", TOO_LONG)
def test_a_path_that_the_file_system_rejects_is_an_invalid_argument(place: Path, path: str) -> None:
    inside = roots(place)
    uses = (
        lambda: inside.files([path]),
        lambda: inside.directory(path),
        lambda: inside.place(path),
        lambda: inside.new_file(f"{path}.pdf", ".pdf"),
        lambda: inside.inside(f"{place}/one/{path}"),
        lambda: Guard(files=inside).checked(f"file://{place}/one/{path}"),
        lambda: write(place / "one" / "not-there" / path, b""),
    )
    for use in uses:
        with pytest.raises(InvalidArgument, match="File name too long"):
            use()


def test_a_directory_path_too_long_for_more_names_is_an_invalid_argument(tmp_path: Path) -> None:
    deep = tmp_path / "/".join(["b" * 200] * 20)
    deep /= "c" * (4090 - len(str(deep)))

    with pytest.raises(InvalidArgument, match="File name too long"):
        Roots((deep,)).free_file("network.har")


def test_an_impossible_path_is_not_found(place: Path) -> None:
    with pytest.raises(InvalidArgument, match="outside"):
        roots(place).files(["\ud800"])


def test_a_directory_that_cannot_be_created_is_explained(place: Path) -> None:
    file = place / "one" / "one.txt"

    assert not_creatable(place / "one" / "new" / "directory") is None
    assert not_creatable(file / "below") == f"{file} is not a directory"


def test_a_directory_whose_name_starts_like_a_root_is_outside(place: Path) -> None:
    (place / "one-more").mkdir()
    (place / "one-more" / "file.txt").write_text("")

    with pytest.raises(InvalidArgument, match="outside"):
        roots(place).files([str(place / "one-more" / "file.txt")])


def test_errors_do_not_reveal_whether_files_outside_exist(place: Path) -> None:
    messages: list[str] = []
    for name in ("secret.txt", "absent.txt"):
        with pytest.raises(InvalidArgument) as caught:
            roots(place).files([f"../{name}"])
        messages.append(caught.value.message.replace(name, ""))

    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    ("name", "problem"),
    [(".env", "a hidden file"), ("link", "a symbolic link"), ("", "more than 1,000 files")],
)
def test_a_folder_with_more_than_meets_the_eye_is_not_given(
    place: Path, name: str, problem: str
) -> None:
    inner = place / "one" / "folder" / "inner"
    inner.mkdir(parents=True)
    for number in range(998):
        (inner / str(number)).touch()
    assert roots(place).files(["folder"], folders=True) == [inner.parent]
    for new in (name,) if name else ("998", "999"):
        (inner / new).symlink_to(inner / "0") if new == "link" else (inner / new).touch()

    with pytest.raises(InvalidArgument, match=f"holds {problem}"):
        roots(place).files(["folder"], folders=True)


def test_an_error_lists_all_problems(place: Path) -> None:
    (place / "one" / "folder").mkdir()

    with pytest.raises(InvalidArgument) as caught:
        roots(place).files(["one.txt", "absent.txt", "folder", "../secret.txt"])

    for problem in (
        "'absent.txt' does not exist",
        "'folder' is not a regular file",
        "'../secret.txt' is outside",
    ):
        assert problem in caught.value.message


def test_a_new_file_goes_to_the_first_directory_and_can_be_replaced_there(place: Path) -> None:
    assert roots(place).new_file("new.json", ".json") == place / "one" / "new.json"
    assert roots(place).new_file("one.txt", ".txt") == place / "one" / "one.txt"
    elsewhere = place / "two" / "sub" / "new.txt"
    assert roots(place).new_file(str(elsewhere), ".txt") == elsewhere


def test_a_free_file_gets_a_number_if_its_name_is_taken(place: Path) -> None:
    assert roots(place).free_file("a.har") == place / "one" / "a.har"
    assert roots(place).free_file("one.txt") == place / "one" / "one-2.txt"
    write(place / "one" / "one-2.txt", b"")
    assert roots(place).free_file("one.txt") == place / "one" / "one-3.txt"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../new.txt", "outside"),
        ("a\0.txt", "outside"),
        ("new.sh", "does not end in .txt"),
        ("{place}/two/two.txt", "exists already"),
        ("{place}/secret.txt", "outside"),
    ],
)
def test_writing_is_limited_to_the_roots(place: Path, path: str, problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        roots(place).new_file(path.format(place=place), ".txt")


def test_a_file_is_written_atomically_and_private(place: Path) -> None:
    path = place / "one" / "deep" / "new.txt"
    for data in (b"first", b"second"):
        write(path, data)

    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.req("S-ERR-06")
def test_a_failed_write_is_reported_to_the_agent(place: Path) -> None:
    with pytest.raises(StorageFailed, match="could not be written"):
        write(place / "secret.txt" / "new.txt", b"")


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("sales.csv", "sales.csv"),
        ("../../up.txt", "up.txt"),
        ("/etc/passwd", "etc_passwd"),
        (".bashrc", "bashrc"),
        ("a\nb\0c.txt", "a_b_c.txt"),
        ('a\\b:c*?"<>|.txt', "a_b_c______.txt"),
        ("archive.tar.gz", "archive.tar.gz"),
        ("Übersicht 寿司.pdf", "Übersicht 寿司.pdf"),
        ("", "download"),
        ("...", "download"),
        ("x" * 300 + ".txt", "x" * 150 + "….txt"),
        ("寿" * 100 + ".txt", "寿" * 50 + "….txt"),
    ],
)
def test_a_suggested_name_is_made_harmless(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


@given(st.text())
def test_every_name_is_a_single_path_component(suggested: str) -> None:
    name = safe_name(suggested)
    assert name == Path(name).name
    assert not name.startswith(".")
    assert len(name.encode()) <= 200


def test_keeping_a_file_overwrites_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    for number in range(2):
        (tmp_path / "guid").write_text(f"new {number}")
        keep_as(tmp_path / "guid", "a.txt")

    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"a.txt": "mine", "a-2.txt": "new 0", "a-3.txt": "new 1"}


def test_a_failed_rename_leaves_no_empty_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="absent"):
        keep_as(tmp_path / "absent", "a.txt")

    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "page.pdf").mkdir()

    with pytest.raises(StorageFailed, match="directory"):
        write(tmp_path / "page.pdf", b"data")

    assert [one.name for one in tmp_path.iterdir()] == ["page.pdf"]
