"""Parts of the demo: jobs that run at the same time, and what the demo prints."""

import io
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from examples.demo.agent import Failed, run_all
from examples.demo.recording import Line, draw
from examples.demo.report import Report, table

QUIET = Report(io.StringIO(), io.StringIO())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


async def test_jobs_run_at_the_same_time(autojump_clock: MockClock) -> None:
    jobs = [partial(trio.sleep, seconds) for seconds in (1, 3, 2)]

    assert 3 == await run_all(QUIET, "sleeping", jobs)


async def test_every_failure_is_reported_and_the_other_jobs_still_end(
    autojump_clock: MockClock,
) -> None:
    ended: list[int] = []

    async def job(number: int) -> None:
        await trio.sleep(number)
        if number == 1:
            raise Failed("one", "uno")
        if number == 2:
            raise Failed("two")
        ended.append(number)

    with pytest.raises(Failed) as caught:
        await run_all(QUIET, "counting", [partial(job, number) for number in (3, 2, 1)])
    assert ("one", "uno", "two") == caught.value.args
    assert [3] == ended


def test_progress_is_shown_on_a_terminal_and_replaced_by_lines_that_stay() -> None:
    screen = Terminal()
    report = Report(screen, screen)
    report.show_progress("reading … 3 of 8")
    report.print("done")

    assert "\r\x1b[Kreading … 3 of 8\r\x1b[Kdone\n" == screen.getvalue()


def test_a_file_gets_no_progress() -> None:
    out, screen = io.StringIO(), io.StringIO()
    report = Report(out, screen)
    report.show_progress("reading … 3 of 8")
    report.print_time("read", 1.2345)

    assert "" == screen.getvalue()
    assert ["read", "1,234", "ms"] == out.getvalue().split()


def test_columns_are_as_wide_as_their_widest_cell_and_numbers_end_together() -> None:
    lines = table(
        [("tab-1", "/", "read", "7", "fine"), ("tab-2", "/form.html", "sent", "1,234", "")]
    )

    assert [
        "tab    page        action     ms  result",
        "─────  ──────────  ──────  ─────  ──────",
        "tab-1  /           read        7  fine",
        "tab-2  /form.html  sent    1,234",
    ] == lines


def test_a_recording_shows_each_line_from_its_time_on() -> None:
    drawing = draw([Line("a <tab>", 1), Line("the end", 4)])

    assert "@keyframes l1{0%,10.00%{opacity:0}10.01%,100%{opacity:1}}" in drawing
    assert "@keyframes l2{0%,40.00%{opacity:0}40.01%,100%{opacity:1}}" in drawing
    assert "animation:l2 10.00s infinite" in drawing
    assert ">a &lt;tab&gt;</text>" in drawing
