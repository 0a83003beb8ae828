"""One Chromium with one tab for all tests of the probe; each loads documents of its own."""

from collections.abc import AsyncGenerator, Generator

import pytest

from tests.browser.raw_cdp import FEATURE, RawPage, chromium, open_raw_page


@pytest.fixture(scope="session")
def endpoint() -> Generator[str]:
    with chromium(FEATURE) as address:
        yield address


@pytest.fixture(scope="session")
def plain_endpoint() -> Generator[str]:
    """A browser as others start it."""
    with chromium() as address:
        yield address


@pytest.fixture
async def page(endpoint: str) -> AsyncGenerator[RawPage]:
    async with open_raw_page(endpoint) as opened:
        yield opened


@pytest.fixture
async def plain_page(plain_endpoint: str) -> AsyncGenerator[RawPage]:
    """A tab of a browser whose elements have no computed role and name."""
    async with open_raw_page(plain_endpoint) as opened:
        yield opened
