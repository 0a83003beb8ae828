"""Logs of actors that crash on purpose: one line each, where pytest shows them."""

from collections.abc import Generator

import pytest
import structlog


@pytest.fixture(autouse=True)
def short_logs() -> Generator[None]:
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])
    yield
    structlog.reset_defaults()
