"""A table of the outcomes of the tasks, printed at the end."""

from typing import Final

import pytest

from tests.libraries.running import Outcome

_OUTCOMES: Final = pytest.StashKey[dict[str, Outcome]]()


@pytest.fixture
def outcomes(pytestconfig: pytest.Config) -> dict[str, Outcome]:
    """The outcomes so far, by the name of the task."""
    return pytestconfig.stash.setdefault(_OUTCOMES, {})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print calls, characters and milliseconds of each task."""
    found = config.stash.setdefault(_OUTCOMES, {})
    for name, one in found.items():
        mark = "no " if one.failure else "yes"
        terminalreporter.write_line(
            f"{mark} {one.calls:>3} {one.chars:>7,} {one.ms:>6,} ms  {name}"
        )
    if found:
        solved = sum(not one.failure for one in found.values())
        calls, chars, ms = (
            sum(values) for values in zip(
                *((one.calls, one.chars, one.ms) for one in found.values()), strict=True
            )
        )  # fmt: skip
        terminalreporter.write_line(
            f"{solved} of {len(found)} solved, {calls:,} calls, {chars:,} characters, {ms:,} ms"
        )
