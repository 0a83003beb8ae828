"""Tasks on the pages of the component libraries, by kind of component."""

from typing import Final

from tests.libraries.steps import Task
from tests.libraries.tasks import choices, dates, drawings, editors, grids, values

TASKS: Final[tuple[Task, ...]] = (
    *grids.TASKS, *editors.TASKS, *dates.TASKS, *values.TASKS, *choices.TASKS,
    *drawings.TASKS,
)  # fmt: skip
