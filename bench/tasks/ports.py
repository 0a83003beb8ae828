"""The task in the tables (Datasette)."""

from typing import Final

from bench.tasks.agent import Agent
from bench.tasks.applications import PORTS, Running
from bench.tasks.model import button, choice, field, link
from bench.tasks.task import Task, expect

_FILTERS: Final = (("port", "=", "Oslo"), ("kind", "=", "ferry"), ("tons", ">", "20000"))
_ROW: Final = r"([A-Z]\w+ [A-Z]\w+ \d+) (\w+) Oslo"
_TOP: Final = """
select ship from arrivals where port = 'Oslo' and kind = 'ferry' and tons > 20000
order by crew desc, id limit 1"""


async def search(agent: Agent, ports: Running) -> None:
    """Set three filters, sort by the crew, read the top row."""
    await agent.open("/harbour/arrivals")
    for number, (column, operator, value) in enumerate(_FILTERS):
        filled = {
            choice(None, nth=2 * number): column,
            choice(None, nth=2 * number + 1): operator,
            field(None, nth=number): value,
        }
        await agent.fill(filled, submit=button("Apply"))
    await agent.click(link("crew", nth=-1))
    await agent.click(link("crew ▼"))
    ship = await agent.read_first(_ROW, "ferry", hint="ferry")
    expect([(ship,)], ports.query(_TOP))


TASKS: Final = (Task(14, "tables: three filters, sort, read the top row", PORTS, search),)
