"""Random pages that show one record each, and their changes to other records."""

from random import Random

import attrs

from tests.identity.lists import Record, make_record

TITLES = ("name", "site", "both")
HEADINGS = ("name", "site", "none")
BODIES = ("event", "chat", "article")


@attrs.frozen
class Document:
    """A page about one record, with the record's name in its URL, title or heading."""

    record: Record
    where: str
    title_has: str
    heading_has: str
    body: str
    noise: str = ""

    @property
    def address(self) -> str:
        """The URL without parameters that select no record."""
        return self.url.removesuffix(self.noise)

    @property
    def url(self) -> str:
        path = {"path": f"/event/{self.record.id}", "query": f"/event?id={self.record.id}"}
        return path.get(self.where, "/event") + self.noise

    @property
    def title(self) -> str:
        return {"name": self.record.name, "site": "Diary"}.get(
            self.title_has, f"{self.record.name} - Diary"
        )

    def html(self) -> str:
        """Return the markup, with the record's key at its controls."""
        one = self.record
        heading = {"name": f"<h1>{one.name}</h1>", "site": "<h1>Event</h1>"}
        head = heading.get(self.heading_has, f"<div class=top><b>{one.name}</b></div>")
        return (
            f"<nav><a href='/home' mark='page|home'>Home</a></nav><main><header>{head}</header>"
            f"{getattr(self, '_' + self.body)()}</main>"
        )

    def _event(self) -> str:
        one = self.record
        return (
            f"<form method=post><p>City <input aria-label=City value='{one.city}' "
            f"mark='{one.key}|city'></p><p>By {one.name}, {one.age}</p>"
            f"<button mark='{one.key}|save'>Save</button></form>"
            f"<button mark='{one.key}|delete'>Delete event</button>"
        )

    def _chat(self) -> str:
        one = self.record
        return (
            f"<div class=messages><p>{one.name}: hello from {one.city}</p><p>You: hi</p></div>"
            f"<div class=composer><textarea aria-label=Message mark='{one.key}|message'></textarea>"
            f"<button mark='{one.key}|send'>Send</button></div>"
        )

    def _article(self) -> str:
        one = self.record
        _, _, query = self.url.partition("?")
        here = "page" if self.where == "nowhere" else one.key
        return (
            f"<p>{one.name} lives in {one.city}.</p><a href='/edit/{one.id}' "
            f"mark='{one.key}|edit'>Edit</a> <button mark='{one.key}|like'>Like</button>"
            f"<a href='/print?{query}' mark='{here}|print'>Print</a> <a href='/event?id="
            f"{one.id + 1}' mark='{one.key}|next'>Next</a> <a href='#' mark='{here}|top'>Top</a>"
        )


def make_document(random: Random) -> Document:
    """Build a random page that names its record in its URL or heading."""
    where = random.choice(["path", "query", "nowhere"])
    heading = "name" if where == "nowhere" else random.choice(HEADINGS)
    return Document(
        record=make_record(random, 1),
        where=where,
        title_has=random.choice(TITLES),
        heading_has=heading,
        body=random.choice(BODIES),
        noise=random.choice(["", "?from=mail"]) if where != "query" else "",
    )


def change_document(random: Random, before: Document) -> tuple[Document, str]:
    """Change the record, a parameter or nothing; return the page and a description."""
    how = random.choice(["loaded", "pushed"])
    match random.choice(["record", "noise", "nothing"]):
        case "record":
            other = make_record(random, 2)
            while other.name == before.record.name or other.id == before.record.id:
                other = make_record(random, 2)
            return attrs.evolve(before, record=other), f"another record {before.where}, {how}"
        case "noise":
            mark = "&" if before.where == "query" else "?"
            return attrs.evolve(before, noise=f"{mark}from=list"), f"parameter, {how}"
        case _:
            return before, f"again, {how}"
