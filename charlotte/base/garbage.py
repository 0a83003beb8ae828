"""Garbage collection of the process: rare, because only failed calls leave reference cycles."""

import gc
import importlib
from typing import Any

THRESHOLDS = (100_000, 5, 4)
"""Full collections run every 2,000,000 new objects."""


def import_at_once(name: str) -> Any:
    """Import a module without garbage collections, and collect less often afterwards."""
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        collect_rarely()
        gc.enable()


def collect_rarely() -> None:
    """Collect less often, and only objects that are created from now on.

    A page creates many thousand records at once. With the default thresholds, collections would
    take longer than creating the records.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def collect_garbage(event: Any) -> None:
    """Free the reference cycles of an ended browser."""
    if event.actor == "browser":
        gc.collect(1)
