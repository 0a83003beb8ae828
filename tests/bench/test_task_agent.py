"""An agent of the task benchmark looks only for what no valid answer shows."""

# ruff: noqa: ARG002 - the fake has the parameters of a side

from collections.abc import Mapping, Sequence

import attrs
import pytest

from bench.tasks.agent import Agent, Pair
from bench.tasks.model import ActionFailed, Item, Seen, Target, TaskFailed, button, field

GO = Item("btn-1", "button", "Go")
NEXT = Item("btn-2", "button", "Next")


@attrs.define
class FakeSide:
    """Answers in turn, and keeps the names of the calls."""

    answers: list[Seen | ActionFailed]
    reports_changes: bool = True
    first_tab: str = "tab-1"
    calls: list[str] = attrs.field(factory=list[str], init=False)

    def answer(self, call: str) -> Seen:
        self.calls.append(call)
        answer = self.answers.pop(0)
        if isinstance(answer, ActionFailed):
            raise answer
        return answer

    async def open(self, tab: str, url: str) -> Seen:
        return self.answer(f"open {url}")

    async def click(self, tab: str, item: Item) -> Seen:
        return self.answer(f"click {item.ref}")

    async def fill(self, tab: str, pairs: Sequence[Pair], submit: Item | None) -> Seen:
        return self.answer("fill " + " ".join(item.ref for item, _ in pairs))

    async def answer_dialog(self, tab: str, *, accept: bool) -> Seen:
        return self.answer("dialog")

    async def open_tabs(self, urls: Sequence[str], hint: str) -> Mapping[str, Seen]:
        return {"tab-2": self.answer("open_tabs")}

    async def enter(self, tab: str) -> Seen:
        return Seen()

    async def look_for(self, tab: str, targets: Sequence[Target]) -> Seen:
        return self.answer("look for " + " ".join(str(target.name) for target in targets))

    async def look_for_text(self, tabs: Sequence[str], hint: str) -> Mapping[str, Seen]:
        return {tab: self.answer(f"look for text {hint}") for tab in tabs}

    async def look_around(self, tab: str) -> Seen:
        return self.answer("look around")


async def test_what_an_answer_shows_is_not_looked_for() -> None:
    side = FakeSide([Seen((GO,), "5 results", whole=True), Seen(changes=True)])
    agent = Agent(side, "http://a")
    await agent.open("/x")
    assert await agent.read(r"(\d+) results", hint="results") == "5"
    await agent.click(button("go"))
    assert side.calls == ["open http://a/x", "click btn-1"]


async def test_changes_add_to_what_is_known_and_a_page_replaces_it() -> None:
    side = FakeSide(
        [
            Seen((GO,), whole=True),
            Seen((NEXT,), changes=True),
            Seen(),
            Seen(whole=True),
            Seen((GO,)),
        ]
    )
    agent = Agent(side, "http://a")
    await agent.open("/x")
    await agent.click(button("Go"))
    await agent.click(button("Next"))
    await agent.click(button("Go"))
    side.answers.append(Seen())
    await agent.click(button("Go"))
    assert side.calls[-2:] == ["look for Go", "click btn-1"]


async def test_a_side_that_reports_no_changes_is_looked_at_after_a_load() -> None:
    side = FakeSide([Seen((GO,), "Old"), Seen(), Seen((), "New")], reports_changes=False)
    agent = Agent(side, "http://a")
    await agent.open("/x")
    await agent.click(button("Go"), loads=False)
    assert await agent.read("Old|New", hint="New") == "New"
    assert side.calls[-1] == "look for text New"


async def test_a_ref_that_is_refused_is_looked_for_once() -> None:
    refused = ActionFailed("gone")
    side = FakeSide([Seen((GO,), whole=True), refused, Seen((NEXT, GO)), refused])
    agent = Agent(side, "http://a")
    await agent.open("/x")
    with pytest.raises(TaskFailed, match="gone"):
        await agent.click(button("Go"))
    assert side.calls[1:] == ["click btn-1", "look for Go", "click btn-1"]


async def test_an_element_that_is_nowhere_fails_the_task() -> None:
    side = FakeSide([Seen(), Seen(), Seen()])
    agent = Agent(side, "http://a")
    await agent.open("/x")
    with pytest.raises(TaskFailed, match="not found"):
        await agent.fill({field("Name"): "Ada"})
    assert side.calls[1:] == ["look for Name", "look around"]


async def test_the_first_accepted_row_follows_the_order_of_the_last_answer() -> None:
    rows = Seen(text="Ash gone Elm here Oak here", whole=True)
    side = FakeSide([rows, Seen(changes=True, order=("Ash", "Oak", "Elm"))])
    agent = Agent(side, "http://a")
    await agent.open("/x")
    assert await agent.read_first(r"(\w+) (gone|here)", "here", hint="here") == "Elm"
    await agent.open("/x?sorted")
    assert await agent.read_first(r"(\w+) (gone|here)", "here", hint="here") == "Oak"
