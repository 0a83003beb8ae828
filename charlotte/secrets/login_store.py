"""The store of saved logins: a directory with an encrypted file for each.

A file is a line with format and version, then a nonce and the ciphertext of AES-256-GCM, which also
authenticates the login's name. The key is the content of a key file, or a random key in the
system's keyring.
"""

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import attrs
from platformdirs import user_data_path

from charlotte.base.errors import InvalidArgument, SessionProblem, ellipsize
from charlotte.base.files import write

SHORTEST_KEY_FILE = 32
_HEADER = b"charlotte-login 1\n"
_SUFFIX = ".login"
_NAME = re.compile("[A-Za-z0-9_-]{1,40}")
_NONCE_BYTES = 12
_SERVICE = "charlotte"
_MOST_NAMED = 20
T = TypeVar("T")


def check_name(name: str) -> str:
    """Return the name of a login; raises `InvalidArgument` if it is not allowed."""
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            f"{ellipsize(name, 60)!r} cannot be the name of a login.",
            "Use up to 40 letters, digits, hyphens and underscores.",
        )
    return name


@attrs.define(eq=False)
class LoginStore:
    """Saved logins by name. All methods block: they read files."""

    directory: Path
    key_file: Path | None = None
    _known_key: bytes | None = attrs.field(init=False, default=None, repr=False)

    def names(self) -> list[str]:
        """Return the names of all logins."""
        try:
            found = [file.stem for file in self.directory.glob(f"*{_SUFFIX}")]
        except OSError:
            return []
        return sorted(name for name in found if _NAME.fullmatch(name))

    def read(self, name: str, parse: Callable[[Any], T]) -> T:
        """Return a login as ``parse`` reads it.

        Raises `InvalidArgument` for an unknown name, `SessionProblem` for a wrong key or file.
        """
        file = self._file(check_name(name))
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            names = self.names()
            known = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
            raise InvalidArgument(
                f"There is no login {name!r}. "
                + (f"Saved logins: {known}." if names else "No login is saved."),
                "Pass the name of a saved login, or save one with storage{action: save, name}.",
            ) from None
        except OSError as error:
            raise SessionProblem(f"{file} cannot be read: {error.strerror}.") from error
        return parse(json.loads(self._decrypt(name, data)))

    def write(self, name: str, login: Any) -> None:
        """Save a login, encrypted with the key of the store; raises `SessionProblem`."""
        file = self._file(check_name(name))
        nonce, text = secrets.token_bytes(_NONCE_BYTES), json.dumps(login).encode()
        sealed = _cipher(self._key(create=True)).encrypt(nonce, text, name.encode())
        write(file, _HEADER + nonce + sealed)

    def _file(self, name: str) -> Path:
        return self.directory / f"{name}{_SUFFIX}"

    def _decrypt(self, name: str, data: bytes) -> bytes:
        if not data.startswith(_HEADER):
            raise SessionProblem(
                f"{self._file(name)} is not a saved login of this version of Charlotte.",
                "Remove the file, or update Charlotte.",
            )
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - few users need it

        body = data.removeprefix(_HEADER)
        nonce, sealed = body[:_NONCE_BYTES], body[_NONCE_BYTES:]
        try:
            text: bytes = _cipher(self._key()).decrypt(nonce, sealed, name.encode())
        except InvalidTag:
            kind = "key file" if self.key_file is not None else "key of the system's keyring"
            raise SessionProblem(
                f"The {kind} is not that with which login {name!r} was saved, or "
                f"{self._file(name)} was changed or renamed.",
                "Check --login-key-file, or save the login again.",
            ) from None
        return text

    def _key(self, *, create: bool = False) -> bytes:
        if self._known_key is None:
            if self.key_file is not None:
                self._known_key = _read_key(self.key_file)
            else:
                self._known_key = _keyring_key(str(self.directory), create=create)
        return self._known_key


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - few users need it

    return AESGCM(key)


def _read_key(file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise SessionProblem(
            f"The key file {file} cannot be read: {error.strerror}.", "Check --login-key-file."
        ) from error
    if len(content) < SHORTEST_KEY_FILE:
        raise SessionProblem(
            f"The key file {file} has less than {SHORTEST_KEY_FILE} bytes.",
            f"Create one with: head -c {SHORTEST_KEY_FILE} /dev/urandom > FILE",
        )
    return hashlib.sha256(content).digest()


def _keyring_key(name: str, *, create: bool) -> bytes:
    """Return the key of a store in the system's keyring, where it is created if necessary."""
    try:
        keyring: Any = import_module("keyring")
        problems: Any = import_module("keyring.errors").KeyringError
    except ImportError:
        raise SessionProblem(
            "Saved logins need a key, and the package keyring is not installed.",
            "Set --login-key-file, or install keyring.",
        ) from None
    try:
        text = keyring.get_password(_SERVICE, name)
        if text is None and create:
            text = base64.b64encode(secrets.token_bytes(32)).decode()
            keyring.set_password(_SERVICE, name, text)
    except problems as error:
        raise SessionProblem(
            f"Saved logins need a key, and the system's keyring cannot be used: "
            f"{type(error).__name__}.",
            "Set --login-key-file.",
        ) from error
    if text is None:
        raise SessionProblem(
            f"The system's keyring has no key for the logins in {name}.",
            "Use the keyring and the --login-store with which they were saved.",
        )
    return hashlib.sha256(text.encode()).digest()


def open_store(directory: str | None, key_file: str | None) -> LoginStore:
    """Return the store of a configuration, by default in the user's data directory."""
    place = (
        Path(directory) if directory else user_data_path("charlotte", appauthor=False) / "logins"
    )
    return LoginStore(place.absolute(), Path(key_file) if key_file else None)
