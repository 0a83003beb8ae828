"""Conclusions of the model of a tab from answers and losses."""

import trio
from trio.testing import MockClock

from tests.cluster.chaos.belief import SAVED_WITHIN, Belief, State


def visit(number: int) -> State:
    return number, 0


def go_to(belief: Belief, number: int, *, surely: bool = True) -> None:
    belief.act(lambda _: visit(number), surely=surely)


async def test_a_tab_that_was_not_lost_is_in_its_last_state(autojump_clock: MockClock) -> None:
    belief = Belief({visit(1)})
    go_to(belief, 2)
    belief.act(lambda state: (state[0], state[1] + 1), surely=True)

    assert belief.learn(2, 1, None) is None
    assert "shows (2, 0)" in str(belief.learn(2, 0, None))


async def test_a_lost_tab_is_opened_again_at_its_last_saved_page(
    autojump_clock: MockClock,
) -> None:
    belief = Belief({visit(1)})
    go_to(belief, 2)
    await trio.sleep(SAVED_WITHIN + 1)
    go_to(belief, 3)

    lost = trio.current_time()
    assert belief.learn(2, 0, lost) == "reset"
    go_to(belief, 4)
    assert "shows (1, 0)" in str(belief.learn(1, 0, lost)), "that was too long ago"


async def test_an_action_without_an_answer_may_have_happened(autojump_clock: MockClock) -> None:
    belief = Belief({visit(1)})
    go_to(belief, 2, surely=False)

    assert belief.learn(1, 0, None) is None
    assert belief.learn(2, 0, None) is not None
