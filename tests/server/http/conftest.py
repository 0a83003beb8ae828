"""What tests of refusals look at."""

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from tests.server.http.stage import Logs


@pytest.fixture
def logs() -> Iterator[Logs]:
    """What is logged while the test runs."""
    with capture_logs() as entries:
        yield entries
