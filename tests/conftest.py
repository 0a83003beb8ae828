"""What holds for all tests: a slow machine is no failure, so Hypothesis sets no deadlines."""

from collections.abc import Generator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("charlotte", deadline=None)
settings.load_profile("charlotte")


@pytest.fixture(autouse=True)
def _own_logs() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """How a test has logs made goes for that test alone: a Charlotte that it opens decides that."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def short_logs() -> None:
    """One line for each event that is logged, however long the traces of what crashed are."""
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])
