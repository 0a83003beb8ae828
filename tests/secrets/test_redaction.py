"""What agents may use but never see."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from charlotte.answers.answer import Answer, Link
from charlotte.base.errors import InvalidArgument
from charlotte.config.sources import load
from charlotte.secrets.redaction import Credential, Secrets, read_credential, read_secrets

PASSWORD = 'p"ss/wörd & more'  # noqa: S105
SECRETS = Secrets.of({"PASSWORD": PASSWORD, "PIN": "4711"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "secrets.env"


def test_lines_of_a_file_are_names_and_values(file: Path) -> None:
    file.write_text("# ours\n\nexport ONE=first\nTWO = 'with = and #'\nTHREE=\"4711\"\n")
    assert read_secrets(file) == {"ONE": "first", "TWO": "with = and #", "THREE": "4711"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hunter2", r"Line 2 of .*secrets\.env must be NAME=value"),
        ("MY NAME=hunter2", "must be NAME=value"),
        ("PIN=123", "PIN must have at least 4 characters"),
    ],
)
def test_a_wrong_line_is_named_and_not_quoted(file: Path, line: str, said: str) -> None:
    file.write_text(f"# first\n{line}\n")
    with pytest.raises(InvalidArgument, match=said) as raised:
        load({"secrets": str(file)}, {})
    assert "hunter2" not in str(raised.value)


def test_a_text_that_is_a_name_is_typed_as_the_value() -> None:
    assert SECRETS.spelled("PIN") == "4711"
    assert SECRETS.spelled("PIN 1") == "PIN 1"


@pytest.mark.parametrize(
    "text",
    [
        PASSWORD,
        "http://a.test/?q=p%22ss%2Fw%C3%B6rd%20%26%20more",
        'p"ss/wörd & ...',
        "…ss/wörd & more",
        "…2ss%2Fw%C3%B6rd%20%26%20more",
        "…quot;ss/wörd & more",
    ],
)
def test_a_value_is_shown_in_no_form(text: str) -> None:
    shown = SECRETS.hidden(f"before {text} after")
    assert "<secret>PASSWORD</secret>" in shown
    assert "ss/w" not in shown
    assert shown.startswith("before ")


VALUES = {
    "PASSWORD": PASSWORD,
    "A": "P@ss!w0rd#1",
    "B": "hunter2*~x/9",
    "C": "Tr0ub4dor&3 (x)",
    "D": "tom&jerry<3",
    "E": 'pa"ss\\w&<o>rd',
    "F": "pa\\ss'wo\"rd9",
    "G": "wörd\N{KEY} x",
}
EVERY = Secrets.of(VALUES)
ENCODE_SETS = ["", "/", "!'()*~", "*-._", "!$&'()*+,;=:@/?~", '"<>`']


def encodings(value: str) -> Iterator[str]:
    """A value as browsers, serializers and Charlotte's messages write it."""
    yield from (value, repr(value), repr(repr(value)), json.dumps(value))
    yield json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False)
    for safe in ENCODE_SETS:
        yield from (quote(value, safe), quote_plus(value, safe), quote(quote(value, safe)))
    yield from (html.escape(value), html.escape(value, quote=False))
    yield html.escape(html.escape(value))
    yield "".join(c if c.isalnum() and c.isascii() else f"&#{ord(c)};" for c in value)
    yield "".join(c if c.isalnum() and c.isascii() else f"&#x{ord(c):X};" for c in value)
    for before in ("", "u", "us"):
        for after in ("", "1", "12"):
            encoded = base64.b64encode(f"{before}{value}{after}".encode()).decode()
            yield from (encoded, encoded.replace("+", "-").replace("/", "_"), quote(encoded, ""))
    yield from (
        f"{value[:-1]}…",
        f"{value[: max(4, len(value) // 2)]}...",
        f"{quote(value, '')[:-1]}…",
        f"…{value[1:]}",
        f"...{value[-max(4, len(value) // 2) :]}",
        f"…{quote(value, '')[1:]}",
    )


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_found_in_every_encoding(name: str) -> None:
    for text in encodings(VALUES[name]):
        assert f"<secret>{name}</secret>" in EVERY.hidden(f"before {text} after"), text


def test_values_that_are_cut_on_both_sides_of_an_ellipsis_are_found() -> None:
    text = f"at {VALUES['B'][:-2]}…{VALUES['C'][3:]}, {VALUES['B'][:-2]}…{VALUES['B'][2:]}"
    b, c = "<secret>B</secret>", "<secret>C</secret>"
    assert EVERY.hidden(text) == f"at {b}…{c}, {b}…{b}"


def test_base64_of_a_text_with_a_value_keeps_no_part_of_it() -> None:
    text = base64.b64encode(b"user:P@ss!w0rd#1:x").decode()
    shown = EVERY.hidden(text)
    assert shown.startswith(text[:6])
    assert shown.partition("<secret>A</secret>")[0] == text[:7]


def test_a_value_that_begins_another_hides_the_longer_one_whole() -> None:
    secrets = Secrets.of({"SHORT": "hunter", "LONG": "hunter2!"})
    assert secrets.hidden("hunter2! hunter") == "<secret>LONG</secret> <secret>SHORT</secret>"


def test_json_stays_json_whatever_a_value_is() -> None:
    shown = {"value": PASSWORD, "x": 4711, "y": 47110, "4711": [True, None, "is 4711", 1.5]}
    pin = "<secret>PIN</secret>"
    assert json.loads(SECRETS.hidden(json.dumps(shown))) == {
        "value": "<secret>PASSWORD</secret>",
        "x": pin,
        "y": 47110,
        pin: [True, None, f"is {pin}", 1.5],
    }


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://ada:p%40ss@Shop.test", "https://shop.test"),
        ("https://ada:p%40ss@shop.test:443/", "https://shop.test"),
        ("http://ada:p%40ss@127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://ada:p%40ss@[::1]:80", "http://[::1]"),
    ],
)
def test_a_credential_is_for_one_origin(text: str, origin: str) -> None:
    assert read_credential(text) == Credential(origin, "ada", "p@ss")


@pytest.mark.parametrize(
    "text", ["ada:hunter2", "ftp://ada:hunter2@a.test", "https://hunter2@a.test",
             "https://ada:hunter2@a.test/path", "https://ada:hunter2@a.test:port"]
)  # fmt: skip
def test_an_invalid_credential_is_not_quoted(text: str) -> None:
    with pytest.raises(
        InvalidArgument, match=r"^CHARLOTTE_HTTP_CREDENTIAL must be https://"
    ) as raised:
        load({}, {"CHARLOTTE_HTTP_CREDENTIAL": text})
    assert "hunter2" not in str(raised.value)


def test_a_credential_of_the_proxy_is_shown_for_every_address() -> None:
    given = "http://ada:hunter2@proxy.test:3128"
    loaded = load({"proxy_server": "http://proxy.test:3128"}, {"CHARLOTTE_HTTP_CREDENTIAL": given})
    [credential] = loaded.config.credentials()
    assert credential.reach == "*"
    assert read_credential(given).reach == "http://proxy.test:3128/*"


def test_nothing_that_logs_in_is_printed_or_shown() -> None:
    config = load({}, {"CHARLOTTE_HTTP_CREDENTIAL": "https://ada:hunter2@a.test"}).config
    assert "hunter2" not in repr((config, config.credentials(), config.hidden))
    shown = config.hidden.hidden("Basic YWRhOmh1bnRlcjI=, hunter2")
    assert shown == "Basic <secret>HTTP_CREDENTIAL</secret>, <secret>HTTP_CREDENTIAL</secret>"


def test_a_text_is_shown_only_if_it_occurs_outside_of_secrets() -> None:
    secrets = Secrets.of({"WORD": "hunter2-\U0001f600", "PIN": "4711"})
    assert secrets.reach > len("hunter2-x")
    inside = ["my 4711 hun", "ter", "2-\U0001f600"]
    assert not secrets.shows([inside, ["PIN ", "471", "1"], ["it is: 4", "711 o", "r so"]])
    assert secrets.shows([inside, ["\U0001f600 4711 and a ", "ter", "m"]])
    assert [secrets.shows(answer) for answer in (True, False)] == [True, False]
    assert Secrets.of({}).reach == 0


def test_links_are_answered_without_secrets() -> None:
    link = Link(f"file:///{quote(PASSWORD)}.pdf", f"{PASSWORD}.pdf", "application/pdf")
    hidden = Link(
        "file:///<secret>PASSWORD</secret>.pdf", "<secret>PASSWORD</secret>.pdf", link.mime_type
    )

    assert Answer((link,)).hiding(SECRETS).blocks == (hidden,)


def test_values_of_a_login_are_redacted_once_it_is_read() -> None:
    secrets = Secrets.of({"PASSWORD": PASSWORD})
    assert secrets.hidden("sid=4f7Yk2Qp9sLm") == "sid=4f7Yk2Qp9sLm"
    secrets.hide_login("shop", ["4f7Yk2Qp9sLm"])
    secrets.hide_login("bank", ["Zx0Wc8Vb1111"])
    secrets.hide_login("shop", ["another-value-9"])
    shown = secrets.hidden(f"4f7Yk2Qp9sLm Zx0Wc8Vb1111 another-value-9 {PASSWORD}")
    assert re.findall("<secret>(.*?)</secret>", shown) == [
        "login shop",
        "login bank",
        "login shop",
        "PASSWORD",
    ]
    assert secrets.names == ["PASSWORD"]
    assert secrets.spelled("shop") == "shop"


def test_long_values_of_a_login_are_redacted_as_a_whole_and_in_parts() -> None:
    secrets = Secrets.of({})
    token = ".".join(hashlib.sha512(bytes([number])).hexdigest() for number in range(60))
    secrets.hide_login("shop", [token])
    mark = "<secret>login shop</secret>"
    assert len(token) > 7_000
    assert secrets.hidden(f"before {token} after") == f"before {mark} after"
    encoded = quote(base64.b64encode(token.encode()).decode())
    assert len(secrets.hidden(encoded)) < len(encoded) / 3
    assert secrets.hidden(token[:300]).startswith(mark)
    assert len(secrets.hidden(token[:300])) < len(mark) + 50
