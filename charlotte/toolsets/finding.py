"""Search of a page by a description: words of labels, values, surroundings and roles."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from charlotte.page.model import Element, PageView
from charlotte.page.text.tokens import quote
from charlotte.toolsets.lines import Name, role_of, without_refs, write_control

MOST_FOUND = 20
_MOST_TEXTS = 5
_WORD = re.compile(r"\w+")
_STOP_WORDS = frozenset(
    """a an the of for in on at to with that is are which and or by my me this it its page all any
    element elements where what""".split()  # noqa: SIM905 - a list of words
)
_ROLE_WORDS: Mapping[str, frozenset[str]] = {
    word: frozenset(roles.split())
    for words, roles in {
        "button buttons btn": "button",
        "link links anchor": "link",
        "field fields input inputs box textbox textarea text": "textbox searchbox spinbutton",
        "search searchbox searchbar": "searchbox textbox combobox",
        "checkbox checkboxes tick": "checkbox switch",
        "radio": "radio",
        "dropdown dropdowns select selector combobox list listbox": "combobox listbox",
        "slider range": "slider",
        "tab tabs": "tab",
        "toggle switch": "switch checkbox",
        "menu menuitem option": "menuitem option combobox",
        "upload file": "file",
        "date": "textbox",
    }.items()
    for word in words.split()
}
_SYNONYMS: Mapping[str, frozenset[str]] = {
    word: frozenset(group.split()) - {word}
    for group in (
        "login signin log sign",
        "search find lookup",
        "submit send save confirm ok",
        "delete remove trash",
        "cart basket bag",
        "buy purchase order checkout",
        "close dismiss cancel",
        "next forward continue",
        "previous prev back",
        "email mail",
        "phone telephone tel mobile",
        "settings preferences options",
        "edit change modify",
        "add new create",
    )
    for word in group.split()
}
_IN_LABEL, _SYNONYM, _BEGINNING, _BESIDE, _ROLE = 3.0, 2.0, 1.5, 1.0, 1.0
_PHRASE = 4.0
_LEAST_LETTERS = 3
"""Letters of a word that another word may begin with."""

_TEXT = 0.9
_LONGEST_TEXT = 300
_LEAST_SHARE = 0.4
"""The score of the last result, as a share of the score of the first."""


@attrs.frozen
class _Query:
    """The words of a description, those that name roles too, and all of it."""

    words: Sequence[str]
    phrase: str

    @classmethod
    def of(cls, text: str) -> "_Query":
        words = [word for word in _words(text) if word not in _STOP_WORDS] or _words(text)
        return cls(words, " ".join(words))

    def score(self, label: str, beside: str, role: str) -> float:
        """Return how well an element or text fits; 0 if no word is about it."""
        own, around = _words(label), set(_words(beside))
        total, is_named = 0.0, False
        for word in self.words:
            points = _score_word(word, own, around)
            is_named = is_named or points > 0
            if not points and role in _ROLE_WORDS.get(word, ()):
                points = _ROLE
            total += points
        if self.phrase and self.phrase in " ".join(own):
            total += _PHRASE
        is_role_alone = all(word in _ROLE_WORDS for word in self.words)
        return total if is_named or is_role_alone else 0.0


def _words(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.casefold())]


def _stem(word: str) -> str:
    """Return a word without the ending of a plural."""
    is_plural = len(word) > _LEAST_LETTERS and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word


def _score_word(word: str, own: Sequence[str], around: set[str]) -> float:
    """Return how well a word fits the words of a label, or those around it."""
    if word in own:
        return _IN_LABEL
    if not _SYNONYMS.get(word, frozenset[str]()).isdisjoint(own):
        return _SYNONYM
    if any(_begin_alike(word, one) for one in own):
        return _BEGINNING
    return _BESIDE if word in around else 0.0


def _begin_alike(one: str, other: str) -> bool:
    is_long = min(len(one), len(other)) >= _LEAST_LETTERS
    return is_long and (one.startswith(other) or other.startswith(one))


def find_described(view: PageView, text: str, name: Name) -> list[str]:
    """Return lines about at most 20 elements and texts that fit a description, the best first."""
    query = _Query.of(text)
    scored = [*_score_elements(view, query, name), *_score_texts(view, query)]
    scored.sort(key=lambda each: -each[0])
    best = scored[0][0] if scored else 0.0
    return [line for points, line in scored if points >= best * _LEAST_SHARE][:MOST_FOUND]


def _score_elements(view: PageView, query: _Query, name: Name) -> Iterator[tuple[float, str]]:
    for element in view.interactive:
        beside = (
            *(element.near, element.row, element.group, element.placeholder, element.title),
            *(element.value, element.icon, *(element.options or ())),
        )
        points = query.score(element.label, " ".join(filter(None, beside)), role_of(element))
        if points:
            yield points, _describe(element, name)


def _describe(element: Element, name: Name) -> str:
    around = element.row or element.near
    place = f" (near {without_refs(quote(around))})" if around else ""
    return f"{write_control(element, name, with_near=False)}{place}"


def _score_texts(view: PageView, query: _Query) -> Iterable[tuple[float, str]]:
    """Return the best headings and texts outside controls; they rank after equal controls."""
    labels = {element.id: element.label for element in view.interactive}
    texts: dict[str, str] = {}
    for line in view.lines:
        if line.owner not in labels:
            own = line.text
            for follower in line.followers:
                own = own.replace(labels.get(follower) or "\n", "", 1)
            texts[line.text] = own
    scores = ((query.score(own, "", "") * _TEXT, text) for text, own in texts.items())
    found = sorted((each for each in scores if each[0]), key=lambda each: -each[0])
    return [
        (points, f"text {without_refs(quote(text[:_LONGEST_TEXT]))}")
        for points, text in found[:_MOST_TEXTS]
    ]
