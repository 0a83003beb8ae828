"""The fields of bodies, by dotted path, or that they cannot be read."""

import json
import time
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.policy.bodies import LONGEST_READ, Body, as_report, read_body

FORM = "application/x-www-form-urlencoded"
PARTS = (
    (
        b'--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nInvoice\r\n'
        b'--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
        b"Content-Type: text/plain\r\n\r\n"
    ),
    b"\r\n--B--\r\n",
)


def read(data: bytes, content_type: str, **more: str) -> Body:
    return read_body([data], content_type, **more)


def test_a_form_has_its_fields_in_order() -> None:
    found = read(b"total=49.90&item=a&item=b&note=", FORM)
    assert found.fields == [("total", "49.90"), ("item", "a"), ("item", "b"), ("note", "")]
    assert found.is_readable


def test_json_has_fields_by_dotted_path() -> None:
    data = {"order": {"total": 49.90, "lines": [{"sku": "a"}, "b"]}, "gift": True, "note": None}
    found = read(json.dumps(data).encode(), "application/json; charset=utf-8")
    assert found.fields == [
        ("order.total", "49.9"),
        ("order.lines.0.sku", "a"),
        ("order.lines.1", "b"),
        ("gift", "true"),
        ("note", "null"),
    ]


def test_repeated_names_in_json_are_all_seen() -> None:
    assert read(b'{"total": 1, "total": 99}', "application/json").fields == [
        ("total", "1"),
        ("total", "99"),
    ]


def test_half_a_character_in_json_is_replaced() -> None:
    found = read(b'{"a\\ud800": "b\\udc00", "c": "\\ud83d\\ude00"}', "application/json")
    assert found.fields == [("a\ufffd", "b\ufffd"), ("c", "\U0001f600")]


def test_numbers_of_json_are_read_as_they_are_written() -> None:
    assert read(b"[1.50, 1e400, 12345678901234567890]", "").fields == [
        ("0", "1.50"),
        ("1", "1e400"),
        ("2", "12345678901234567890"),
    ]


def test_a_multipart_form_has_fields_and_names_of_files() -> None:
    found = read_body([PARTS[0], None, PARTS[1]], "multipart/form-data; boundary=B")
    assert found.fields == [("title", "Invoice"), ("file", "a.txt")]
    assert found.is_readable
    assert found.has_files


def test_an_empty_file_input_is_no_file() -> None:
    data = b"".join(PARTS).replace(b"a.txt", b"")
    found = read(data, "multipart/form-data; boundary=B")
    assert found.fields == [("title", "Invoice"), ("file", "")]
    assert found.has_files is False


@pytest.mark.parametrize(
    ("data", "content_type", "encoding"),
    [
        (b"\xff\xfe", "application/octet-stream", ""),
        (b"\xff\xfe", "", ""),
        (b"a=1", FORM, "gzip"),
        (b"a=" + b"x" * LONGEST_READ, FORM, ""),
        (b"[" * 1000, "application/json", ""),
        (b"[" * 60 + b"]" * 60, "application/json", ""),
        (b"&".join([b"a=1"] * 6000), FORM, ""),
        (b"no boundary", "multipart/form-data", ""),
        (b"hello", "text/plain", ""),
        (b"<a/>", "application/xml", ""),
    ],
)
def test_other_bodies_cannot_be_read(data: bytes, content_type: str, encoding: str) -> None:
    assert not read(data, content_type, encoding=encoding).is_readable


@pytest.mark.parametrize(
    ("data", "content_type", "has_files"),
    [
        (b"\xff\xfe", "", None),
        (b"x" * (LONGEST_READ + 1), "multipart/form-data; boundary=B", None),
        (b"hello", "text/plain", False),
        (b"<a/>", "application/xml", False),
    ],
)
def test_bytes_that_are_no_text_may_be_a_file(
    data: bytes,
    content_type: str,
    has_files: bool | None,  # noqa: FBT001
) -> None:
    assert read(data, content_type).has_files is has_files


def test_a_body_of_a_file_or_stream_has_files() -> None:
    found = read_body([None])
    assert (found.is_readable, found.has_files) == (False, True)


def test_a_request_without_a_body_has_no_fields() -> None:
    assert read_body([]) == Body()


@given(st.dictionaries(st.text(), st.text(), max_size=5))
def test_a_form_is_read_back(fields: dict[str, str]) -> None:
    data = urlencode(fields, errors="surrogatepass").encode()
    found = read(data, FORM)
    if all(text.isprintable() for pair in fields.items() for text in pair):
        assert dict(found.fields) == fields


@given(st.binary(max_size=200), st.sampled_from([FORM, "", "application/json", "text/plain"]))
def test_no_body_fails_to_be_described(data: bytes, content_type: str) -> None:
    found = read(data, content_type)
    assert "\n" not in found.describe()
    as_report(found)


@given(st.binary(max_size=200))
def test_no_multipart_body_fails_to_be_described(data: bytes) -> None:
    found = read(b"--B\r\n" + data, "multipart/form-data; boundary=B")
    assert "\n" not in found.describe()


def test_the_description_has_the_main_fields_without_credentials() -> None:
    form = {
        "csrf_token": "abc",
        "total": "49.90",
        "name": "Ada, total 1.00",
        "card_number": "4111111111111111",
        "empty": "",
        "note": "first\nsecond",
    }
    found = read(urlencode(form).encode(), FORM)
    described = ', total 49.90, name "Ada, total 1.00", note "first second", 3 more fields'
    assert found.describe() == described
    assert "4111" not in json.dumps(as_report(found))


def test_the_report_has_all_fields_and_lists_for_repeated_names() -> None:
    assert as_report(read(b"item=a&item=b&password=x&c=1", FORM)) == {
        "item": ["a", "b"],
        "password": "[redacted]",
        "c": "1",
    }
    assert as_report(read(b"hello", "text/plain")) == "hello"
    assert as_report(read(b"\xff\x00", "")) == "2 bytes"
    assert as_report(Body()) is None


PART = '--B\r\nContent-Disposition: form-data; name="a"\r\n'


@pytest.mark.parametrize(
    "data",
    [
        PART + "Content-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\n\r\nx\r\n--C--\r\n--B--",
        PART + "Content-Type: message/rfc822\r\n\r\nTo: x\r\n\r\nx\r\n--B--",
        "--B\r\nContent-Disposition: form-data; name=,?=@utf-8'';filename*\r\n\r\nx\r\n--B--",
        "--B\r\nContent-Disposition: form-data; name=" + "(" * 1000 + "\r\n\r\nx\r\n--B--",
    ],
)
def test_no_part_of_a_multipart_body_fails_to_be_read(data: str) -> None:
    read(data.encode(), "multipart/form-data; boundary=B")


@pytest.mark.parametrize("name", ["größe", r"a\b", "=?utf-8?q?total?=", "a%22b", ""])
def test_names_in_multipart_forms_are_read_as_browsers_write_them(name: str) -> None:
    data = f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n1\r\n2\r\n--B--\r\n'
    assert read(data.encode(), "multipart/form-data; boundary=B").fields == [(name, "1\r\n2")]


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        ((PART + "\r\nx\r\n") * 19_000 + "--B--", "multipart/form-data; boundary=B"),
        (json.dumps([1] * 300_000), "application/json"),
    ],
)
def test_a_body_with_many_fields_is_not_read_and_costs_little(data: str, content_type: str) -> None:
    begun = time.thread_time()
    assert not read(data.encode(), content_type).is_readable
    assert time.thread_time() - begun < 2
