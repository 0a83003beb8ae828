"""Random lists of records, their layouts, and their changes."""

from collections.abc import Callable
from itertools import count
from random import Random

import attrs

FIRST = "Ann Bob Cid Dora Eve Finn Gus Hana Ivo Jana Kai Lena Milo Nora Otto Pia Quin Rosa Sam Tess"
LAST = (
    "Berg Cole Diaz Engel Fuchs Gray Hall Ito Jung Klein Lopez Moser Novak Olsen Park Reyes Stone"
)
CITIES = ("Lima", "Oslo", "Rome", "Kyiv", "Graz")
STATES = ("active", "paused", "new")
FIELDS = ("id", "name", "age", "city", "state", "score")
_GENERATED = count(1)
_FRESH = 40
"""The number of records, most of which are not shown at first."""


@attrs.frozen
class Record:
    """A record; only the oracle knows ``key``, all other fields may be on the page."""

    key: int
    id: int
    name: str
    age: int
    city: str
    state: str
    score: int

    def text(self, field: str) -> str:
        return str(getattr(self, field))


def make_record(random: Random, key: int) -> Record:
    name = f"{random.choice(FIRST.split())} {random.choice(LAST.split())}"
    return Record(
        key,
        random.randrange(100, 999),
        name,
        random.randrange(18, 80),
        random.choice(CITIES),
        random.choice(STATES),
        random.randrange(10),
    )


def make_records(random: Random) -> tuple[list[Record], list[Record]]:
    """Return the records shown first, and others; all names and ids differ."""
    names, ids = set[str](), set[int]()
    found: list[Record] = []
    while len(found) < _FRESH:
        one = make_record(random, len(found))
        if one.name not in names and one.id not in ids:
            names.add(one.name)
            ids.add(one.id)
            found.append(one)
    if random.random() < 0.5:  # the numbers of a small database
        first = random.choice([1, 101])
        found = [attrs.evolve(one, id=number) for number, one in enumerate(found, first)]
    shown = random.randrange(1, 9)
    return found[:shown], found[shown:]


def make_equal(random: Random, records: list[Record], look: "Look") -> list[Record]:
    """Return the records with only two sets of texts, distinguished by a key."""
    if not look.key or "id" in look.fields:
        return records
    kinds = records[:2]
    return [attrs.evolve(random.choice(kinds), key=one.key, id=one.id) for one in records]


Layout = Callable[[Record, "Look"], str]


@attrs.frozen
class Look:
    """The appearance of a list: layout, key attribute, links and fields."""

    layout: str
    key: str
    linked: bool
    fields: tuple[str, ...]
    query: str = ""

    def href(self, one: Record) -> str:
        return f"/item/{one.id}{self.query}" if self.linked else f"/item?id={one.id}"

    def row(self, one: Record, index: int) -> str:
        draw: Layout = DRAWINGS[self.layout]
        html = draw(one, self)
        return html.replace("INDEX", str(index + 1))


def _mark(one: Record, part: str) -> str:
    return f'mark="{one.key}|{part}"'


def _key(one: Record, look: Look) -> str:
    match look.key:
        case "":
            return ""
        case "generated":  # some frameworks generate an id for each new node
            return f'id="view{next(_GENERATED)}"'
        case "id":
            return f'id="item-{one.id}"'
        case _:
            return f'{look.key}="{one.id}"'


def _grid(one: Record, look: Look) -> str:
    cells = "".join(
        f"<td role=gridcell tabindex=-1 onclick=1 {_mark(one, field)}>{one.text(field)}</td>"
        for field in look.fields
    )
    return f"<tr role=row aria-rowindex=INDEX {_key(one, look)}>{cells}</tr>"


def _table(one: Record, look: Look) -> str:
    cells = "".join(f"<td>{one.text(field)}</td>" for field in look.fields)
    return (
        f"<tr {_key(one, look)}><td><input type=checkbox {_mark(one, 'box')}></td>{cells}"
        f"<td><button {_mark(one, 'edit')}>Edit</button>"
        f"<button {_mark(one, 'delete')}>Delete</button></td></tr>"
    )


def _linked_table(one: Record, look: Look) -> str:
    cells = "".join(f"<td>{one.text(field)}</td>" for field in look.fields if field != "name")
    return (
        f"<tr {_key(one, look)}><td><a href='{look.href(one)}' {_mark(one, 'link')}>{one.name}</a>"
        f"</td>{cells}<td><a href='/ask/{one.id}' {_mark(one, 'ask')}>Ask</a></td></tr>"
    )


def _items(one: Record, look: Look) -> str:
    texts = " ".join(f"<span>{one.text(field)}</span>" for field in look.fields)
    return f"<li {_key(one, look)}>{texts} <button {_mark(one, 'delete')}>Delete</button></li>"


def _cards(one: Record, look: Look) -> str:
    texts = "".join(f"<p>{one.text(field)}</p>" for field in look.fields if field != "name")
    return (
        f"<div class=card {_key(one, look)}><h3>{one.name}</h3>{texts}"
        f"<div><button {_mark(one, 'buy')}>Buy</button>"
        f"<button {_mark(one, 'more')}>More</button></div></div>"
    )


def _results(one: Record, look: Look) -> str:
    texts = ", ".join(one.text(field) for field in look.fields if field != "name")
    return (
        f"<div class=result><h3><a href='{look.href(one)}' {_mark(one, 'link')}>{one.name}</a></h3>"
        f"<p>{texts}</p><a href='/cache/{one.id}' {_mark(one, 'cache')}>Cached</a></div>"
    )


def _links(one: Record, look: Look) -> str:
    return f"<li><a href='{look.href(one)}' {_mark(one, 'link')}>{one.name}</a></li>"


def _threads(one: Record, look: Look) -> str:
    return (
        f"<div class=thread role=listitem {_key(one, look)}><b>{one.name}</b> <i>{one.state}</i>"
        f"<button aria-label=Pin {_mark(one, 'pin')}>*</button></div>"
    )


DRAWINGS: dict[str, Layout] = {
    "grid": _grid,
    "table": _table,
    "linked table": _linked_table,
    "items": _items,
    "cards": _cards,
    "results": _results,
    "links": _links,
    "threads": _threads,
}
AROUND = {"grid": "tbody", "table": "tbody", "linked table": "tbody", "items": "ul", "links": "ul"}


def make_look(random: Random) -> Look:
    others = [field for field in FIELDS if field not in {"id", "name"}]
    some = random.sample(others, random.randrange(1, len(others) + 1))
    first = ["id", "name"] if random.random() < 0.5 else ["name"]
    return Look(
        layout=random.choice(list(DRAWINGS)),
        key=random.choice(["", "", "", "data-id", "data-key", "id", "generated"]),
        linked=random.random() < 0.7,
        fields=(*first, *some),
        query=random.choice(["", "?tab=1"]),
    )


CHANGES = (
    "none",
    "sorted",
    "updated",
    "renamed",
    "deleted",
    "inserted",
    "replaced",
    "paged",
    "cut",
)


def change_records(
    random: Random, what: str, here: list[Record], others: list[Record], look: Look
) -> list[Record]:
    now = list(here)
    place = random.randrange(len(now))
    match what:
        case "sorted":
            random.shuffle(now)
        case "updated":
            now[place] = _updated(random, now[place], look)
        case "renamed":
            now[place] = attrs.evolve(now[place], name=others[-1].name)
        case "deleted":
            del now[place]
        case "inserted":
            now.insert(place, others[0])
        case "replaced":
            now = others[: random.randrange(1, 9)]
        case "paged":
            now = [*now[len(now) // 2 :], *others[: len(now) // 2 + 1]]
        case "cut":
            now = [now[place]]
        case _:
            pass
    return now


def _updated(random: Random, one: Record, look: Look) -> Record:
    field = random.choice([field for field in look.fields if field not in {"id", "name"}])
    new = make_record(random, 0)
    return attrs.evolve(one, **{field: getattr(new, field)})
