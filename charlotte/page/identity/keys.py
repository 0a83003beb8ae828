"""What an id is made from: the composite key of a node, and the prefix of what it is listed as."""

from collections.abc import Mapping
from hashlib import md5

from charlotte.page.capture import Capture, Node, element_type

PREFIXES: Mapping[str, str] = {
    "button": "btn",
    "link": "lnk",
    "text_input": "inp",
    "textarea": "inp",
    "file_input": "inp",
    "range": "inp",
    "date_input": "inp",
    "color_input": "inp",
    "select": "sel",
    "checkbox": "chk",
    "radio": "rad",
    "toggle": "tog",
    "clickable": "clk",
    "static_text": "txt",
    "form": "frm",
    "region": "rgn",
    "heading": "hdg",
}
"""C-ID-05, and ``clk``."""

_KINDS = {"l": "region", "h": "heading", "f": "form"}
_STRUCTURE = {kind: PREFIXES[name] for kind, name in _KINDS.items()}
_STRUCTURAL = {*_STRUCTURE.values()}


def composite_key(capture: Capture, node: Node, kind: str) -> str:
    """C-ID-03: seven components, missing ones empty; ``kind`` is the element type."""
    role = label = ""
    if node.landmark:
        landmark = capture.by_nid[node.landmark]
        role, label = landmark.role, landmark.name
    position = node.extra.get("sib", 0)
    return f"{kind}|{node.role}|{node.name}|{role}|{label}|{node.container}|{position}"


def kin_of(key: str) -> str:
    """What keys have in common that only tell siblings apart: all but the position."""
    return key.rpartition("|")[0]


def hashed_id(kind: str, key: str) -> str:
    """C-ID-01 and C-ID-02, before collisions are told apart."""
    digest = md5(key.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return f"{PREFIXES.get(kind, 'el')}-{digest[:4]}"


def base_of(element_id: str) -> str:
    """The hashed id that it was made from: what comes before ``-2``, ``-3`` …."""
    prefix, digest, *_ = element_id.split("-")
    return f"{prefix}-{digest}"


def suits(element_id: str, kind: str) -> bool:
    """Whether a node of this kind may keep the id: a heading must not be called a button."""
    prefix = element_id[:3]
    return prefix == _STRUCTURE[kind] if kind in _STRUCTURE else prefix not in _STRUCTURAL


def first_kind(node: Node) -> str:
    """As what a node is listed."""
    return _KINDS[node.kind] if node.kind in _KINDS else element_type(node)


def second_kind(node: Node) -> str | None:
    """As what it is listed too: a form or control that is a landmark, or one that is a heading."""
    if node.is_landmark:
        return None if node.kind == "l" else "region"
    return "heading" if node.is_heading and node.kind != "h" else None
