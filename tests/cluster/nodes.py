"""Local nodes of Ray, and the processes on them."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import attrs

_READY = {"num_cpus": 1, "resources": {"browser": 1}, "object_store_memory": 100_000_000}
_HEAD = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 100_000_000}


@attrs.define(eq=False)
class Nodes:
    """A cluster whose head runs no browsers, and ``count`` nodes that run one each."""

    cluster: Any
    count: int
    running: list[Any] = attrs.field(factory=list[Any])

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    @property
    def environment(self) -> dict[str, str]:
        """The settings with which a server uses this cluster."""
        return {"CHARLOTTE_ENGINE": "ray", "CHARLOTTE_ADDRESS": self.address}

    def add(self) -> Any:
        node = self.cluster.add_node(**_READY)
        self.running.append(node)
        return node

    def remove(self, node: Any) -> None:
        """Kill a node with all its processes."""
        self.running.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)

    def restore(self) -> None:
        """Start the nodes that an earlier test has removed; remove those that it has added."""
        while len(self.running) < self.count:
            self.add()
        for node in self.running[self.count :]:
            self.remove(node)


@contextmanager
def open_nodes(count: int, *, in_threads: bool = False) -> Generator[Nodes]:
    """Start a cluster; end all its processes at the end.

    Only with ``in_threads``, nodes can be added outside the main thread. Then the processes of the
    cluster stay if this process is killed.
    """
    # Ray's workers have a low priority by default: the browsers of a busy machine would starve
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - so Ray calls it
    kind: Any = import_module("ray.cluster_utils").Cluster
    cluster = kind(initialize_head=True, head_node_args=_HEAD, shutdown_at_exit=not in_threads)
    try:
        nodes = Nodes(cluster, count)
        nodes.restore()
        yield nodes
    finally:
        cluster.shutdown()


def raylet_of(node: Any) -> int:
    """Return the process that starts all others of a node."""
    [info] = node.all_processes["raylet"]
    return int(info.process.pid)
