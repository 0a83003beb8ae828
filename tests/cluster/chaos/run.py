"""The run: agents at work while parts of the cluster are killed, then the evaluation."""

import random
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import attrs
import httpx2
import trio

from tests.cluster.chaos.agent import Agent
from tests.cluster.chaos.calls import PATIENCE, Caller
from tests.cluster.chaos.desk import open_desks
from tests.cluster.chaos.killing import Killer
from tests.cluster.chaos.ledger import Ledger
from tests.cluster.chaos.leftovers import environment, find_files, find_processes, still_running
from tests.cluster.gateways import open_gateway
from tests.cluster.nodes import Nodes, open_nodes
from tests.server.http.clients import Stateless
from tests.site.server import Site

AGENTS = 8
NODES = 3
"""One of them is a spare: each has room for all sessions."""
_SAVED = 4.0
"""Seconds without kills at the beginning, in which the sessions are saved."""
_RECOVERY = 60.0
_ENDED_WITHIN = 30.0
_CALM = 5.0


@attrs.frozen
class Verdict:
    seed: int
    seconds: float
    ledger: Ledger

    @property
    def failures(self) -> list[str]:
        return self.ledger.failures

    def figures(self) -> dict[str, Any]:
        return {"seed": self.seed, "minutes": self.seconds / 60, **self.ledger.figures()}

    def lines(self) -> list[str]:
        """Return the report, with all kills only after a failure."""
        return [
            *(f"{name:<24} {value}" for name, value in self.figures().items()),
            *(f"FAILED   {failure}" for failure in self.failures),
            *(f"kill     {kill}" for kill in self.ledger.kills if self.failures),
            "failed" if self.failures else "passed",
        ]


async def run(seed: int, seconds: float) -> Verdict:
    """Run for a time; the outcome depends on the seed and on timing."""
    ledger = Ledger()
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        place = Path(name)
        with environment({"TMPDIR": name, "RAY_TMPDIR": tempfile.gettempdir()}):
            with open_nodes(NODES, in_threads=True) as nodes, environment(nodes.environment):
                hosts = await _work(ledger, nodes, random.Random(seed), seconds)  # noqa: S311 - no secret
                with trio.move_on_after(_ENDED_WITHIN):
                    while still_running(hosts):  # noqa: ASYNC110 - other processes
                        await trio.sleep(0.2)
                if found := still_running(hosts):
                    ledger.fail(f"hosts outlive their gateway: {found}")
            await _check_empty(ledger, place, hosts)
    ledger.check_waits()
    return Verdict(seed, seconds, ledger)


async def _work(ledger: Ledger, nodes: Nodes, chance: random.Random, seconds: float) -> set[int]:
    """Let agents work and kill things; return the processes of all hosts."""
    async with (
        open_desks(ledger) as site,
        open_gateway("--log-level", "error", places=NODES * AGENTS) as (url, _),
        AsyncExitStack() as stack,
    ):
        http = await stack.enter_async_context(httpx2.AsyncClient(timeout=PATIENCE))
        killer = Killer(ledger, chance, nodes, Stateless(url, http))
        agents = [await _open_agent(stack, ledger, url, chance, site) for _ in range(AGENTS)]
        await _begin(agents)
        until = trio.current_time() + seconds
        async with trio.open_nursery() as working:
            working.start_soon(killer.run, until)
            for agent in agents:
                working.start_soon(agent.work, until)
        await _recover(agents)
    return killer.hosts


async def _open_agent(
    stack: AsyncExitStack, ledger: Ledger, url: str, chance: random.Random, site: Site
) -> Agent:
    own = random.Random(chance.random())  # noqa: S311 - no secret
    http = await stack.enter_async_context(httpx2.AsyncClient(timeout=PATIENCE))
    mark = f"mark-{secrets.token_hex(4)}"
    return Agent(Caller(mark, ledger, Stateless(url, http)), site, own)


async def _begin(agents: Sequence[Agent]) -> None:
    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(agent.begin)
    await trio.sleep(_SAVED)


async def _recover(agents: Sequence[Agent]) -> None:
    """Check that every session recovers after the last kill; then no error is excused."""
    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(_recovered, agent)
    await trio.sleep(_CALM)
    for agent in agents:
        if not await agent.check():
            agent.caller.fail("got an error after all had recovered")
        await agent.caller.close()


async def _recovered(agent: Agent) -> None:
    with trio.move_on_after(_RECOVERY):
        while not await agent.check():  # noqa: ASYNC110 - no event to wait for
            await trio.sleep(0.2)
        return
    agent.caller.fail(f"did not recover within {_RECOVERY:.0f} s")


async def _check_empty(ledger: Ledger, place: Path, hosts: set[int]) -> None:
    with trio.move_on_after(10):
        while find_processes(place, hosts) or find_files(place):  # noqa: ASYNC110
            await trio.sleep(0.2)
    if found := find_processes(place, hosts):
        ledger.fail(f"processes are left: {found}")
    if files := find_files(place):
        ledger.fail(f"files are left: {files}")
