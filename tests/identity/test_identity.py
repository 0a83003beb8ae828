"""Random pages and changes, reproducible by their seed."""

import pytest

from tests.browser.raw_cdp import FEATURE, chromium, open_raw_page
from tests.identity.trial import SAME_RECORD, Player, open_blank_site

pytestmark = pytest.mark.chromium

CASES = 200


@pytest.mark.extended
async def test_an_id_acts_on_its_own_record_or_is_refused() -> None:
    with chromium(FEATURE) as endpoint, open_blank_site() as site:
        async with open_raw_page(endpoint) as page:
            player = Player(page, site)
            for seed in range(CASES):
                await player.play(seed)

    assert player.tally.wrong == []
    assert player.tally.false_refusals(*SAME_RECORD) <= 0.01, player.tally.examples
    assert player.tally.false_refusals() <= 0.02, player.tally.examples
