"""The commands of the skill, one after the other, against a real server."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from charlotte.cli.config import read_skill
from tests.shell.running import CHARLOTTE, Background, open_background

pytestmark = pytest.mark.chromium

PAGE = """<title>Join</title><h1>Join</h1>
<form><label>Name <input required></label><label>Mail <input></label>
<label>Country <select><option>Denmark<option>Norway</select></label>
<label><input type=checkbox> Agree</label></form><button>Show</button><p id=p></p>
<table><tr><td>Order 1<td><button>Remove</button><tr><td>Order 2<td><button>Remove</button></table>
<p>Total: 12 EUR</p>
<script>
document.querySelector("form").onsubmit = event => event.preventDefault();
document.querySelector("form + button").onclick =
  () => setTimeout(() => { document.getElementById("p").textContent = "Welcome"; }, 300);
</script>"""
NAMES = {"inp-2190": "Name", "inp-a35b": "Mail", "sel-6d9b": "Country", "chk-f7d6": "Agree",
         "btn-1ff8": "Show"}  # fmt: skip


def commands() -> Iterator[str]:
    for block in re.findall(r"```sh\n(.*?)```", read_skill(), re.DOTALL):
        yield from block.splitlines()


def run(background: Background, command: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - they are our own commands
        ["/bin/bash", "-c", command.replace("charlotte ", f"{CHARLOTTE} ", 1)],
        env=background.environment,
        cwd=place,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_every_command_of_the_skill_runs(tmp_path: Path) -> None:
    url = "data:text/html," + quote(PAGE)
    ids = dict[str, str]()
    count = 0
    with open_background() as background:
        for command in commands():
            given = command.replace("https://shop.test/join", url if "'" in command else f"'{url}'")
            for shown, name in NAMES.items():
                given = given.replace(shown, ids.get(name, shown))
            ran = run(background, given, tmp_path)
            assert (ran.returncode, ran.stderr) == (0, ""), (command, ran)
            assert ran.stdout or ">" in command, command
            assert not ran.stdout.endswith("no elements found\n"), command
            count += 1
            if " navigate " in command:
                ids = {
                    name: known for known, name in re.findall(r'(\w{3}-[\w-]+) "(\w+)"', ran.stdout)
                }
                assert set(NAMES.values()) <= ids.keys()
    assert count >= 20
