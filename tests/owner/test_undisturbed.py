"""Neither the owner of a browser nor a page of theirs notices an agent in another tab."""

import pytest
import trio

from tests.owner.agents import killed, stopped, working
from tests.owner.disturbing import EFFECTS, disturbing
from tests.owner.scenario import Company, Seen, alone, observe

pytestmark = [pytest.mark.chromium, pytest.mark.extended]


@pytest.fixture(scope="module")
def undisturbed() -> Seen:
    """What is noticed in a browser that no agent uses."""
    return trio.run(observe, alone)


@pytest.mark.parametrize("company", [working, stopped, killed], ids=lambda one: one.__name__)
async def test_an_agent_has_no_effect_on_other_tabs_of_the_owner(
    company: Company, undisturbed: Seen, subtests: pytest.Subtests
) -> None:
    seen = await observe(company)

    for effect, expected in undisturbed.items():
        with subtests.test(effect):
            assert seen[effect] == expected


def test_the_pages_of_an_undisturbed_owner_can_do_everything(undisturbed: Seen) -> None:
    activated, _ = undisturbed["prerendering"]
    popup_opened, has_opener, width, *_ = undisturbed["popups"]
    assert (activated, popup_opened, has_opener, width) == (True, True, True, 400)
    assert undisturbed["downloads"] == [("report.csv", True)]
    assert undisturbed["dialogs"] == "open"
    assert undisturbed["sessions"] == []
    assert undisturbed["file chooser (front)"] == "cancelled"
    states = {
        name: [undisturbed[f"{effect} ({name})"] for effect in ("visibility", "timers", "drawing")]
        for name in ("front", "behind")
    }
    assert states == {
        "front": ["visible", "running", "running"],
        "behind": ["hidden", "slowed down", "stopped"],
    }


async def test_a_careless_client_has_each_recorded_effect(undisturbed: Seen) -> None:
    seen = await observe(disturbing)

    assert {effect for effect in EFFECTS if seen[effect] == undisturbed[effect]} == set()
