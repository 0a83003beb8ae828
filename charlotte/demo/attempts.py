"""Owns how the demo tries things: in limited time, many at once, and with every failure kept."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio

from charlotte.demo.client import RequestFailed
from charlotte.demo.report import Report

T = TypeVar("T")
Job = Callable[[], Awaitable[None]]

PATIENCE = 10.0
"""Seconds that one call may take; those of the demo need a small part of that."""


class Failed(Exception):
    """What did not go as the demo promises, one sentence per argument."""


async def in_time(what: str, answer: Awaitable[T]) -> T:
    """Wait for an answer, but not for ever; raises `Failed`."""
    with trio.move_on_after(PATIENCE):
        return await answer
    raise Failed(f"{what} did not answer within {PATIENCE:g} s")


async def together(report: Report, doing: str, jobs: Sequence[Job]) -> float:
    """Do all jobs at the same time; returns seconds, or raises `Failed` with what went wrong."""
    started = trio.current_time()
    failures: list[str] = []
    done = 0

    async def attempt(job: Job) -> None:
        nonlocal done
        try:
            await job()
        except (Failed, RequestFailed) as failure:
            failures.extend(failure.args)
        done += 1
        report.progress(f"{doing} … {done} of {len(jobs)}")

    report.progress(f"{doing} …")
    async with trio.open_nursery() as nursery:
        for job in jobs:
            nursery.start_soon(attempt, job)
    if failures:
        raise Failed(*failures)
    return trio.current_time() - started
