"""Shells that work at once in one session, each in a tab of its own.

``SHELLS`` and ``COMMANDS`` set their numbers: ``make test-shells`` runs 8 with 50 commands each.
"""

import json
import os
import threading
from collections.abc import Generator

import attrs
import pytest

from tests.shell.pages import list_page
from tests.shell.running import Background, Shell, open_background, open_shell
from tests.shell.test_sessions import ids_of

SHELLS = int(os.environ.get("SHELLS", "3"))
COMMANDS = int(os.environ.get("COMMANDS", "14"))
ROUND = 4
"""Commands of a round: type, click, find, evaluate."""

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(600)]


@attrs.define(eq=False)
class Worker:
    """Adds numbered items to the list of its tab, and checks each answer."""

    name: str
    shell: Shell
    wrong: list[str] = attrs.field(factory=list[str])
    commands: int = 0

    def do(self, *words: str) -> str:
        self.commands += 1
        ran = self.shell.do("-s", "all", *words)
        if ran.code or ran.err:
            self.wrong.append(f"{self.name} {words}: {ran}")
        return ran.out

    def check(self, text: str, expected: str) -> None:
        if expected not in text:
            self.wrong.append(f"{self.name}: {expected!r} is not in {text!r}")

    def work(self) -> None:
        opened = self.do("tab_open", list_page(self.name))
        tab = ("--tab", opened.split()[0])
        field, button = ids_of(opened)
        for number in range((COMMANDS - 2) // ROUND):
            item = f"{self.name} item {number}"
            self.check(self.do(*tab, "type", field, item), f'{field} [= "{item}"]')
            self.check(self.do(*tab, "click", button), f"+ * {item}")
            self.check(self.do(*tab, "find", item), item)
            counted = self.do(*tab, "evaluate", "document.querySelectorAll('li').length")
            self.check(counted, f'"value":{number + 1}')
        self.check(self.do(*tab, "observe"), f"List of {self.name}")


@pytest.fixture
def background() -> Generator[Background]:
    with open_background() as opened:
        yield opened
        opened.run("stop")
        opened.assert_nothing_is_left()


def run_worker(background: Background, name: str, done: list[Worker]) -> None:
    with open_shell(background) as shell:
        worker = Worker(name, shell)
        worker.work()
        done.append(worker)


def test_no_answer_is_for_another_shell(background: Background) -> None:
    done = list[Worker]()
    threads = [
        threading.Thread(target=run_worker, args=(background, f"shell {number}", done))
        for number in range(SHELLS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [problem for worker in done for problem in worker.wrong] == []
    assert [worker.commands for worker in done] == [COMMANDS] * SHELLS
    rows = json.loads(background.out("--json", "-s", "all", "tabs"))
    assert {row["title"] for row in rows} == {f"List of shell {n}" for n in range(SHELLS)}
