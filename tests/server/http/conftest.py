"""Fixtures of the tests over HTTP."""

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from tests.server.http.stage import Logs


@pytest.fixture
def logs() -> Iterator[Logs]:
    with capture_logs() as entries:
        yield entries
