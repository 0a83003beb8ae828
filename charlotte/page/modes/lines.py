"""Lines of the text modes, and how texts of the page are put into them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from charlotte.page.modes.survey import Survey, SurveyElement
from charlotte.page.record_base import compact_json, frozen_record

LONGEST_NAME = 50
"""Characters of a name in the modes of the Snapshot API; 47 and three dots of a longer one."""

_DOTS = "..."


@frozen_record
class ReferenceTarget:
    """What a reference in an answer was given to: the element's number, and what was said of it."""

    nid: int
    role: str
    name: str


@frozen_record
class OutputLine:
    """One line of an answer; ``full`` is the same with no name cut, "" if none is.

    ``given`` is the element whose e-ref is to end the line.
    """

    text: str
    full: str = ""
    depth: int = 0
    target: ReferenceTarget | None = None

    @property
    def searched(self) -> str:
        """The text that grep looks at."""
        return self.full or self.text


@attrs.frozen(kw_only=True)
class ModeOutput:
    """What a mode tells: ``header``, which is never filtered, then ``lines``, then ``notes``.

    ``given`` are the @refs by number. Of the interactive elements that there are, ``total``,
    those ``captured`` are in the lines. ``warnings`` are for the block of JSON. One answer has at
    most ``longest`` characters, if that is said.
    """

    header: Sequence[str]
    lines: Sequence[OutputLine]
    targets: Sequence[ReferenceTarget] = ()
    total: int = 0
    captured: int = 0
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    longest: int = 0


def one_line(text: str) -> str:
    """A text of the page that can neither end its line nor begin another."""
    return " ".join(text.split())


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last three of a longer text being dots."""
    return text if len(text) <= limit else text[: limit - len(_DOTS)] + _DOTS


def quote(text: str, limit: int | None = None) -> str:
    """The text in quotation marks; those in it and backslashes are escaped."""
    line = one_line(text)
    cut = line if limit is None else shorten(line, limit)
    escaped = cut.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def build_line(
    write: Callable[[int | None], str],
    limit: int,
    *,
    depth: int = 0,
    target: ReferenceTarget | None = None,
) -> OutputLine:
    """A line written twice: with names cut, and for searches with names in full."""
    text = write(limit)
    full = write(None) if _DOTS in text else text
    return OutputLine(text, "" if text == full else full, depth, target)


def page_header(survey: Survey, *, viewport: bool = True) -> str:
    """``PAGE: url | title | viewport=WxH``."""
    url, title = one_line(survey.url), one_line(survey.title)
    width, height = survey.viewport
    size = f" | viewport={width}x{height}" if viewport else ""
    return f"PAGE: {url} | {title}{size}"


INTERACTIVE = frozenset(
    [
        "button",
        "link",
        "textbox",
        "checkbox",
        "radio",
        "combobox",
        "listbox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "treeitem",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "searchbox",
    ]
)


def is_interactive(part: SurveyElement) -> bool:
    """Whether it is one of those that an agent can act on."""
    return part.role in INTERACTIVE or "focusable" in part.facts


_REF = 20
"""Characters set aside for the e-ref of a line, which is not known before it is sure to be sent."""


def count_fitting_lines(header: Sequence[str], lines: Sequence[OutputLine], max_chars: int) -> int:
    """How many of the lines fit under the header; at least one."""
    room = max_chars - sum(len(one) + 1 for one in header)
    for count, line in enumerate(lines):
        room -= 2 * line.depth + len(line.text) + (_REF if line.target else 0) + 1
        if room < 0:
            return max(count, 1)
    return len(lines)


def format_line(line: OutputLine, refs: Mapping[int, str]) -> str:
    """A line as it is sent, with the e-ref of its element."""
    ref = line.target and refs.get(line.target.nid)
    return f"{'  ' * line.depth}{line.text}{f' [ref={ref}]' if ref else ''}"


def format_lines(
    header: Sequence[str],
    lines: Sequence[OutputLine],
    notes: Sequence[str],
    refs: Mapping[int, str],
) -> str:
    """The header and an empty line, if there is one; the lines; the notes."""
    head = [*header, ""] if header else []
    return "\n".join([*head, *(format_line(line, refs) for line in lines), *notes])


def limit_infos(infos: Mapping[str, dict[str, Any]], max_chars: int) -> dict[str, dict[str, Any]]:
    """What is said of the first references, as far as that fits as JSON."""
    told: dict[str, dict[str, Any]] = {}
    for name, info in infos.items():
        max_chars -= len(name) + len(compact_json(info)) + len('"":,')
        if max_chars < 0:
            break
        told[name] = info
    return told
