"""Requests as the browser reports them, read for the rules of a policy."""

from base64 import b64decode

from charlotte.policy.bodies import EMPTY, Body, read_body
from charlotte.policy.rules import Request
from charlotte.protocol import network


def read_request(request: network.NetworkRequest) -> Request:
    """Return a request with the fields of its body."""
    body = _read(request) if request.has_post_data else EMPTY
    return Request(request.method, request.url, body)


def _read(request: network.NetworkRequest) -> Body:
    """Read a body; parts that the browser does not report are files."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    parts = [
        None if entry.bytes is None else b64decode(entry.bytes)
        for entry in request.post_data_entries or [network.PostDataEntry()]
    ]
    return read_body(
        parts, headers.get("content-type", ""), encoding=headers.get("content-encoding", "")
    )
