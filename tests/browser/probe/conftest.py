"""One Chromium with one tab for all tests of the probe; each loads documents of its own."""

from collections.abc import AsyncGenerator, Generator

import pytest

from tests.browser.raw_cdp import RawPage, chromium, open_raw_page


@pytest.fixture(scope="session")
def endpoint() -> Generator[str]:
    with chromium() as address:
        yield address


@pytest.fixture
async def page(endpoint: str) -> AsyncGenerator[RawPage]:
    async with open_raw_page(endpoint) as opened:
        yield opened
