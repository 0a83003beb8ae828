"""Random actions on the busy page (busy.html), and the events expected of each."""

import json
import string
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs
from starlette.responses import HTMLResponse

from tests.whole.client import Reply
from tests.whole.tabs import Tab

PAGE: Final = Path(__file__).with_name("busy.html").read_bytes()
BUTTONS: Final = ("now", "frames", "timer", "fetch", "chain", "again", "pause")
ONCE: Final = {"again", "pause"}
"""Buttons that are replaced or disabled after a click and take no second click at once."""
FIELDS: Final = {"name": "Name", "code": "Code", "words": "Words", "item": "Item"}
CHECKS: Final = {"bold": "Bold", "wide": "Wide", "slow": "Slow", "fast": "Fast"}
PACES: Final = {"slow", "fast"}
LABELS: Final = {
    **{name: f"Do {name}" for name in BUTTONS}, **FIELDS, **CHECKS, "note": "Note", "size": "Size",
    "red": "Red", "blue": "Blue", "end": "The end",
}  # fmt: skip
ZONES: Final = ("left", "right")
FORM: Final = "order"
MODIFIERS: Final = ("ctrl", "shift", "alt", "meta")
LETTERS: Final = string.ascii_letters + string.digits
CLICKS: Final = {
    "left": ("click",),
    "double": ("click", "click", "dblclick"),
    "middle": ("auxclick",),
    "right": ("contextmenu", "auxclick"),
}
"""The events of each kind of click."""


def keys(text: str, field: str) -> list[str]:
    """Return the events of typing a text into a field."""
    return [f"key {one} {field}{' shift' if one.isupper() else ''}" for one in text]


class NotDoneError(Exception):
    """The target kept moving: the action must have had no effect."""


@attrs.define(eq=False)
class Hand:
    """A user of the page with a model of its expected state."""

    tab: Tab
    random: Random
    ids: dict[str, str] = attrs.field(factory=dict[str, str])
    counts: Counter[str] = attrs.field(factory=Counter[str])
    fields: dict[str, str] = attrs.field(factory=lambda: dict.fromkeys(FIELDS, ""))
    note: str = "."
    checked: set[str] = attrs.field(factory=set[str])
    size: str = "S"
    heard: list[str] = attrs.field(factory=list[str])

    def arrive(self) -> None:
        """Open the page and find the ids of its elements."""
        self.tab.open(self.tab.web.publish(HTMLResponse(PAGE)))
        self.ids = {name: self.tab.find(label) for name, label in LABELS.items()}
        for name in (*ZONES, FORM):
            [row] = self.tab.call("find", selector=f"#{name}")
            self.ids[name] = row["id"]

    def act(self) -> None:
        """Run a random action, then compare events and state with the model."""
        action = self.random.choice(ACTIONS)
        try:
            expected = action(self)
        except NotDoneError:
            expected = []
        shown = self.listen()
        assert self.heard == expected, f"{action.__name__}: {self.heard}, not {expected}"
        assert shown == self.model(), f"{action.__name__}: {shown}, not {self.model()}"
        self.heard = []

    def listen(self) -> dict[str, Any]:
        """Collect the events of the page; return its state."""
        report: dict[str, Any] = json.loads(self.tab.js("report()"))
        self.heard += report.pop("heard")
        return report

    def model(self) -> dict[str, Any]:
        """Return the expected state of the page."""
        checked = [name for name in CHECKS if name in self.checked]
        return {
            "held": [],
            "fields": self.fields,
            "note": self.note,
            "checked": checked,
            "size": self.size,
        }

    def call(self, tool: str, name: str, **arguments: Any) -> Reply:
        """Call a tool on an element; fail unless the action was performed."""
        reply = self.tab.reply(tool, element_id=self.ids[name], **arguments)
        if reply.result.get("isError") and reply.error["code"] == "ELEMENT_NOT_INTERACTIVE":
            raise NotDoneError
        assert reply.json["tab_id"] == self.tab.id
        return reply

    def part_of(self, kind: str, name: str, held: list[str]) -> list[str]:
        """Return the events of a click whose target moved away: at most one click."""
        self.listen()
        whole = Counter(" ".join([what, name, *held]) for what in CLICKS[kind])
        assert Counter(one for one in self.heard if name in one.split()) <= whole, self.heard
        self.counts.update(one.split()[1] for one in self.heard if one.startswith("click "))
        return self.heard

    def held(self) -> list[str]:
        """Choose modifiers, in the order in which the page lists them."""
        chosen = self.random.sample(MODIFIERS, self.random.choice((0, 0, 1, 2)))
        return [name for name in MODIFIERS if name in chosen]

    def text(self, longest: int = 12) -> str:
        """Return a random text."""
        return "".join(self.random.choices(LETTERS, k=self.random.randint(1, longest)))

    def enters(self, field: str, text: str) -> None:
        """Store the new value of a field in the model."""
        self.fields[field] = text.upper() if field == "code" else text


Action = Callable[[Hand], list[str]]


def click(hand: Hand) -> list[str]:
    name, kind = hand.random.choice(BUTTONS), hand.random.choice(list(CLICKS))
    if name in ONCE and kind == "double":
        kind = "left"
    held = hand.held()
    reply = hand.call("click", name, click_type=kind, modifiers=held)
    if "met something else" in reply.json.get("note", ""):
        return hand.part_of(kind, name, held)
    hand.counts[name] += CLICKS[kind].count("click")
    if kind in {"left", "double"} and reply.metadata["settled"]:
        assert f"{name} is {hand.counts[name]}" in reply.text, (kind, reply.metadata, reply.text)
    return [" ".join([what, name, *held]) for what in CLICKS[kind]]


def scroll_far_and_click(hand: Hand) -> list[str]:
    hand.call("click", "end")
    hand.tab.call("scroll", direction="up", amount="5000")
    return ["click end"]


def type_into(hand: Hand) -> list[str]:
    field, text = hand.random.choice(list(FIELDS)), hand.text()
    before = "" if (clear := hand.random.random() < 0.5) else hand.fields[field]
    slowly = hand.random.random() < 0.2
    reply = hand.call("type", field, text=text, clear_first=clear, slowly=slowly)
    hand.enters(field, before + text)
    assert hand.fields[field] in reply.text
    return keys(text, field)


def type_a_note(hand: Hand) -> list[str]:
    text = hand.text()
    hand.call("type", "note", text=text)
    hand.note = text
    return keys(text, "note")


def give_up_typing(hand: Hand) -> list[str]:
    """Cancel typing midway: no key may stay pressed."""
    text = hand.text(40)
    typing = hand.tab.start("type", element_id=hand.ids["name"], text=text, slowly=True)
    time.sleep(hand.random.uniform(0, 0.5))
    hand.tab.server.cancel(typing)
    hand.listen()
    if typed := text[: len(hand.heard)]:
        hand.enters("name", typed)
    return keys(typed, "name")


def toggle(hand: Hand) -> list[str]:
    name = hand.random.choice(list(CHECKS))
    hand.call("toggle", name)
    if name in PACES:
        hand.checked = hand.checked - PACES | {name}
    else:
        hand.checked ^= {name}
    return [f"click {name}"]


def choose(hand: Hand) -> list[str]:
    size = hand.random.choice("SML")
    hand.call("select", "size", value=size)
    hand.size = size
    return []


def press_keys(hand: Hand) -> list[str]:
    held, pressed = hand.held(), hand.random.sample(["ArrowDown", "Escape", "F2", "x"], 2)
    hand.call("key", "red", keys=pressed, modifiers=held)
    return [" ".join([f"key {one}", "red", *held]) for one in pressed]


def fill(hand: Hand) -> list[str]:
    texts = {field: hand.text(5) for field in FIELDS}
    rows = [{"element_id": hand.ids[field], "value": text} for field, text in texts.items()]
    hand.tab.call("fill_form", fields=rows)
    for field, text in texts.items():
        hand.enters(field, text)
    return [key for field, text in texts.items() for key in keys(text, field)]


def send(hand: Hand) -> list[str]:
    reply = hand.tab.reply("submit", form_id=hand.ids[FORM])
    hand.counts["sent"] += 1
    assert f"sent is {hand.counts['sent']}" in reply.text
    return ["click send", f"submit {FORM}"]


def drag(hand: Hand) -> list[str]:
    chip, zone = hand.random.choice(("red", "blue")), hand.random.choice(ZONES)
    hand.call("scroll", chip, block="center")  # at an edge, a shift could take it from the mouse
    answer = hand.tab.call("drag", source_id=hand.ids[chip], target_id=hand.ids[zone])
    if "No drag" in answer.get("note", ""):
        return ["click page"]
    return [f"drop {chip} {zone}"]


ACTIONS: Final[tuple[Action, ...]] = (
    click, click, click, click, scroll_far_and_click, type_into, type_a_note, give_up_typing,
    toggle, choose, press_keys, fill, send, drag,
)  # fmt: skip
