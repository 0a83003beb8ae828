"""What holds for all tests.

Hypothesis sets no deadlines, because a slow machine is no failure. It tries the same examples in
every run; ``make explore`` tries more of them, new ones in each run.
"""

import gc
from collections.abc import Generator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("charlotte", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=10_000)
settings.load_profile("charlotte")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without garbage collections, except one; later ones omit their objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()  # frees classes that attrs has replaced
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _own_logs() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """How a test has logs made goes for that test alone: a Charlotte that it opens decides that."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def short_logs() -> None:
    """One line for each event that is logged, however long the traces of what crashed are."""
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])
