"""The clock of a fixture is the clock of a test that uses it.

pytest-trio alone sees only a clock that the test itself asks for.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import cast

import pytest
import trio


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run a test by the ``clock`` that its fixtures ask for."""
    if isinstance(item, pytest.Function) and "clock" in item.fixturenames:

        def run(
            test: Callable[[], Awaitable[None]],
            clock: trio.abc.Clock | None,
            instruments: Sequence[trio.abc.Instrument],
        ) -> None:
            own = clock or cast("trio.abc.Clock", item.funcargs["clock"])
            trio.run(test, clock=own, instruments=instruments)

        item.add_marker(pytest.mark.trio(run=run))
