"""The path of a click through the packages."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "trace_click.py"


def load_script() -> Any:
    spec = importlib.util.spec_from_file_location("trace_click", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.chromium
async def test_a_click_never_calls_from_the_actors_into_the_tools() -> None:
    trace = await load_script().trace_click()

    assert "tools/gestures.py" in trace.files
    assert "actors/tab/verbs/pointer.py" in trace.files
    assert trace.upward == set()
