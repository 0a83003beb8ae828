"""The run: agents at work while faults are injected, then the evaluation."""

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Sequence
from contextlib import ExitStack, suppress
from typing import IO, Any

import attrs
import trio

from tests.chaos import machine
from tests.chaos.agent import Outage, Tab
from tests.chaos.calls import Caller, Refused
from tests.chaos.faults import POPUP_HOST, Faults
from tests.chaos.ledger import GRACE, Ledger
from tests.site.server import open_site
from tests.stdio_client import Client, open_client

PROGRAM = (sys.executable, "-m", "charlotte", "--log-level", "warning")
AGENTS = 8
TABS = 16
_RECOVERY = 30.0
_SLACK = {"tasks": 6, "files": 8, "cdp_sessions": 3, "subscriptions": 8, "processes": 6}
"""Allowed increase of each count during a run, for work in progress."""


@attrs.frozen
class Verdict:
    seed: int
    answers: Counter[str]
    ledger: Ledger
    before: dict[str, int]
    after: dict[str, int]
    outages: list[Outage]
    log: list[str]

    @property
    def failures(self) -> list[str]:
        return self.ledger.failures

    def lines(self) -> list[str]:
        """Return the report, with all faults only after a failure."""
        longest, faults = self.outages[-3:], self.ledger.faults
        return [
            f"seed {self.seed}",
            f"answers  {dict(self.answers)}",
            f"faults   {dict(Counter(fault.kind for fault in faults))}",
            f"before   {self.before}",
            f"after    {self.after}",
            *map(str, longest),
            *(f"FAILED   {failure}" for failure in self.failures),
            *(f"fault    {fault}" for fault in faults if self.failures),
            *(f"log      {line:.300}" for line in self.log if self.failures),
            "failed" if self.failures else "passed",
        ]


async def run(seed: int, seconds: float) -> Verdict:
    """Run for a time; the outcome depends on the seed and on timing."""
    ledger = Ledger()
    with ExitStack() as stack, tempfile.TemporaryFile("w+") as log:
        disk = stack.enter_context(machine.small_disk())
        program = (*PROGRAM, "--output-dir", str(disk)) if disk else PROGRAM
        async with open_site() as site, open_client(program, stderr=log.fileno()) as client:
            await client.initialize()
            caller, chance = Caller(client, ledger), random.Random(seed)  # noqa: S311 - no secret
            tabs = [Tab(caller, site, random.Random(chance.random()), n) for n in range(TABS)]  # noqa: S311
            for tab in tabs:
                await tab.open()
            before = await _counts(client)
            popup = site.url("/slow?ms=0&name=Popup", host=POPUP_HOST)
            await _work(tabs, Faults(caller, chance, tabs, popup, disk), seconds)
            after = await _settled(client, before)
            await _close(caller, ledger, client)
        _compare(ledger, before, after)
        outages = sorted(outage for tab in tabs for outage in tab.outages)
        return Verdict(seed, caller.answers, ledger, before, after, outages, _read_log(log))


def _compare(ledger: Ledger, before: dict[str, int], after: dict[str, int]) -> None:
    for name, count in before.items():
        if (more := after[name] - count) > _SLACK[name]:
            ledger.fail(f"{more} more {name} than before")


def _read_log(log: IO[str]) -> list[str]:
    """Return the log lines of the server, without tracebacks."""
    log.seek(0)
    return [line.partition('"exception"')[0] for line in log]


async def _work(tabs: Sequence[Tab], faults: Faults, seconds: float) -> None:
    until = trio.current_time() + seconds
    async with trio.open_nursery() as machine_watch:
        machine_watch.start_soon(faults.watch_machine)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(faults.inject, until)
            for number in range(AGENTS):
                nursery.start_soon(_agent, tabs[number::AGENTS], until)
        await _recover(faults.caller, tabs)
        machine_watch.cancel_scope.cancel("over")


async def _agent(tabs: Sequence[Tab], until: float) -> None:
    while trio.current_time() < until:
        for tab in tabs:
            await tab.step()


async def _recover(caller: Caller, tabs: Sequence[Tab]) -> None:
    """Check that every tab recovers after the last fault."""
    async with trio.open_nursery() as nursery:
        for tab in tabs:
            nursery.start_soon(_recovered, tab)
    await _tidy(caller, {tab.id for tab in tabs})
    await trio.sleep(GRACE)  # from now on, no error is excused
    for tab in tabs:
        try:
            await tab.check()
        except Refused as refused:
            caller.ledger.fail(f"{tab.id} did not recover: {refused}", tab.id)


async def _tidy(caller: Caller, kept: Container[str]) -> None:
    """Close the tabs that pages opened; the caller has recorded errors."""
    rows: list[dict[str, Any]] = []
    with suppress(Refused):
        rows = await caller.call("all", "tabs")
    for row in rows:
        if row["id"] not in kept:
            with suppress(Refused):
                await caller.call(row["id"], "tab_close", tab_id=row["id"])


async def _recovered(tab: Tab) -> None:
    is_back = False
    with trio.move_on_after(_RECOVERY):
        while not is_back:
            await tab.step()
            try:
                if tab.id:
                    await tab.check()
                    is_back = True
            except Refused:
                await trio.sleep(0.2)
    if not is_back:
        tab.caller.ledger.fail(f"{tab.id} did not recover within {_RECOVERY:.0f} s", tab.id)


async def _counts(client: Client) -> dict[str, int]:
    read: Any = await client.request("resources/read", {"uri": "charlotte://status"})
    status = json.loads(read["contents"][0]["text"])
    process, browser = status["process"], status["browser"]
    counts = {name: process[name] for name in ("tasks", "files")}
    counts |= {name: browser.get(name, 0) for name in ("cdp_sessions", "subscriptions")}
    return counts | {"processes": machine.processes(client.pid)}


async def _settled(client: Client, before: dict[str, int]) -> dict[str, int]:
    """Return the counts after they have settled, or after some seconds."""
    after = await _counts(client)
    for _ in range(50):
        if all(after[name] <= before[name] for name in before):
            break
        await trio.sleep(0.2)
        after = await _counts(client)
    return after


async def _close(caller: Caller, ledger: Ledger, client: Client) -> None:
    """Close every tab and check that no CDP session is left."""
    await _tidy(caller, ())
    counts = await _counts(client)
    for _ in range(25):
        if counts["cdp_sessions"] == 0:
            return
        await trio.sleep(0.2)
        counts = await _counts(client)
    ledger.fail(f"without tabs there are {counts['cdp_sessions']} CDP sessions")
