"""Tests; most parse answers, so the servers that they start answer in JSON unless a test asks."""

import os

os.environ.setdefault("CHARLOTTE_ANSWERS", "json")
