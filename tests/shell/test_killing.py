"""Shells at work while the server, the browser and clients are killed at random.

``MINUTES`` sets how long: ``make test-shells`` runs 5 minutes.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress

import attrs
import pytest

from tests.programs import Ran
from tests.shell.pages import list_page
from tests.shell.running import Background, open_background

SECONDS = 60 * float(os.environ.get("MINUTES", "0.33"))
SEED = int(os.environ.get("SEED", "1"))
SHELLS = 3
TYPED = re.compile(r"error [A-Z_]+: |The background server |Another |No background server ")
GIVEN_UP = "this tab is blank now"
CODES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

pytestmark = [pytest.mark.chromium, pytest.mark.fault, pytest.mark.timeout(int(SECONDS) + 180)]


@attrs.define(eq=False)
class Survivor:
    """Works in a session of its own, whose tab has to come back after each kill."""

    background: Background
    name: str
    until: float
    tab: str = ""
    wrong: list[str] = attrs.field(factory=list[str])
    codes: Counter[int] = attrs.field(factory=Counter[int])
    is_blank: bool = False
    """Whether the page was given up, because browsers were killed while it was restored."""

    def do(self, *words: str) -> Ran:
        """Run a command; only typed errors are answers."""
        ran = self.background.do("-s", self.name, *words)
        self.codes[ran.code] += 1
        self.is_blank = self.is_blank or GIVEN_UP in ran.out
        is_typed = ran.code == 0 or (ran.code in CODES and TYPED.match(ran.err))
        if not is_typed or "Traceback" in ran.err + ran.out:
            self.wrong.append(f"{self.name} {words}: {ran}")
        return ran

    def work(self) -> None:
        while not self.tab:
            opened = self.do("tab_open", list_page(self.name))
            self.tab = opened.out.split()[0] if opened.code == 0 else ""
        while time.monotonic() < self.until:
            self.do("--tab", self.tab, "find", "Add")
            self.do("--tab", self.tab, "evaluate", "document.title")
            self.check()

    def check(self) -> None:
        """Check that the tab is there, or will be as soon as the next browser runs."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            seen = self.do("--tab", self.tab, "evaluate", "document.title")
            if seen.code == 0:
                if json.loads(seen.out)["value"] == f"List of {self.name}":
                    return
                if self.is_blank:
                    opened = self.do("--tab", self.tab, "navigate", list_page(self.name))
                    self.is_blank = opened.code != 0
            elif "TAB_NOT_FOUND" in seen.err:
                self.wrong.append(f"{self.name}: {self.tab} is gone: {seen}")
                return
        self.wrong.append(f"{self.name}: {self.tab} has not come back")


def kill_at_random(background: Background, until: float, killed: Counter[str]) -> None:
    """Kill something every second or two."""
    chance = random.Random(SEED)  # noqa: S311 - no secret
    while time.monotonic() < until:
        time.sleep(chance.uniform(1, 2.5))
        kind = chance.choice(["server", "browser", "client"])
        if kind == "client":
            command = [sys.executable, "-m", "charlotte", "do", "-s", "shell 0", "observe"]
            with subprocess.Popen(  # noqa: S603 - it is our own program
                command,
                env=background.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) as client:
                time.sleep(chance.uniform(0, 0.2))
                client.kill()
            killed[kind] += 1
        elif pid := background.server if kind == "server" else background.browser:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed[kind] += 1


@pytest.mark.extended
def test_what_is_killed_comes_back() -> None:
    until = time.monotonic() + SECONDS
    killed = Counter[str]()
    with open_background() as background:
        shells = [Survivor(background, f"shell {number}", until) for number in range(SHELLS)]
        threads = [threading.Thread(target=shell.work) for shell in shells]
        killer = threading.Thread(target=kill_at_random, args=(background, until, killed))
        for thread in (*threads, killer):
            thread.start()
        for thread in (*threads, killer):
            thread.join()
        for shell in shells:
            shell.check()
        codes = sum((shell.codes for shell in shells), Counter[int]())
        print(f"killed {dict(killed)}, exit codes {dict(codes)}")  # noqa: T201
        assert [problem for shell in shells for problem in shell.wrong] == []
        assert codes[0] > 0
        assert killed
        background.run("stop")
        background.assert_nothing_is_left()
