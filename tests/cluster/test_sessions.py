"""The tests of sessions over HTTP, with browsers on the nodes of a cluster."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio

from tests.cluster.gateways import open_gateway
from tests.cluster.nodes import Nodes
from tests.whole import test_progress, test_sharing, test_subjects

test_a_busy_session_does_not_block_other_sessions = (
    test_sharing.test_a_busy_session_does_not_block_other_sessions
)
test_progress_is_reported_over_http = test_progress.test_progress_is_reported_over_http
test_a_user_who_has_used_up_a_budget_is_refused_and_others_are_not = (
    test_subjects.test_a_user_who_has_used_up_a_budget_is_refused_and_others_are_not
)


@pytest.fixture(autouse=True)
def _gateways(  # pyright: ignore[reportUnusedFunction]
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have these tests wait until their server has a browser: hosts take seconds to start."""
    for module in (test_progress, test_sharing, test_subjects):
        monkeypatch.setattr(module, "open_http_server", _open_server)


@asynccontextmanager
async def _open_server(*flags: str) -> AsyncGenerator[tuple[str, trio.Process]]:
    headers = {"authorization": f"Bearer {os.environ.get('CHARLOTTE_AUTH_TOKEN')}"}
    async with open_gateway(*flags, places=1, headers=headers) as opened:
        yield opened
