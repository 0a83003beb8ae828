"""``python -m tests.identity``: play many random cases and print the results."""

import argparse
import sys
import time

import trio

from tests.browser.raw_cdp import FEATURE, chromium, open_raw_page
from tests.identity.trial import SAME_RECORD, Player, Tally, open_blank_site

_MOST_FALSE = 0.01


def main() -> int:
    """Return 0 if no id acted on another record, and few were refused wrongly.

    At most 1 % in lists with the same records, and 2 % of all, may be refused wrongly.
    """
    parser = argparse.ArgumentParser(prog="tests.identity", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.monotonic()
    with chromium(FEATURE) as endpoint, open_blank_site() as site:
        tally = trio.run(_play, endpoint, site, given.seed, given.cases)
    print(f"{given.cases} cases from seed {given.seed} in {time.monotonic() - began:.0f} s")
    _print(tally)
    refused = tally.false_refusals(*SAME_RECORD) > _MOST_FALSE
    return 1 if tally.wrong or refused or tally.false_refusals() > 2 * _MOST_FALSE else 0


async def _play(endpoint: str, site: str, seed: int, cases: int) -> Tally:
    async with open_raw_page(endpoint) as page:
        player = Player(page, site)
        for number in range(seed, seed + cases):
            await player.play(number)
    return player.tally


def _print(tally: Tally) -> None:
    print(f"{tally.acted.total()} ids acted on their own record")
    print(
        f"{tally.rightly_refused.total()} were refused because their record was missing or changed"
    )
    print(f"{tally.refused.total()} were refused wrongly: {tally.false_refusals():.2%}")
    same = tally.false_refusals(*SAME_RECORD)
    print(f"of those in lists that were redrawn, sorted or updated: {same:.2%}")
    for case, count in tally.refused.most_common(30):
        print(f"  {count} {case} ({tally.examples[case]})")
    print(f"{len(tally.wrong)} acted on another record")
    for one in tally.wrong[:40]:
        print(f"  {one}")


if __name__ == "__main__":
    sys.exit(main())
