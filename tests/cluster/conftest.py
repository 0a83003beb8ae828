"""Local Ray clusters of two and of four nodes, each with room for one browser host."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.cluster.nodes import Nodes, open_nodes

pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")


@pytest.fixture(scope="session")
def shared_nodes(request: pytest.FixtureRequest) -> Generator[Nodes]:
    """The nodes for all tests; a test that removes a node adds another one."""
    with open_nodes(request.param) as nodes:
        yield nodes


@pytest.fixture
def nodes(shared_nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> Nodes:
    """The nodes, to which every server that a test starts connects."""
    for name, value in shared_nodes.environment.items():
        monkeypatch.setenv(name, value)
    shared_nodes.restore()
    return shared_nodes


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests on clusters of two and of four nodes; smoke tests on the small one only."""
    if "shared_nodes" in metafunc.fixturenames:
        is_smoke = any(mark.name == "smoke" for mark in metafunc.definition.iter_markers())
        counts = [2] if is_smoke else [2, 4]
        ids = [f"{count} nodes" for count in counts]
        metafunc.parametrize("shared_nodes", counts, indirect=True, ids=ids, scope="session")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Give the tests of this directory the time that processes of Ray need to start."""
    for item in items:
        if "tests/cluster" in str(item.path) and "nodes" in item.fixturenames:
            item.add_marker(pytest.mark.chromium)
            item.add_marker(pytest.mark.timeout(180))
            if not item.get_closest_marker("smoke"):
                item.add_marker(pytest.mark.cluster)
