"""Errors and remarks of Charlotte's in the words of a vendor's tool."""

import re
from collections.abc import Callable, Mapping

import attrs

from charlotte.errors import SNAPSHOT_ADVICE, CharlotteError
from charlotte.tools.toolkit import CATALOG

_EXAMPLE = r"(?!https?://example\.org(?:/|\b(?![.-])))"
_REST = r"""[^\s'"<>]*[^\s'"<>.,;:!?]"""
_ADDRESS = re.compile(
    rf"""(['"])[a-z][a-z0-9+.-]{{1,20}}://[^'"]*\1|\b{_EXAMPLE}[a-z][a-z0-9+.-]{{1,20}}://{_REST}""",
    re.IGNORECASE,
)
_BARE = re.compile(rf"""['"]?\b(?:data|blob|javascript|chrome-error):{_REST}['"]?""")
_PATH = re.compile(r"""(?<![\w/.:])['"]?~?(?:/[\w@+-]+(?:\.[\w@+-]+)*)+/?['"]?""")
_PLACES = ((_ADDRESS, "the address"), (_BARE, "the address"), (_PATH, "the file"))
"""Patterns of addresses and paths, and the words instead; addresses of examples stay."""

_FAILED_REQUEST = re.compile(r"^(! failed request: .*) the (?:address|file)")

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_OBSERVE = re.compile(r"\b(?:([Cc])all observe|([Oo])bserve(?: the page| it)?)\b")
_OTHERS = re.compile(r"--[a-z][a-z-]+|\bCharlotte\b|\w\{[^}]*\}|\b(?:element|source|tab)_id\b")
"""Flags, calls with arguments and parameters, which a model cannot use."""

_NAMES = "|".join(sorted((tool.name for tool in CATALOG), key=len, reverse=True))
_CALLED = re.compile(rf"\b([Cc]all|[Uu]se|[Ww]ith|[Pp]ass|to|in|by) ({_NAMES})\b(?! [a-z]+ed\b)")
_LEADING = re.compile(rf"^({_NAMES})\b(?= (?:did not|waited|needs))")
_COMPOUND = re.compile(rf"\b({'|'.join(one for one in _NAMES.split('|') if '_' in one)})\b")


def without_places(text: str) -> str:
    """Return a text without addresses and paths."""
    for pattern, words in _PLACES:
        text = pattern.sub(words, text)
    return text


@attrs.frozen
class Wording:
    """The members of a vendor's tool by the names of Charlotte's tools that they stand for."""

    members: Mapping[str, str]

    def describe(self, error: CharlotteError, rewrite: Callable[[str], str]) -> str:
        """Return what failed and what to do; ``rewrite`` puts refs in place of ids."""
        suggestion = error.suggestion or ""
        for advice in SNAPSHOT_ADVICE:
            suggestion = suggestion.removeprefix(advice)
        message = _LEADING.sub(
            lambda found: self.members.get(found[1], "The action"), error.message
        )
        return f"{without_places(rewrite(message))} {self.advise(suggestion, rewrite)}".strip()

    def advise(self, text: str, rewrite: Callable[[str], str] = str) -> str:
        """Return a text without places and without sentences about other tools."""
        sentences = map(self._advise, _SENTENCE.split(rewrite(text)))
        return without_places(" ".join(filter(None, sentences)))

    def remark(self, line: str) -> str:
        """Return a line of an answer without a cursor; remarks also without places."""
        if line.startswith("…"):
            return f"{line.partition(':')[0]}: read_page"
        return _FAILED_REQUEST.sub(r"\1", self.advise(line)) if line.startswith("!") else line

    def _advise(self, sentence: str) -> str:
        """Return a sentence with the vendor's names of tools; "" if it has other names."""
        sentence = _OBSERVE.sub(lambda one: f"{'C' if one[0][0].isupper() else 'c'}all read_page",
                                sentence)  # fmt: skip
        named = [found[2] for found in _CALLED.finditer(sentence)]
        named += [found[1] for found in _COMPOUND.finditer(sentence)]
        if _OTHERS.search(sentence) or any(name not in self.members for name in named):
            return ""
        sentence = _CALLED.sub(lambda found: f"{found[1]} {self.members[found[2]]}", sentence)
        return _COMPOUND.sub(lambda found: self.members[found[1]], sentence)
