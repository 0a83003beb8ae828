"""The session that README shows: its calls give the answers that stand below them."""

import json
import re
from pathlib import Path

import pytest

from tests.whole.client import open_server
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

README = Path(__file__).parents[2] / "README.md"
SITE = "http://127.0.0.1:8000"
CALL = re.compile(r"^> (\w+) (\{.*\})\n", re.MULTILINE)
LEFT_OUT = "\n⋮\n"


def test_the_session_in_readme_is_real(web: Web) -> None:
    [session] = re.findall(r"^```\n(> .*?\n)```$", README.read_text(), re.MULTILINE | re.DOTALL)
    site = web.url("").rstrip("/")
    with open_server("--answers", "text") as server:
        _, *parts = CALL.split(session)
        for tool, arguments, shown in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            answer = server.call(tool, **json.loads(arguments.replace(SITE, site))).text
            first, *others = shown.strip("\n").split(LEFT_OUT)
            rest = answer.replace(site, SITE)
            assert rest.startswith(first)
            for part in others:
                assert part in rest.removeprefix(first)
                rest = rest.partition(part)[2]
            assert rest == ("" if others else first)
