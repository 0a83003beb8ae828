"""Tasks on pages of component libraries, worked through as an agent would, are solved or refused.

`make test-libraries` installs the libraries and sets ``LIBRARIES`` to their directory.
"""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.libraries import site
from tests.libraries.agent import Agent
from tests.libraries.calls import Calls
from tests.libraries.running import Outcome, in_charlotte, run
from tests.libraries.steps import Task
from tests.libraries.tasks import TASKS
from tests.whole.client import Server, open_server

pytestmark = site.MARKS


@pytest.fixture(scope="module")
def origin() -> Generator[str]:
    names = {task.library for task in TASKS}
    with site.serve(site.bundle(Path(site.INSTALLED), names)) as address:
        yield address


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def server(files: Path) -> Generator[Server]:
    with open_server("--answers", "text", "--root", str(files)) as running:
        yield running


@pytest.mark.parametrize("task", [pytest.param(task, id=task.name) for task in TASKS])
def test_task_is_solved_or_refused(
    task: Task, origin: str, server: Server, files: Path, outcomes: dict[str, Outcome]
) -> None:
    calls = Calls(server)
    outcome = run(task, Agent(calls, files), origin, in_charlotte(calls))
    outcomes[task.name] = outcome
    if task.excused:
        pytest.xfail(task.excused)
    if task.refused:
        assert outcome.failure
        assert task.refused in "\n".join(answer for _, _, answer in calls.log)
    else:
        assert not outcome.failure
