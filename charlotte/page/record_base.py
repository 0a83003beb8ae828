"""Basics of page records: a class decorator without run-time cost, compact JSON, cut texts."""

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attrs import frozen as frozen_record
else:
    from attrs import define as frozen_record

__all__ = ["clip_text", "compact_json", "ellipsize", "frozen_record"]
# Type checkers see ``attrs.frozen``. At run time nothing enforces that: creating an instance of a
# frozen class takes attrs four times as long.

_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""Characters that are valid in JSON strings but that some readers treat as line ends."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def compact_json(value: Any) -> str:
    """Return JSON on one line without spaces, in valid UTF-8: a lone surrogate becomes U+FFFD."""
    text = _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", _encode(value))
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def ellipsize(text: str, limit: int) -> str:
    """Return the first ``limit`` characters of a text, with an ellipsis if that cuts it."""
    return text if len(text) <= limit else f"{text[:limit]}…"


def clip_text(text: str, limit: int) -> str:
    """Return the first ``limit`` characters of a text, with its length if that cuts it."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
