"""A fixture that runs command lines."""

from collections.abc import Callable

import pytest

from charlotte.__main__ import main
from tests.programs import Ran


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command line in this process."""

    def run_here(*words: str) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(words)
        out, err = capsys.readouterr()
        return Ran(int(str(ended.value.code or 0)), out, err)

    return run_here
