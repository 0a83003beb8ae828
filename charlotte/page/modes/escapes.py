"""Text and code written so that Markdown reads back as the same."""

import re

_MARKUP = r"""
    \\(?=[!-/:-@\[-`{-~])           # a backslash that would escape what follows
    | `
    | (?<!\s)\* | \*(?!\s)          # a star that is not alone
    | (?<![^\W_])_ | _(?![^\W_])     # a low line that is not inside a word
    | ~(?=~)
    | <(?=[A-Za-z/?]|!(?!--))
    | &(?=\#?\w+;)
    """
_LITERALS = re.compile(rf"{_MARKUP} | \[(?=[ xX]\]) | \](?=[(:\[])", re.VERBOSE)
_LITERALS_IN_LINKS = re.compile(rf"{_MARKUP} | [\[\]]", re.VERBOSE)
_BEGINS_BLOCK = re.compile(r"(\d*)(?=#{1,6}\s|[-+*.)]\s|>|```|~~~|---|=+$)")

LINKING = "!["
"""What links and images begin with."""
_ESCAPE = r"\\."
# Atomic and possessive: a page could otherwise choose texts that take exponential time.
_CODE = r"(?>(?<!`)(?P<{0}>`+)(?!`).*?(?<!`)(?P={0})(?!`))"
_ADDRESS = r"\]\([^\s()]*\)"
_IMAGE = rf"!\[(?:{_ESCAPE}|[^\[\]\\])*+{_ADDRESS}"
_LINK = rf"\[(?:{_ESCAPE}|{_CODE.format('inner')}|{_IMAGE}|[^\[\]\\`])*+{_ADDRESS}"
_WHOLE = re.compile(f"{_ESCAPE}|{_CODE.format('outer')}|{_IMAGE}|{_LINK}", re.DOTALL)
"""What means something else without its end."""
_LONGEST_WHOLE = 5_000
"""Characters of it that are looked at, for a text may be of megabytes."""


def escaped(text: str, *, linked: bool = False) -> str:
    """Text that marks nothing up; in links brackets would end it."""
    literals = _LITERALS_IN_LINKS if linked else _LITERALS
    return literals.sub(r"\\\g<0>", text).replace("<!--", "&lt;!--")


def safe(text: str) -> str:
    """The text so that none of its lines begins another block."""
    return "\n".join(
        _BEGINS_BLOCK.sub(r"\1\\", line, count=1) if _BEGINS_BLOCK.match(line) else line
        for line in text.split("\n")
    )


def code(text: str) -> str:
    """Code in a line, between marks that are longer than any in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    touches = text.strip()[:1] == "`" or text.strip()[-1:] == "`"
    mark, space = "`" * (longest + 1), " " * touches
    return around(text, mark + space, space + mark)


def around(text: str, before: str, after: str) -> str:
    """Marks stand at the words, not at spaces around them; where there are no words, none do."""
    words = text.strip()
    if not words:
        return text
    start = len(text) - len(text.lstrip())
    end = start + len(words)
    return f"{text[:start]}{before}{words}{after}{text[end:]}"


def address(url: str) -> str:
    """An address that ends where the parentheses around it do."""
    return re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", url)


def whole_until(text: str, end: int) -> int:
    """Where Markdown may be cut: at ``end``, or in front of the code or link that is there."""
    for found in _WHOLE.finditer(text, 0, end + _LONGEST_WHOLE):
        if found.start() >= end:
            break
        if found.end() > end:
            return len(text[: found.start()].rstrip())
    return end
