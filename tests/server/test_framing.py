"""Lines out of a stream, and messages out of lines."""

import json
from itertools import pairwise

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCRequest, JSONRPCResponse
from trio.testing import memory_stream_one_way_pair

from charlotte.server.stdio import MAX_VALUES, LineReader, MalformedMessage, decode, encode


async def lines_of(*chunks: bytes, longest: int = 1000) -> list[bytes | str]:
    """Read all there is; a line that was too long stands there as the reason it was refused for."""
    sender, receiver = memory_stream_one_way_pair()
    reader = LineReader(receiver, longest)
    found: list[bytes | str] = []

    async def read() -> None:
        while True:
            try:
                line = await reader.next()
            except MalformedMessage as error:
                found.append(str(error))
            else:
                if line is None:
                    return
                found.append(line)

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            for chunk in chunks:
                await sender.send_all(chunk)
                await trio.testing.wait_all_tasks_blocked()
            await sender.aclose()
    return found


async def test_lines_are_cut_wherever_the_chunks_end() -> None:
    assert await lines_of(b'{"a"', b":1}\n{", b'"b":2}\n{"c":3}\n') == [
        b'{"a":1}\n',
        b'{"b":2}\n',
        b'{"c":3}\n',
    ]


async def test_a_line_beyond_the_limit_is_discarded_and_the_next_one_is_read() -> None:
    found = await lines_of(b"x" * 60, b"x" * 60, b"x" * 10 + b"\nnext\n", longest=100)
    assert found == ["a line must have at most 100 bytes, got 131", b"next\n"]


async def test_an_unfinished_line_beyond_the_limit_is_refused_too() -> None:
    found = await lines_of(b"x" * 120, b"x" * 10, longest=100)
    assert found == ["a line must have at most 100 bytes, got 130"]


@given(st.lists(st.binary(max_size=8)), st.lists(st.integers(0, 80)))
def test_lines_do_not_depend_on_chunks(lines: list[bytes], cuts: list[int]) -> None:
    whole = b"".join(line.replace(b"\n", b"_") + b"\n" for line in lines)
    places = sorted({0, *(min(cut, len(whole)) for cut in cuts), len(whole)})
    chunks = [whole[start:end] for start, end in pairwise(places)]
    expected = [line + b"\n" for line in whole.split(b"\n") if line.strip()]
    assert trio.run(lines_of, *chunks) == expected


def test_a_lone_surrogate_and_a_byte_order_mark_are_accepted() -> None:
    line = b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"a\\ud83d"}}'
    message = decode(line)
    assert isinstance(message, JSONRPCRequest)
    assert message.params == {"text": "a?"}


_VALUES = b'{"x":[%s0]}' % (b"{}," * MAX_VALUES)


def test_punctuation_in_a_long_text_does_not_count_as_values() -> None:
    text = ',{[\\"' * MAX_VALUES
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"text": text}})
    message = decode(line.encode())
    assert isinstance(message, JSONRPCRequest)
    assert message.params == {"text": text}


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"garbage", PARSE_ERROR, None),
        (b"\xff\xfe\x00", PARSE_ERROR, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"pi', PARSE_ERROR, None),
        (b"[" * 100_000, PARSE_ERROR, None),
        (b"[]", INVALID_REQUEST, None),
        (b"null", INVALID_REQUEST, None),
        (b"42", INVALID_REQUEST, None),
        (b'"text"', INVALID_REQUEST, None),
        (b"{}", INVALID_REQUEST, None),
        (b'{"jsonrpc":"1.0","id":"x","method":"ping"}', INVALID_REQUEST, "x"),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', INVALID_REQUEST, 7),
        (b'{"id":"x","method":"ping"}', INVALID_REQUEST, "x"),
        (b'{"jsonrpc":"2.0","id":true,"method":5}', INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":8,"method":"m","params":[1]}', INVALID_REQUEST, 8),
        (b'{"jsonrpc":"2.0","id":9,"method":"m","params":%s}' % _VALUES, INVALID_REQUEST, None),
    ],
)
def test_a_malformed_message_is_refused_with_its_id_if_it_has_one(
    line: bytes, code: int, request_id: int | str | None
) -> None:
    with pytest.raises(MalformedMessage) as refused:
        decode(line)
    assert refused.value.reply is not None
    assert (refused.value.reply.error.code, refused.value.reply.id) == (code, request_id)
    assert json.loads(encode(refused.value.reply))["id"] == request_id


@pytest.mark.parametrize("request_id", ["null", "1.5", "true", "{}", "[]"])
def test_a_request_with_an_id_of_an_invalid_type_is_refused_with_a_null_id(request_id: str) -> None:
    line = b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % request_id.encode()
    for sent in (line, b"\xef\xbb\xbf" + line):
        with pytest.raises(MalformedMessage) as refused:
            decode(sent)
        assert refused.value.reply is not None
        assert refused.value.reply.id is None
        assert refused.value.reply.error.code == INVALID_REQUEST


def test_a_lone_surrogate_in_an_answer_becomes_a_question_mark() -> None:
    answer = JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "é\ud83d\n"})
    line = encode(answer)
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"] == {"text": "é?\n"}
