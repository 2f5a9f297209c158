"""A frame is one or more messages, or says what is wrong and whose answer it was."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog.connect.messages import (
    BrokenMessage,
    ErrorResponse,
    Notice,
    RawResult,
    Response,
    ServerRequest,
    answered_id,
    looks_like_message,
    read_messages,
)
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import RAW_FRAME


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', Response),
        (b'{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"x"}}', ErrorResponse),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', ServerRequest),
        (b'{"jsonrpc":"2.0","method":"notifications/x","params":{}}', Notice),
    ],
)
def test_each_kind_of_message_is_told_apart(frame: bytes, kind: type) -> None:
    (message,) = read_messages(frame)
    assert type(message) is kind


@pytest.mark.parametrize(
    ("frame", "request_id"),
    [
        (b'{"jsonrpc":"2.0","id":5,"result":{},"error":{}}', 5),
        (b'{"jsonrpc":"2.0","id":5}', 5),
        (b'{"jsonrpc":"2.0","id":5,"result":[]}', 5),
        (b'{"jsonrpc":"2.0","id":5,"error":"no"}', 5),
        (b'{"jsonrpc":"1.0","id":5,"result":{}}', 5),
        (b'{"jsonrpc":"2.0","id":true,"result":{}}', None),
        (b'{"jsonrpc":"2.0","id":77,"result":{"x":NaN}}', 77),
        (b'{"result":{"x":oops},"id": 78}', 78),
        (b"[7]", None),
    ],
)
def test_a_broken_message_names_the_request_it_was_meant_for(frame: bytes, request_id: int | None) -> None:
    (broken,) = read_messages(frame)
    assert isinstance(broken, BrokenMessage)
    assert broken.request_id == request_id


@given(st.binary())
def test_no_bytes_at_all_make_it_fail(frame: bytes) -> None:
    for message in read_messages(frame):
        assert isinstance(message, BrokenMessage | ErrorResponse | Notice | ServerRequest | Response)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["jsonrpc", "id", "result", "error", "method", "params"]), inner
            )
        ),
    )
)
def test_no_json_at_all_makes_it_fail(value: Any) -> None:
    import json

    read_messages(json.dumps(value).encode())


def test_noise_is_told_apart_from_messages() -> None:
    assert looks_like_message(b'  {"a"')
    assert not looks_like_message(b"Server listening on port 3000")
    assert not looks_like_message(b"")


def test_an_id_is_found_at_either_end_of_a_large_frame() -> None:
    assert answered_id(b'{"id":3,"result":"' + b"x" * 100_000) == 3
    assert answered_id(b'{"result":"' + b"x" * 100_000 + b'","id":4}') == 4
    assert answered_id(b"x" * 100_000) is None


LARGE = b"x" * RAW_FRAME


def test_a_large_result_passes_as_the_very_bytes() -> None:
    result = b'{"content":[{"type":"text","text":"' + LARGE + b'\\ud83d\\ude00"}]}'
    assert read_messages(b'{"jsonrpc":"2.0","id":4,"result":' + result + b"}") == [
        Response(4, RawResult(result))
    ]


@pytest.mark.parametrize(
    "result",
    [
        b'{"a":"' + LARGE + b'\xff"}',
        b'{"a":"' + LARGE + b'\\ud800 alone"}',
        b'{"a":"' + LARGE + b'\\udc00 alone"}',
        b'{"a":"' + LARGE + b'","b":NaN}',
        b'{"a":"' + LARGE + b'","b":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'["' + LARGE + b'"]',
        b'{"a":"' + LARGE,
    ],
)
def test_a_large_result_that_is_not_sound_is_broken(result: bytes) -> None:
    (broken,) = read_messages(b'{"jsonrpc":"2.0","id":4,"result":' + result + b"}")
    assert isinstance(broken, BrokenMessage)
    assert broken.request_id == 4


def test_a_large_answer_with_an_error_beside_its_result_is_broken() -> None:
    (broken,) = read_messages(b'{"jsonrpc":"2.0","id":4,"error":{},"result":{"a":"' + LARGE + b'"}}')
    assert isinstance(broken, BrokenMessage)


def test_a_number_that_no_reader_can_hold_is_a_fault_of_the_server() -> None:
    result = b'{"a":"' + LARGE + b'","b":' + b"9" * 5000 + b"}"
    (answer,) = read_messages(b'{"jsonrpc":"2.0","id":4,"result":' + result + b"}")
    assert isinstance(answer, Response)
    assert isinstance(answer.result, RawResult)
    with pytest.raises(BackendProtocolError, match="cannot be read"):
        _ = answer.result.value


@pytest.mark.parametrize(
    "frame",
    [
        b'{"jsonrpc":"2.0","id":5,"method":"m","params":[1]}',
        b'{"jsonrpc":"2.0","id":[5],"method":"m"}',
        b'{"jsonrpc":"2.0","id":true,"method":"m","params":{}}',
    ],
)
def test_a_strange_request_of_a_server_answers_nobody(frame: bytes) -> None:
    (message,) = read_messages(frame)
    assert isinstance(message, ErrorResponse)
    assert message.id is None
