"""Which client certificates can be given."""

from pathlib import Path

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.config.sources import load
from charlotte.secrets.certificates import ClientCertificate, read_certificate
from tests.authority import Authority


def test_a_certificate_belongs_to_an_origin_and_can_have_a_separate_key_file() -> None:
    read = read_certificate("https://shop.test:8443=me.pem:key.pem")
    assert read == ClientCertificate("https://shop.test:8443", "me.pem", "key.pem")
    assert (read.host, read.port) == ("shop.test", 8443)
    read = read_certificate("https://shop.test=me.pem")
    assert read == ClientCertificate("https://shop.test", "me.pem")
    assert read.port == 443


@pytest.mark.parametrize(
    "text",
    [
        "me.pem",
        "https://shop.test",
        "http://shop.test=me.pem",
        "https://shop.test/path=me.pem",
        "https://127.0.0.1=me.pem",
        "https://[::1]=me.pem",
    ],
)
def test_an_invalid_certificate_setting_is_rejected(text: str) -> None:
    with pytest.raises(InvalidArgument, match="--client-certificate must be https://host="):
        load({"client_certificate": [text]}, {})


def test_unusable_certificate_files_are_rejected_at_startup(tmp_path: Path) -> None:
    secret = Authority(tmp_path).issue("Ada", b"password")
    for file in (secret, tmp_path / "missing.pem", tmp_path / "authority.pem"):
        with pytest.raises(InvalidArgument, match=r"shop\.test cannot be read"):
            load({"client_certificate": [f"https://shop.test={file}"]}, {})


def test_an_encrypted_key_or_archive_requires_its_password(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = authority.archive("Ada", b"word"), authority.issue("Bob", b"word")
    given = {"client_certificate": [f"https://{file.stem}.test={file}" for file in files]}
    config = load(given, {"CHARLOTTE_CLIENT_CERTIFICATE_PASSWORD": "word"}).config
    assert [one.origin for one in config.certificates()] == ["https://ada.test", "https://bob.test"]
    assert "word" not in repr((config, config.certificates())).replace("password", "")
    for password in ("other", None):
        with pytest.raises(InvalidArgument, match="client_certificate_password"):
            load({**given, "client_certificate_password": password}, {})


def test_an_invalid_archive_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "me.pfx"
    file.write_bytes(Authority(tmp_path).archive("Ada", b"word").read_bytes()[:-9])
    with pytest.raises(InvalidArgument, match=r"shop\.test cannot be read"):
        load({"client_certificate": [f"https://shop.test={file}"]}, {})


@pytest.mark.parametrize(
    "others",
    [
        {"proxy_server": "http://proxy.test:3128"},
        {"cdp_endpoint": "ws://127.0.0.1:9222"},
        {"http": True, "host": "192.0.2.1"},
    ],
)
def test_certificates_cannot_be_combined_with_a_proxy_or_a_remote_browser(
    others: dict[str, str | bool],
) -> None:
    with pytest.raises(InvalidArgument, match="cannot be combined with --proxy-server"):
        load({"client_certificate": ["https://shop.test=me.pem"], **others}, {})
