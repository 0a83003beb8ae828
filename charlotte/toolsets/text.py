"""Text that models get: parts of Charlotte's answers and errors, without addresses and paths."""

import re
from collections.abc import Iterable, Mapping

from charlotte.errors import SNAPSHOT_ADVICE, CharlotteError

_REST = r"""[^\s'"<>]*[^\s'"<>.,;:!?]"""
_ADDRESS = re.compile(
    rf"""(['"])[a-z][a-z0-9+.-]{{1,20}}://[^'"]*\1"""
    rf"""|\b[a-z][a-z0-9+.-]{{1,20}}://{_REST}"""
    rf"""|['"]?\b(?:data|blob|javascript|chrome-error):{_REST}['"]?""",
    re.IGNORECASE,
)
_PATH = re.compile(r"""(?<![\w/.:])['"]?~?(?:/[\w@+-]+(?:\.[\w@+-]+)*)+/?['"]?""")
_ANSWERED_ELSEWHERE = re.compile(
    r"! (?:download |\d+ page tool|tab-\d+ opened"
    r"|The \w+ dialog .* \(dialog_auto_dismiss\)|click at |scroll at |type at "
    r"|\S+ (?:scrolled into|was in) view)"
)
"""Remarks on what the state of the browser reports or the model knows, and on tools of pages."""

_CALL = re.compile(r": [a-z_{}]+(?: or [a-z_]+)?\{.*")
"""The calls of Charlotte's tools that a remark or a cut ends with."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_OTHERS = re.compile(r"--[a-z][a-z-]+|\bCharlotte\b|\w\{[^}]*\}|\b[a-z]+_[a-z_]+\b")
"""Flags, calls, parameters and tools, which a model cannot use."""

_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS = {"a", "and", "for", "in", "of", "on", "that", "the", "to", "with"}
_ROLES: Mapping[str, str] = {
    "btn": "button", "lnk": "link", "inp": "textbox field input", "sel": "combobox dropdown",
    "chk": "checkbox", "rad": "radio", "tog": "switch toggle", "frm": "form",
}  # fmt: skip
"""Words for the kinds of elements, by the beginning of their ids."""


class ToolsetError(Exception):
    """A failure whose text is for the model: without addresses, paths and names of Charlotte."""


class TabMissing(ToolsetError):
    """The tab of a call is not open."""


def without_places(text: str) -> str:
    """Return a text without addresses and paths."""
    return _PATH.sub("the file", _ADDRESS.sub("the address", text))


def describe(error: CharlotteError) -> str:
    """Return what failed, and the sentences on what to do that name no tool of Charlotte."""
    suggestion = error.suggestion or ""
    for advice in SNAPSHOT_ADVICE:
        suggestion = suggestion.removeprefix(advice)
    usable = [one for one in _SENTENCE.split(suggestion) if not _OTHERS.search(one)]
    return without_places(" ".join([error.message, *usable]).strip())


def answer_lines(text: str) -> list[str]:
    """Return the lines of Charlotte's answer about a page that matter to the model.

    The header is left out, and so are remarks on tabs, dialogs and downloads, which the state of
    the browser reports, and on tools of the page.
    """
    lines = text.split("\n")
    if lines[0].startswith("tab-"):
        del lines[0]
    return [
        without_places(_CALL.sub("", line)) if line.startswith("! ") else line
        for line in lines
        if not _ANSWERED_ELSEWHERE.match(line)
    ]


def find_lines(lines: Iterable[str], query: str) -> list[str]:
    """Return at most 20 lines that fit a description, the best first."""
    wanted = _words(query) - _STOP_WORDS or _words(query)
    scored = [(len(wanted & (_words(line) | _kinds(line))), line.strip()) for line in lines]
    scored = sorted(filter(lambda each: each[0], scored), key=lambda each: -each[0])
    return [line for score, line in scored[:20] if score >= scored[0][0] / 2]


def _kinds(line: str) -> set[str]:
    return _words(_ROLES.get(line[:3], "")) if line[3:4] == "-" else set()


def _words(text: str) -> set[str]:
    """Return the words of a text without endings of plurals."""
    return {re.sub(r"(?<=\w{3})(?<!s)s$", "", word) for word in _WORD.findall(text.casefold())}


def cut_lines(lines: Iterable[str], room: int, between: str, more: str) -> str:
    """Return as many lines as there is room for; ``more`` has the number of others as ``{}``."""
    kept: list[str] = []
    room -= len(more) + 10
    waiting = iter(lines)
    for line in waiting:
        room -= len(line) + len(between)
        if room < 0:
            left_out = more.format(1 + sum(1 for _ in waiting))
            return between.join([*(kept or [line[: room + len(line)]]), left_out])
        kept.append(line)
    return between.join(kept)
