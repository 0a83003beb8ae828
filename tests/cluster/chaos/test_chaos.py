"""A short run of chaos on a cluster; `make test-cluster-chaos` runs longer with a random seed."""

import os

import pytest

from tests.cluster.chaos.run import run

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.fault,
    pytest.mark.cluster,
    pytest.mark.timeout(400),
]

SEED = 3
SECONDS = float(os.environ.get("CHAOS_SECONDS", "45"))


async def test_agents_get_only_correct_answers_while_hosts_and_nodes_are_killed() -> None:
    verdict = await run(SEED, SECONDS)

    assert not verdict.failures, "\n".join(verdict.lines())
    assert {"host", "node"} == {kill.kind for kill in verdict.ledger.kills}
    assert verdict.ledger.answers["ok"] > SECONDS
