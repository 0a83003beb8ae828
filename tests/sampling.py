"""Samples of long lists of parameters: they are in `make test`, the rest is in `test-extended`."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(count: int, values: Iterable[Any]) -> list[Any]:
    """Return all values as parameters; all but one in ``count`` are marked ``extended``."""
    return [
        pytest.param(value, marks=pytest.mark.extended) if number % count else value
        for number, value in enumerate(values)
    ]
