"""The watchdog kills a server that has to end and is silent for 30 ticks, and no other."""

from collections.abc import Iterable
from itertools import chain, repeat

from charlotte.watchdog.process import PATIENCE, PING, outlasts_patience

AWAKE = [False] * 10_000


def verdict(
    received: Iterable[bytes | None], suspended: Iterable[bool] = AWAKE
) -> tuple[bool, int]:
    """Whether the server is killed, and after how many ticks."""
    heard, sleeping, ticks = iter(received), iter(suspended), list[None]()
    killed = outlasts_patience(
        lambda: None, lambda: next(heard), lambda: next(sleeping), lambda: ticks.append(None)
    )
    return killed, len(ticks)


def test_a_silent_server_is_killed_when_patience_ends() -> None:
    assert verdict(repeat(b"")) == (True, PATIENCE)


def test_a_server_that_answers_may_take_any_time_to_end() -> None:
    rounds = chain(*repeat([b""] * (PATIENCE - 1) + [PING], 5), [None])

    assert verdict(rounds) == (False, 5 * PATIENCE + 1)


def test_signals_are_no_answers() -> None:
    assert verdict(repeat(b"\x0f")) == (True, PATIENCE)
