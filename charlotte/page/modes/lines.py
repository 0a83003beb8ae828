"""Lines of the text modes, and how texts of the page are put into them."""

from collections.abc import Callable, Sequence

import attrs

from charlotte.page.modes.survey import Part, Survey
from charlotte.page.record import record

LONGEST_NAME = 50
"""Characters of a name in the modes of the Snapshot API; 47 and three dots of a longer one."""

_DOTS = "..."


@record
class Given:
    """What a reference in an answer was given to: the element's number, and what was said of it."""

    nid: int
    role: str
    name: str


@record
class Line:
    """One line of an answer; ``full`` is the same with no name cut, "" if none is.

    ``given`` is the element whose e-ref is to end the line.
    """

    text: str
    full: str = ""
    depth: int = 0
    given: Given | None = None

    @property
    def searched(self) -> str:
        """The text that grep looks at."""
        return self.full or self.text


@attrs.frozen(kw_only=True)
class Told:
    """What a mode tells: ``header``, which is never filtered, then ``lines``, then ``notes``.

    ``given`` are the @refs by number. Of the interactive elements that there are, ``total``,
    those ``captured`` are in the lines. ``warnings`` are for the block of JSON. One answer has at
    most ``longest`` characters, if that is said.
    """

    header: Sequence[str]
    lines: Sequence[Line]
    given: Sequence[Given] = ()
    total: int = 0
    captured: int = 0
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    longest: int = 0


def one_line(text: str) -> str:
    """A text of the page that can neither end its line nor begin another."""
    return " ".join(text.split())


def shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last three of a longer text being dots."""
    return text if len(text) <= limit else text[: limit - len(_DOTS)] + _DOTS


def quoted(text: str, limit: int | None = None) -> str:
    """The text in quotation marks; those in it and backslashes are escaped."""
    line = one_line(text)
    cut = line if limit is None else shortened(line, limit)
    escaped = cut.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def both(
    write: Callable[[int | None], str], limit: int, *, depth: int = 0, given: Given | None = None
) -> Line:
    """A line written twice: with names cut, and for searches with names in full."""
    text = write(limit)
    full = write(None) if _DOTS in text else text
    return Line(text, "" if text == full else full, depth, given)


def page_line(survey: Survey, *, viewport: bool = True) -> str:
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


def is_interactive(part: Part) -> bool:
    """Whether it is one of those that an agent can act on."""
    return part.role in INTERACTIVE or "focusable" in part.facts
