"""Tasks on the pages of the component libraries, by kind of component."""

from typing import Final

from tests.libraries.steps import Task
from tests.libraries.tasks import (
    choices, dates, drawings, editors, grids, media, moves, trees, values,
)  # fmt: skip

_QUICK: Final = frozenset({"nouislider"})

TASKS: Final[tuple[Task, ...]] = (
    *grids.TASKS, *editors.TASKS, *dates.TASKS, *values.TASKS, *choices.TASKS, *trees.TASKS,
    *moves.TASKS, *drawings.TASKS, *media.TASKS,
)  # fmt: skip

SAMPLE: Final = tuple(task for task in TASKS if task.library in _QUICK)
"""Tasks on libraries that are `dependencies` in package.json: quick to install."""
