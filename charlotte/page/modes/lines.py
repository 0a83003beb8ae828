"""Lines of the text modes: their format, how many fit, and which elements are interactive."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from charlotte.page.model import ReferenceTarget, compact_json, frozen_record
from charlotte.page.modes.survey import Survey, SurveyElement

LONGEST_NAME = 50
"""Characters of a name in the modes of the Snapshot API, with the dots of a cut name."""

_DOTS = "..."
_REF_LENGTH = 20
"""Characters reserved for the e-ref of a line, which is created only for lines that are sent."""

INTERACTIVE = {
    *("button", "link", "tab", "option", "treeitem", "menuitem"),
    *("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"),
    *("textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"),
}


def is_interactive(element: SurveyElement) -> bool:
    """Return whether an agent can act on the element."""
    return element.role in INTERACTIVE or "focusable" in element.facts


@frozen_record
class OutputLine:
    """A line of a response; ``full`` is the line without cut names, "" if no name is cut.

    ``target`` is the element whose e-ref ends the line.
    """

    text: str
    full: str = ""
    depth: int = 0
    target: ReferenceTarget | None = None

    @property
    def searched(self) -> str:
        """Text that grep searches."""
        return self.full or self.text


@attrs.frozen(kw_only=True)
class ModeOutput:
    """Output of a mode: ``header``, which is never filtered, ``lines`` and ``notes``.

    ``targets`` are the elements of @refs by number. ``total`` counts the interactive elements,
    ``captured`` those in the lines. ``warnings`` are for the JSON block. ``longest`` limits the
    characters of one response, if not 0.
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
    """Return a text of the page without line ends."""
    return " ".join(text.split())


def shorten(text: str, limit: int) -> str:
    """Cut a text to ``limit`` characters, the last three of which are dots."""
    return text if len(text) <= limit else text[: limit - len(_DOTS)] + _DOTS


def quote(text: str, limit: int | None = None) -> str:
    """Return the text in quotation marks, with quotation marks and backslashes escaped."""
    line = one_line(text)
    cut = line if limit is None else shorten(line, limit)
    escaped = cut.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def build_line(write: Callable[[int | None], str], *, depth: int = 0) -> OutputLine:
    """Build a line with cut names, and for searches with full names."""
    text = write(LONGEST_NAME)
    full = write(None) if _DOTS in text else text
    return OutputLine(text, "" if text == full else full, depth)


def page_header(survey: Survey, *, viewport: bool = True) -> str:
    """Return ``PAGE: url | title | viewport=WxH``."""
    url, title = one_line(survey.url), one_line(survey.title)
    width, height = survey.viewport
    size = f" | viewport={width}x{height}" if viewport else ""
    return f"PAGE: {url} | {title}{size}"


def count_fitting_lines(header: Sequence[str], lines: Sequence[OutputLine], max_chars: int) -> int:
    """Count the lines that fit below the header, at least one."""
    room = max_chars - sum(len(line) + 1 for line in header)
    for count, line in enumerate(lines):
        room -= 2 * line.depth + len(line.text) + (_REF_LENGTH if line.target else 0) + 1
        if room < 0:
            return max(count, 1)
    return len(lines)


def format_lines(
    header: Sequence[str],
    lines: Sequence[OutputLine],
    notes: Sequence[str],
    refs: Mapping[int, str],
) -> str:
    """Return the text of a response: header and empty line, indented lines with e-refs, notes."""
    texts = [*header, ""] if header else []
    for line in lines:
        ref = line.target and refs.get(line.target.nid)
        texts.append(f"{'  ' * line.depth}{line.text}{f' [ref={ref}]' if ref else ''}")
    return "\n".join([*texts, *notes])


def limit_infos(infos: Mapping[str, dict[str, Any]], max_chars: int) -> dict[str, dict[str, Any]]:
    """Return the infos of the first references that fit as JSON."""
    kept: dict[str, dict[str, Any]] = {}
    for name, info in infos.items():
        max_chars -= len(name) + len(compact_json(info)) + len('"":,')
        if max_chars < 0:
            break
        kept[name] = info
    return kept
