"""Kills of hosts and nodes at random."""

import os
import random
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import attrs
import trio

from tests.cluster.chaos.ledger import Ledger
from tests.cluster.gateways import status_of
from tests.cluster.nodes import Nodes, raylet_of
from tests.server.http.clients import Stateless
from tests.whole.processes import arguments, descendants

_BETWEEN = 3.0, 10.0
_AWAY = 4.0, 10.0
"""Seconds until a node that was killed is replaced."""

_BACK_WITHIN = 60.0


@attrs.define(eq=False)
class Killer:
    """Kills one thing after another; a host that is live for the gateway always stays.

    ``client`` reads the status of the gateway, without a session. ``hosts`` are the processes of
    all hosts that were seen.
    """

    ledger: Ledger
    chance: random.Random
    nodes: Nodes
    client: Stateless
    hosts: set[int] = attrs.field(factory=set[int])
    _deck: list[Callable[[], Awaitable[bool]]] = attrs.field(
        factory=list[Callable[[], Awaitable[bool]]]
    )
    _order: trio.Lock = attrs.field(factory=trio.Lock)

    async def run(self, until: float) -> None:
        """Kill until a given time; then wait until all hosts are back."""
        async with trio.open_nursery() as nursery:
            while trio.current_time() < until:
                await trio.sleep(self.chance.uniform(*_BETWEEN))
                for kind in self._shuffled():
                    if await kind():
                        self._deck.remove(kind)
                        break
                if len(self.nodes.running) < self.nodes.count:
                    nursery.start_soon(self._replace_node)
        with trio.move_on_after(_BACK_WITHIN) as waiting:
            while len(await self._find_hosts()) < self.nodes.count:  # noqa: ASYNC110
                await trio.sleep(0.5)
        if waiting.cancelled_caught:
            self.ledger.fail(f"not all of {self.nodes.count} hosts are back")

    def _shuffled(self) -> list[Callable[[], Awaitable[bool]]]:
        """Return the kinds that are due: each once before any is due again."""
        if not self._deck:
            self._deck = [self._kill_host, self._kill_node]
            self.chance.shuffle(self._deck)
        return [*self._deck]

    async def _kill_host(self) -> bool:
        hosts = await self._find_hosts()
        if len(hosts) < 2:
            return False
        name, _, pid = self.chance.choice(hosts)
        self.ledger.note_kill("host", name)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return True

    async def _kill_node(self) -> bool:
        hosts = await self._find_hosts()
        if len(hosts) < 2 or len(self.nodes.running) < self.nodes.count:
            return False
        name, node, _ = self.chance.choice(hosts)
        self.ledger.note_kill("node", name)
        async with self._order:
            await trio.to_thread.run_sync(self.nodes.remove, node)
        return True

    async def _replace_node(self) -> None:
        await trio.sleep(self.chance.uniform(*_AWAY))
        async with self._order:
            if len(self.nodes.running) < self.nodes.count:
                await trio.to_thread.run_sync(self.nodes.add)

    async def _find_hosts(self) -> list[tuple[str, Any, int]]:
        """Return name, node and process of the hosts that are live and whose browser runs."""
        rows = (await status_of(self.client))["hosts"]
        names: dict[str, str] = {row["node"]: row["name"] for row in rows if row["live"]}
        found: list[tuple[str, Any, int]] = []
        for node in self.nodes.running:
            below = descendants(raylet_of(node))
            hosts = [pid for pid in below if arguments(pid)[:1] and is_host(pid)]
            self.hosts.update(hosts)
            if name := names.get(node.node_id):
                running = (pid for pid in hosts if any(map(is_browser, descendants(pid))))
                found += [(name, node, pid) for pid in running]
        return found


def is_host(pid: int) -> bool:
    return arguments(pid)[0].startswith("ray::Host")


def is_browser(pid: int) -> bool:
    given = arguments(pid)
    is_chromium = any(each.startswith("--remote-debugging-pipe") for each in given)
    return is_chromium and not any(each.startswith("--type=") for each in given)
