"""Elements as a script describes them: role, name and context."""

from collections.abc import Sequence
from typing import get_args

import attrs

from charlotte.cli.scripts.words import Part, Problem, Scope, Word
from charlotte.page.model import ElementType

TYPES: frozenset[str] = frozenset(get_args(ElementType))
"""Names that ``find`` takes as a type."""

_ROLES = """
alert alertdialog application article banner blockquote button caption cell checkbox code
columnheader combobox complementary contentinfo definition dialog document feed figure form grid
gridcell group heading img link list listbox listitem log main marquee math menu menubar menuitem
menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup
region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status switch
tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
"""
KINDS = TYPES | frozenset(_ROLES.split())
_ROWS = {"row", "listitem", "treeitem", "article"}


@attrs.frozen
class Description:
    """An element by its kind (a role, or a type of ``find``), its name, and its context.

    ``row`` is a text in the same row, list item or card, ``near`` a text next to the element,
    ``inside`` the element around it. ``number`` counts equal elements from 1.
    """

    kind: str
    name: Word
    row: Word | None = None
    near: Word | None = None
    inside: "Description | None" = None
    number: int | None = None

    def write(self, scope: Scope) -> str:
        """Return the description for a message."""
        parts = [f'{self.kind} "{self.name.text(scope)}"']
        if self.row is not None:
            parts.append(f'in "{self.row.text(scope)}"')
        if self.near is not None:
            parts.append(f'near "{self.near.text(scope)}"')
        if self.inside is not None:
            parts.append(f"in {self.inside.write(scope)}")
        if self.number is not None:
            parts.append(f"#{self.number}")
        return " ".join(parts)


@attrs.frozen
class Described:
    """A described element as an argument; ``prefix`` is ``name=`` before it, ``value`` follows."""

    prefix: str
    description: Description
    value: Word | None = None


Argument = Word | Described


@attrs.define
class Reader:
    """Reads the words of a line from left to right."""

    words: Sequence[Word]
    place: int = 0

    def peek(self, ahead: int = 0) -> Word | None:
        """Return the next word, or one after it; None at the end of the line."""
        index = self.place + ahead
        return self.words[index] if index < len(self.words) else None

    def take(self, what: str) -> Word:
        """Return the next word; raises `Problem` at the end of the line."""
        word = self.peek()
        if word is None:
            raise Problem(f"{what} is missing")
        self.place += 1
        return word

    def take_if(self, *texts: str) -> str:
        """Return the next word if it is one of these, without quotes; else an empty text."""
        word = self.peek()
        if word is None or word.bare not in texts:
            return ""
        self.place += 1
        return word.bare

    @property
    def at_description(self) -> bool:
        """Whether an element is described next."""
        return self._prefix() is not None

    def _prefix(self) -> str | None:
        word, name = self.peek(), self.peek(1)
        if word is None or name is None or not name.begins_quoted:
            return None
        prefix, sign, kind = word.bare.rpartition("=")
        return prefix + sign if kind in KINDS else None

    def take_argument(self) -> Argument:
        """Return the next word, or the described element at this place."""
        return self.take_described() if self.at_description else self.take("A word")

    def take_described(self) -> Described:
        """Return the described element at this place; raises `Problem` without one."""
        prefix = self._prefix()
        if prefix is None:
            raise Problem('an element is missing, such as button "Save"')
        kind = self.take("A role").bare.removeprefix(prefix)
        description, value = self._take_description(kind)
        if value is None and self.take_if("="):
            value = self.take("The value after =")
        return Described(prefix, description, value)

    def _take_description(self, kind: str) -> tuple[Description, Word | None]:
        name, value = _split_value(self.take("A name"))
        description = Description(kind, name)
        while value is None:
            word = self.peek()
            keyword = word.bare if word is not None else ""
            if keyword == "near":
                self.place += 1
                text, value = _split_value(self.take("The text after near"))
                description = attrs.evolve(description, near=text)
            elif keyword == "in":
                self.place += 1
                description, value = self._take_container(description)
            elif (number := keyword.partition("=")[0]).startswith("#") and number[1:].isdigit():
                self.place += 1
                description = attrs.evolve(description, number=max(1, int(number[1:])))
                if word is not None and number != keyword:
                    value = _without_sign(word, len(number))
            else:
                break
        return description, value

    def _take_container(self, description: Description) -> tuple[Description, Word | None]:
        word = self.take("The text or element after in")
        if word.begins_quoted:
            text, value = _split_value(word)
            return attrs.evolve(description, row=text), value
        name = self.peek()
        if word.bare not in KINDS or name is None or not name.begins_quoted:
            raise Problem('after in, a text or an element must follow, such as in row "Ada"')
        container, value = self._take_description(word.bare)
        is_named_only = not (container.row or container.near or container.number)
        if word.bare in _ROWS and is_named_only:
            inside = container.inside
            return attrs.evolve(description, row=container.name, inside=inside), value
        return attrs.evolve(description, inside=container), value


def _split_value(word: Word) -> tuple[Word, Word | None]:
    """Return a quoted text, and the value that follows it after ``=``."""
    if not word.begins_quoted:
        raise Problem("a name must be in quotes")
    name, rest = word.split()
    return name, None if rest is None else _without_sign(rest, 0)


def _without_sign(word: Word, place: int) -> Word:
    """Return a word without the ``=`` at a place of its first part."""
    first = word.parts[0]
    text = first.pieces[0] if first.pieces else ""
    if first.quoted or not isinstance(text, str) or not text[place:].startswith("="):
        raise Problem("after a name in quotes, a space or = must follow")
    return Word((Part((text[place + 1 :], *first.pieces[1:])), *word.parts[1:]))
