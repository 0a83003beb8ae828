"""A short run of chaos; `make chaos` runs longer with a random seed."""

import os

import pytest

from tests.chaos.run import run

pytestmark = [pytest.mark.chromium, pytest.mark.fault, pytest.mark.timeout(240)]

SEED = 7
SECONDS = float(os.environ.get("CHAOS_SECONDS", "35"))


async def test_agents_get_only_correct_answers_while_faults_are_injected() -> None:
    verdict = await run(SEED, SECONDS)

    assert verdict.answers["ok"] > SECONDS
    assert not verdict.failures, "\n".join(verdict.lines())
