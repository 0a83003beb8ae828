"""Tasks in the issue tracker (Roundup)."""

from typing import Final

from bench.tasks.agent import Agent
from bench.tasks.applications import TRACKER, Running
from bench.tasks.model import Target, Value, button, check, choice, field, link
from bench.tasks.task import Task, expect

_STATUS: Final = """
select status._name from _issue issue join _status status on status.id = issue._status
where issue.id = ?"""
_KEYWORD: Final = """
select keyword._name, priority._name from _issue issue
join issue_keyword joined on joined.nodeid = issue.id
join _keyword keyword on keyword.id = joined.linkid
join _priority priority on priority.id = issue._priority
where issue._title = ?"""


async def log_in(agent: Agent) -> None:
    """Fill in the form of the side bar, whose fields have no names."""
    login: dict[Target, Value] = {
        field(None, nth=2): "ada",
        field(None, nth=3): "harbour-light-9",
    }
    await agent.fill(login, submit=button("Login"))


async def report(agent: Agent, tracker: Running) -> None:
    """Report an issue with a keyword that is chosen in another window."""
    title = "Ink runs out on page two"
    await agent.open("/issue?@template=item")
    await log_in(agent)
    await agent.click(link("(list)", row="Keywords"), loads=False)
    form = await agent.enter_opened()
    await agent.fill({check(None, row="printing"): True})
    await agent.click_and_return(button("apply"), form)
    entry: dict[Target, Value] = {
        field("Title"): title,
        choice("Priority"): "urgent",
    }
    await agent.fill(entry, submit=button("Submit New Entry"))
    await agent.read(r"[Ii]ssue ?\d+ created", hint="created")
    expect(tracker.query(_KEYWORD, title), [("printing", "urgent")])


async def resolve(agent: Agent, tracker: Running) -> None:
    """Search for an issue by its title and status; change its status."""
    number, title, status = tracker.query(
        """select issue.id, issue._title, status._name from _issue issue
        join _status status on status.id = issue._status
        where status._name != 'resolved' order by issue.id limit 1"""
    )[0]
    await agent.open("/issue?@template=search")
    await log_in(agent)
    await agent.fill(
        {field("Title"): title, choice("Status"): status},
        submit=button("Search", nth=1),
    )
    await agent.click(link(title))
    await agent.fill({choice("Status"): "resolved"}, submit=button("Submit Changes"))
    await agent.read("edited ok", hint="edited ok")
    expect(tracker.query(_STATUS, number), [("resolved",)])


TASKS: Final = (
    Task(12, "tracker: new issue, keyword chosen in another window", TRACKER, report),
    Task(13, "tracker: search form, change the status", TRACKER, resolve),
)
