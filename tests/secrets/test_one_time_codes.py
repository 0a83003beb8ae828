"""One-time codes, with the test vectors of RFC 6238."""

import base64
from pathlib import Path
from urllib.parse import quote

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.secrets.one_time_codes import OneTimeCodes, read_otpauth
from charlotte.secrets.redaction import Secrets, read_secrets

ASCII = "1234567890" * 7
SEEDS = {
    name: base64.b32encode(ASCII[:length].encode()).decode().rstrip("=")
    for name, length in {"SHA1": 20, "SHA256": 32, "SHA512": 64}.items()
}
VECTORS = [
    (59, "94287082", "46119246", "90693936"),
    (1111111109, "07081804", "68084774", "25091201"),
    (1111111111, "14050471", "67062674", "99943326"),
    (1234567890, "89005924", "91819424", "93441116"),
    (2000000000, "69279037", "90698825", "38618901"),
    (20000000000, "65353130", "77737706", "47863826"),
]


@pytest.mark.parametrize(("seconds", "sha1", "sha256", "sha512"), VECTORS)
def test_codes_are_those_of_the_rfc(seconds: int, sha1: str, sha256: str, sha512: str) -> None:
    found = [OneTimeCodes(SEEDS[name], 8, 30, name).at(seconds) for name in SEEDS]
    assert found == [sha1, sha256, sha512]


def test_a_uri_has_the_parameters_of_its_service() -> None:
    plain = read_otpauth(f"otpauth://totp/Shop:ada?secret={SEEDS['SHA1'].lower()}&issuer=Shop")
    assert plain == OneTimeCodes(SEEDS["SHA1"])
    spaced = quote(f"{SEEDS['SHA256'][:4]} {SEEDS['SHA256'][4:]}")
    given = read_otpauth(f"otpauth://totp/x?secret={spaced}&digits=8&period=60&algorithm=SHA-256")
    assert given == OneTimeCodes(SEEDS["SHA256"], 8, 60, "SHA256")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBV", "must be otpauth://totp"),
        ("otpauth://totp/x", "needs a secret of at least 16 characters"),
        ("otpauth://totp/x?secret=GEZDGNBV", "needs a secret of at least 16 characters"),
        ("otpauth://totp/x?secret=1888888888888888", "needs a secret of at least 16 characters"),
        ("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=4", "needs digits between 6 and 10"),
        ("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=0", "needs period between 1 and 120"),
        ("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5", "has an unknown algorithm"),
    ],
)
def test_a_wrong_uri_is_named_and_not_quoted(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "secrets.env"
    file.write_text(f"# codes\nCODE={line}\n")
    with pytest.raises(InvalidArgument, match=rf"Line 2 of .*: CODE {said}") as raised:
        read_secrets(file)
    assert "GEZD" not in str(raised.value)
    assert "1888" not in str(raised.value)


def test_the_present_code_is_typed_and_codes_around_it_are_redacted() -> None:
    time = [1111111109.0]
    uri = f"otpauth://totp/Shop:ada?secret={SEEDS['SHA1']}&digits=8"
    secrets = Secrets.of({"SHOP_CODE": uri}, clock=lambda: time[0])
    assert secrets.names == ["SHOP_CODE"]
    assert secrets.spelled("SHOP_CODE") == "07081804"
    time[0] += 2
    assert secrets.spelled("SHOP_CODE") == "14050471"

    codes = OneTimeCodes(SEEDS["SHA1"], 8)
    before, after = codes.at(time[0] - 30), codes.at(time[0] + 30)
    hidden = "<secret>SHOP_CODE</secret>"
    text = f"{before} {after} 14050471 {SEEDS['SHA1']} {uri}"
    assert secrets.hidden(text) == " ".join([hidden] * 5)
    assert secrets.hidden_in({"code": 14050471}) == {"code": hidden}
    time[0] += 3600
    assert secrets.hidden("14050471") == "14050471"
