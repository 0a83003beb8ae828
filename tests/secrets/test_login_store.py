"""Saved logins are encrypted files, and a key that does not fit is a clear error."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument, SessionProblem
from charlotte.config.sources import load
from charlotte.secrets.login_store import LoginStore, open_store

LOGIN = {"cookies": [{"name": "id", "value": "se:cret"}], "origins": []}


@pytest.fixture
def store(tmp_path: Path) -> LoginStore:
    return LoginStore(tmp_path / "logins", key_file(tmp_path / "key"))


def same(value: Any) -> Any:
    return value


def key_file(place: Path, content: bytes = b"k" * 32) -> Path:
    place.write_bytes(content)
    return place


def test_a_saved_login_is_read_with_the_same_key_file(store: LoginStore) -> None:
    store.write("shop", LOGIN)
    store.write("bank", {"cookies": []})
    again = LoginStore(store.directory, store.key_file)
    assert again.names() == ["bank", "shop"]
    assert again.read("shop", same) == LOGIN
    assert again.read("bank", same) == {"cookies": []}


def test_only_the_name_of_a_login_is_legible(store: LoginStore) -> None:
    store.write("shop", LOGIN)
    (file,) = store.directory.iterdir()
    data = file.read_bytes()
    assert file.name == "shop.login"
    assert file.stat().st_mode & 0o777 == 0o600
    assert store.directory.stat().st_mode & 0o777 == 0o700
    assert b"cookie" not in data
    assert b"se:cret" not in data
    assert b"kkkk" not in data
    store.write("shop", LOGIN)
    assert file.read_bytes().partition(b"\n")[2] != data.partition(b"\n")[2]  # another nonce


def test_an_unknown_login_lists_the_names(store: LoginStore) -> None:
    with pytest.raises(InvalidArgument, match=r"no login 'shop'. No login is saved"):
        store.read("shop", same)
    store.write("bank", LOGIN)
    store.write("mail", LOGIN)
    with pytest.raises(InvalidArgument, match=r"no login 'shop'. Saved logins: bank, mail"):
        store.read("shop", same)


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 41, "a.b", "é"])
def test_other_names_are_refused(store: LoginStore, name: str) -> None:
    for work in (lambda: store.write(name, LOGIN), lambda: store.read(name, same)):
        with pytest.raises(InvalidArgument, match="cannot be the name of a login"):
            work()
    assert not store.directory.exists()


def test_a_wrong_key_does_not_read(store: LoginStore, tmp_path: Path) -> None:
    store.write("shop", LOGIN)
    wrong = LoginStore(store.directory, key_file(tmp_path / "other", b"w" * 32))
    with pytest.raises(SessionProblem, match="key file is not that with which") as raised:
        wrong.read("shop", same)
    assert raised.value.suggestion == "Check --login-key-file, or save the login again."


def test_a_short_or_missing_key_file_is_an_error(tmp_path: Path) -> None:
    short = LoginStore(tmp_path / "logins", key_file=key_file(tmp_path / "key", b"short"))
    with pytest.raises(SessionProblem, match="less than 32 bytes"):
        short.write("shop", LOGIN)
    missing = LoginStore(tmp_path / "logins", key_file=tmp_path / "none")
    with pytest.raises(SessionProblem, match="cannot be read: No such file"):
        missing.write("shop", LOGIN)


@pytest.mark.parametrize("change", ["renamed", "body", "cut"])
def test_a_changed_file_is_refused(store: LoginStore, change: str) -> None:
    store.write("shop", LOGIN)
    file = store.directory / "shop.login"
    data = bytearray(file.read_bytes())
    if change == "body":
        data[-1] ^= 1
    elif change == "cut":
        del data[-40:]
    file.unlink()
    name = "bank" if change == "renamed" else "shop"
    (store.directory / f"{name}.login").write_bytes(data)
    with pytest.raises(SessionProblem, match="was changed or renamed"):
        LoginStore(store.directory, store.key_file).read(name, same)


def test_other_files_and_other_versions_are_named(store: LoginStore) -> None:
    store.write("shop", LOGIN)
    file = store.directory / "shop.login"
    file.write_bytes(file.read_bytes().replace(b"login 1", b"login 2"))
    with pytest.raises(SessionProblem, match="is not a saved login of this version"):
        store.read("shop", same)


class Keyring(ModuleType):
    """A keyring in memory, or none."""

    def __init__(self, *, usable: bool = True) -> None:
        super().__init__("keyring")
        self.passwords: dict[tuple[str, str], str] = {}
        self.usable = usable
        self.errors = ModuleType("keyring.errors")
        self.errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]

    def get_password(self, service: str, name: str) -> str | None:
        if not self.usable:
            raise self.errors.KeyringError("no backend")
        return self.passwords.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self.passwords[service, name] = value


def use_keyring(monkeypatch: pytest.MonkeyPatch, keyring: Keyring | None) -> None:
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setitem(sys.modules, "keyring.errors", keyring and keyring.errors)


def test_the_keyring_of_the_system_keeps_a_random_key_for_each_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = Keyring()
    use_keyring(monkeypatch, keyring)
    LoginStore(tmp_path / "logins").write("shop", LOGIN)
    assert LoginStore(tmp_path / "logins").read("shop", same) == LOGIN
    LoginStore(tmp_path / "others").write("shop", LOGIN)
    assert len(set(keyring.passwords.values())) == 2

    keyring.passwords.clear()
    with pytest.raises(SessionProblem, match="keyring has no key"):
        LoginStore(tmp_path / "logins").read("shop", same)


@pytest.mark.parametrize(
    ("keyring", "said"),
    [(None, "package keyring is not installed"), (Keyring(usable=False), "cannot be used")],
)
def test_without_a_keyring_the_other_keys_are_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keyring: Keyring | None, said: str
) -> None:
    use_keyring(monkeypatch, keyring)
    with pytest.raises(SessionProblem, match=said) as raised:
        LoginStore(tmp_path / "logins").write("shop", LOGIN)
    assert "Set --login-key-file" in str(raised.value.suggestion)


def test_the_store_is_in_the_data_directory_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert open_store(None, None).directory == Path("/home/ada/.local/share/charlotte/logins")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert open_store(None, None).directory == Path("/data/charlotte/logins")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"login_key_file": "{store}/key"}, "--login-key-file must not be in the directory"),
        ({"login_key_file": "{other}/none"}, "--login-key-file must be a file"),
        ({"login": "shop", "user_data_dir": "x"}, "--login cannot be combined with"),
        ({"login": "a b"}, "'a b' cannot be the name"),
        ({"login": "shop"}, "There is no login 'shop'"),
    ],
)
def test_wrong_settings_are_refused_at_the_start(
    tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    store, other = tmp_path / "logins", tmp_path / "other"
    for place in (store, other):
        place.mkdir()
        key_file(place / "key")
    given = {name: value.format(store=store, other=other) for name, value in settings.items()}
    with pytest.raises(InvalidArgument, match=said):
        load({"login_store": str(store), **given}, {})
