"""Tests of this directory run by the clock of their fixtures."""

from tests.actors.tab.clocks import pytest_itemcollected

__all__ = ["pytest_itemcollected"]
