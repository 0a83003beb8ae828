"""A JSON schema of HAR 1.2 with the parts that its readers rely on."""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": -1}
TIME: Schema = {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d\d-\d\dT[\d:.]+Z"}


def record(optional: Schema | None = None, /, **required: Schema) -> Schema:
    fields = {**required, **(optional or {})}
    return {"type": "object", "properties": fields, "required": list(required)}


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


PAIR = record(name=TEXT, value=TEXT)
COOKIES = array(PAIR)
REQUEST = record(
    {"postData": record(mimeType=TEXT, text=TEXT)},
    method=TEXT,
    url={"type": "string", "format": "uri", "pattern": "^[a-z]+:"},
    httpVersion=TEXT,
    cookies=COOKIES,
    headers=array(PAIR),
    queryString=array(PAIR),
    headersSize=COUNT,
    bodySize=COUNT,
)
RESPONSE = record(
    status=COUNT,
    statusText=TEXT,
    httpVersion=TEXT,
    cookies=COOKIES,
    headers=array(PAIR),
    content=record(size=COUNT, mimeType=TEXT),
    redirectURL=TEXT,
    headersSize=COUNT,
    bodySize=COUNT,
)
ENTRY = record(
    startedDateTime=TIME,
    time={"type": "number", "minimum": 0},
    request=REQUEST,
    response=RESPONSE,
    cache={"type": "object"},
    timings=record(send=NUMBER, wait=NUMBER, receive=NUMBER),
)
HAR = record(
    log=record(
        version={"const": "1.2"}, creator=record(name=TEXT, version=TEXT), entries=array(ENTRY)
    )
)
