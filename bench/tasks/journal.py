"""Tasks in the journal (Wagtail)."""

from typing import Final

import trio

from bench.tasks.agent import Agent
from bench.tasks.applications import JOURNAL, Running
from bench.tasks.model import Target, Value, button, check, choice, field, link
from bench.tasks.task import Task, expect

THINKING: Final = 3.0
"""Seconds until the page watches its form for changes by the user, and until it notices one."""

HOME: Final = "/admin/pages/2/"


async def log_in(agent: Agent) -> None:
    """Fill in the login form, which leads to the page that was asked for."""
    login: dict[Target, Value] = {
        field("Username"): "editor",
        field("Password"): "harbour-light-9",
    }
    await agent.fill(login, submit=button("Sign in"))


async def publish(agent: Agent, journal: Running) -> None:
    """Write an article with a date, a section and a mark; publish it."""
    await agent.open("/admin/pages/add/journal/article/2/")
    await log_in(agent)
    article: dict[Target, Value] = {
        field("Title"): "High water at noon",
        field("Date"): "2026-03-01",
        choice("Section"): "Tides",
        check("Featured on the home page"): True,
        field("Summary"): "The quay is closed.",
    }
    await agent.fill(article)
    await agent.click(button("More actions"), loads=False)
    await agent.click(button("Publish"))
    await agent.read("published", hint="published")
    rows = journal.query(
        """select live, date, section, featured, summary from journal_article
        join wagtailcore_page page on page.id = page_ptr_id where title = ?""",
        "High water at noon",
    )
    expect(rows, [(1, "2026-03-01", "tides", 1, "The quay is closed.")])


async def unpublish(agent: Agent, journal: Running) -> None:
    """Tick three pages of a list and unpublish them together."""
    titles = ("Lost dog 5", "Harbour fair 6", "Spring tide 7")
    await agent.open(HOME)
    await log_in(agent)
    await agent.fill({check(None, row=title): True for title in titles})
    await agent.click(link("Unpublish selected pages"))
    await agent.click(button("Yes, unpublish"))
    await agent.read("unpublished", hint="unpublished")
    rows = journal.query("select title from wagtailcore_page where not live order by id")
    expect([title for (title,) in rows], list(titles))


async def add_user(agent: Agent, journal: Running) -> None:
    """Add a user with two rounds of errors; leave a page that asks whether to leave."""
    await agent.open("/admin/users/new/")
    await log_in(agent)
    names: dict[Target, Value] = {
        field("Username"): "editor",
        field("Email"): "cy@example.org",
        field("First name"): "Cy",
        field("Last name"): "Marsh",
    }
    add, password, again = button("Create"), field("Password"), field("Password confirmation")
    await agent.fill({**names, password: "harbour-light-9", again: "harbour"}, submit=add)
    await agent.read("already exists", hint="already exists")
    await agent.fill(
        {field("Username"): "cy", password: "harbour-light-9", again: "harbour"}, submit=add
    )
    await agent.read("didn.t match", hint="didn.t match")
    await agent.fill({password: "harbour-light-9", again: "harbour-light-9"}, submit=add)
    await agent.read("User .cy. created", hint="created")
    await agent.open("/admin/pages/5/edit/")
    await trio.sleep(THINKING)
    await agent.fill({field("Summary"): "To be lost"})
    await trio.sleep(THINKING)
    await agent.leave_by(link("Images"), accept=True)
    await agent.read("Images - Wagtail", hint="Images")
    expect(journal.query("select email from auth_user where username = 'cy'"),
           [("cy@example.org",)])  # fmt: skip
    lost = "select count(*) from journal_article where summary = 'To be lost'"
    expect(journal.query(lost), [(0,)])


TASKS: Final = (
    Task(8, "journal: date, select, checkbox, publish", JOURNAL, publish),
    Task(9, "journal: three pages ticked, bulk unpublish", JOURNAL, unpublish),
    Task(19, "journal: user with two rounds of errors, page that asks", JOURNAL, add_user),
)
