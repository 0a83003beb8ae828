"""What holds for all tests: a slow machine is no failure, so Hypothesis sets no deadlines."""

from collections.abc import Generator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("charlotte", deadline=None)
settings.load_profile("charlotte")


@pytest.fixture
def short_logs() -> Generator[None]:
    """One line for each event that is logged, however long the traces of what crashed are."""
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])
    yield
    structlog.reset_defaults()
