"""A local Ray cluster of two nodes, each with room for one browser host."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.cluster.nodes import Nodes, open_nodes


@pytest.fixture(scope="session")
def shared_nodes() -> Generator[Nodes]:
    """The nodes for all tests; a test that removes a node adds another one."""
    pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")
    with open_nodes(2) as nodes:
        yield nodes


@pytest.fixture
def nodes(shared_nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> Nodes:
    """The nodes, to which every server that a test starts connects."""
    for name, value in shared_nodes.environment.items():
        monkeypatch.setenv(name, value)
    shared_nodes.restore()
    return shared_nodes


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Give the tests of this directory the time that processes of Ray need to start."""
    for item in items:
        if "tests/cluster" in str(item.path) and "nodes" in item.fixturenames:
            item.add_marker(pytest.mark.chromium)
            item.add_marker(pytest.mark.timeout(180))
            item.add_marker(pytest.mark.cluster)
