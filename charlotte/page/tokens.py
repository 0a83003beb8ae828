"""Tokens of the text form of answers: quoted names, text of the page, controls with their states.

A page cannot imitate a token: its text is written as a JSON string if it could be mistaken for one.
"""

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from charlotte.base.errors import ellipsize
from charlotte.page.identity.assignment import PREFIXES
from charlotte.page.model import Element

LONGEST_URL = 2_000
_LONGEST_ADDRESS = 300
_LONGEST_DATA = 60
_KILO = 1000

_FORMAT = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Characters of category Cf, which can reorder, hide or change text; without the two joiners."""

_JOINERS = "\u200c\u200d"
"""Invisible characters that spelling needs: kept, but ignored when text is checked."""

_IGNORED = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0080-\U000e0fff"
)
"""More invisible characters, such as variation selectors, treated like the joiners."""

_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_ESCAPED = re.compile(f"[{_CONTROLS}{_FORMAT}{_JOINERS}\ud800-\udfff]")
_ESCAPED_IN_TEXT = re.compile(f"[{_FORMAT}\ud800-\udfff]")
_SEPARATORS = re.compile(f"[{_CONTROLS}]+")
_INVISIBLE = re.compile(f"[{_FORMAT}{_JOINERS}{_IGNORED}]")

_PREFIXES = "|".join(sorted({*PREFIXES.values(), "dom", "tab"}))
_BEGINS_AS_TOKEN = re.compile(
    r"(?!\[invisible\] )[\s\\\"\[#|]|[*+~!…-](?:\s|$)|---|error\s+[A-Z_]+:|no changes",
    re.IGNORECASE,
)
_CONTAINS_TOKEN = re.compile(
    rf"(?<!\w)(?:{_PREFIXES})-[0-9a-f]|@ref:|(?:^|\s)(?:\\\||→)(?:\s|$)|(?:^|\s)/\s(?:[\"#\\]|\|(?:\s|$))",
    re.IGNORECASE,
)

UNSAFE_IN_URL = re.compile(f"[\\s{_CONTROLS}{_FORMAT}{_JOINERS}{_IGNORED}\ud800-\udfff]")
"""Spaces and characters without a glyph."""

_IMITATION = re.compile(
    r"(?m)^(?=[!…] |error [A-Z_]+:|no changes|tab-\d|--- (?:end of )?page)", re.IGNORECASE
)
"""The beginning of a line that looks like one of Charlotte's."""

_FENCE = re.compile(r"^```", re.MULTILINE)

_SEPARATOR = re.compile(r"(\s)\|(?=\s|$)")
_HYPHENATED = re.compile("-[0-9a-fA-F]")
_SLASHED = re.compile(r"/\s")

_encode = json.JSONEncoder(ensure_ascii=False).encode


def write_line(text: str) -> str:
    """Return a text on one line, without invisible characters."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else quote(one)[1:-1] for one in line)


def plural(count: int, noun: str) -> str:
    """Return a noun with an ``s``, unless it is counted once."""
    return noun if count == 1 else f"{noun}s"


def write_place_behind(front: str | None) -> str:
    """Return where unreachable content is; ``front`` is the dialog that covers it, if one does."""
    return f"behind {write_line(front)}" if front else "inert or aria-hidden"


def _percent_encode(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def write_address(url: str, page_url: str = "", limit: int = _LONGEST_ADDRESS) -> str:
    """Return a URL as one word; without its origin if that is the origin of ``page_url``.

    Only the beginning of a ``data:`` URL is returned, which has the type of the data.
    """
    if url.startswith("data:"):
        limit = min(limit, _LONGEST_DATA)
    origin = _origin(page_url)
    if origin and _origin(url) == origin:
        url = url[len(origin) :] or "/"
    return ellipsize(UNSAFE_IN_URL.sub(_percent_encode, ellipsize(url, LONGEST_URL)), limit)


def _origin(url: str) -> str:
    """Return the beginning of a URL up to its path, "" if it names no host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def write_size(size: float) -> str:
    """Return a number of bytes as ``512 B``, ``1.2 kB`` or ``3.4 MB``."""
    if size < _KILO:
        return f"{size:.0f} B"
    is_mega = size >= _KILO**2
    number = f"{size / _KILO ** (2 if is_mega else 1):.1f}".removesuffix(".0")
    return f"{number} {'MB' if is_mega else 'kB'}"


def quote(text: str) -> str:
    """Return a text as a JSON string on one line without invisible characters."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return escape_invisible(_encode(text))


def escape_invisible(text: str) -> str:
    """Return a text of which some is quoted, with escapes for invisible characters."""
    return _ESCAPED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def write_text(text: str) -> str:
    """Return a text of the page on one line so that it cannot be mistaken for a token.

    A backslash is put before a beginning that could be one, and before a separator of cells. A text
    that contains another token is quoted.
    """
    if text.isprintable() and _is_plain(text) and not _BEGINS_AS_TOKEN.match(text):
        return text
    line = visible = (text if text.isprintable() else _SEPARATORS.sub(" ", text)).rstrip()
    if not line.isascii():
        if _ESCAPED_IN_TEXT.search(line):
            return quote(line)
        visible = _INVISIBLE.sub("", line)
    escaped, bars = _SEPARATOR.subn(r"\1\\|", line)
    if (
        not visible
        or visible[-1].isspace()
        or _CONTAINS_TOKEN.search(visible)
        or (visible is not line and bars < len(_SEPARATOR.findall(visible)))
    ):
        return quote(line or text)
    return f"\\{escaped}" if _BEGINS_AS_TOKEN.match(visible) else escaped


def _is_plain(text: str) -> bool:
    """Return whether a text contains nothing that a token needs, as most texts; this is quick."""
    return not (
        not text
        or text[-1] == " "
        or "|" in text
        or "→" in text
        or "@" in text
        or ("-" in text and _HYPHENATED.search(text))
        or ("/" in text and _SLASHED.search(text))
        or not (text.isascii() or not _INVISIBLE.search(text))
    )


def write_lines(texts: Iterable[str], *, is_html: bool = False) -> Iterator[str]:
    """Return texts of a page without invisible characters, and with marked imitations.

    A line that begins like one of Charlotte's gets a backslash, except in fenced code; in HTML, an
    empty comment.
    """
    is_code = False
    for text in texts:
        fences = len(_FENCE.findall(text))
        is_plain = not (is_code or fences) or is_html
        is_code ^= bool(fences % 2)
        escaped = _ESCAPED_IN_TEXT.sub(_escape, text)
        mark = "<!---->" if is_html else r"\\"
        yield _IMITATION.sub(mark, escaped) if is_plain else escaped


TYPE_WORDS = {
    "textarea": "multiline",
    "range": "slider",
    "file_input": "file",
    "date_input": "date",
    "color_input": "color",
}
"""Words for types that share the prefix of another type."""

STATE_WORDS = {
    "enabled": ("", "disabled"),
    "visible": ("", "hidden"),
    "readonly": ("readonly", ""),
    "invalid": ("invalid", ""),
    "focused": ("focused", ""),
    "expanded": ("expanded", "collapsed"),
    "selected": ("selected", ""),
    "pressed": ("on", "off"),
    "aria_hidden": ("aria-hidden", ""),
}
"""Words for a state that is true and for one that is false."""

_MOST_OPTIONS = 8
_OPTION_CHARS = 120


def write_states(
    element: Element, *, is_row: bool = False, implied: str = "", with_near: bool = True
) -> str:
    """Return the states of a control as ``a, b``; "" if there is nothing to mention."""
    states = name_states(element, is_row=is_row, implied=implied, with_near=with_near)
    return ", ".join(word for _, word in states)


def name_states(
    element: Element, *, is_row: bool = False, implied: str = "", with_near: bool = False
) -> Iterator[tuple[str, str]]:
    """Return the names and words of the states of a control.

    A check mark comes first, where a blank shows.
    """
    if (checked := element.state.get("checked")) is not None:
        yield "checked", "-" if checked == "mixed" else "x" if checked else " "
    yield from _kind_states(element, "row" if is_row else implied)
    if element.icon and not is_row:
        yield "icon", f"icon {quote(element.icon)}"
    yield from _value_states(element)
    yield from _state_words(element)
    if element.click_type:
        yield "click", f"{element.click_type} click"
    if with_near and element.near and not element.label and not is_row:
        yield "near", f"near {quote(element.near)}"
    if element.visible:
        yield "shows", f"shows {quote(element.visible)}"
    if element.title and element.title.casefold() != element.label.casefold():
        yield "title", f"title {quote(element.title)}"


def _kind_states(element: Element, implied: str) -> Iterator[tuple[str, str]]:
    """Return what kind of control it is; ``implied`` is a role that is not written, or ``row``."""
    if implied == "row":
        yield "role", "row"
    elif element.role != implied and element.has_special_role:
        yield "role", element.role
    if word := TYPE_WORDS.get(element.type):
        yield "type", word
    if element.role == "searchbox" and not element.label:
        yield "search", "search"


def _value_states(element: Element) -> Iterator[tuple[str, str]]:
    """Return what a field contains, and what it may contain."""
    if element.state.get("required"):
        yield "required", "*"
    if element.is_password:
        yield "password", "password"
    if element.value is not None:
        yield "value", f"= {quote(element.value)}"
    if element.options:
        yield "options", write_options(element.options)
    if element.placeholder and element.value is None and element.placeholder != element.label:
        yield "hint", f"hint {quote(element.placeholder)}"


def _state_words(element: Element) -> Iterator[tuple[str, str]]:
    """Return the words for the states of an element, without the check mark and ``*``."""
    for name, value in element.state.items():
        if name == "invalid" and element.message:
            yield name, f"invalid: {quote(element.message)}"
        elif name in STATE_WORDS:
            word = STATE_WORDS[name][not value] if value != "mixed" else f"{name} mixed"
            if word:
                yield name, word
        elif name == "player":
            yield name, str(value)
        elif name == "sort" and value != "none":
            yield name, f"sorted {value}"
        elif name == "current" and value:
            yield name, "current" if value is True else f"current {value}"


def write_options(options: tuple[str, ...]) -> str:
    """Return the options of a list if they are few and short, else their number."""
    if len(options) <= _MOST_OPTIONS and sum(map(len, options)) <= _OPTION_CHARS:
        return f"options {', '.join(map(quote, options))}"
    return f"{len(options)} options"


def write_control(
    element: Element,
    *,
    is_row: bool = False,
    implied: str = "",
    with_near: bool = True,
    with_bounds: bool = False,
    more: str = "",
) -> str:
    """Return a control as ``id "name" [states]``; ``more`` is a further state.

    A box is written as ``@ x,y wxh``, in CSS pixels of the viewport.
    """
    states = [write_states(element, is_row=is_row, implied=implied, with_near=with_near)]
    if with_bounds:
        box = element.bounds
        states.append(f"@ {box.x},{box.y} {box.w}x{box.h}" if box else "@ nowhere")
    listed = ", ".join(filter(None, [*states, more]))
    name = '""' if is_row else quote(element.label)
    return f"{element.id} {name} [{listed}]" if listed else f"{element.id} {name}"
