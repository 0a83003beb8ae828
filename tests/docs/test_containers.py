"""The files for containers, as far as they can be checked without a container engine."""

import json
import re
import shlex
import sys
from pathlib import Path
from urllib.parse import urlsplit

import trio

from charlotte.cli.parser import build_parser, known_flags
from tests.server.http.stage import open_http

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_every_copied_file_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [
        source
        for line in re.findall(r"^COPY (.*)$", DOCKERFILE, re.MULTILINE)
        for source in shlex.split(line)[:-1]
    ]
    assert copied
    assert all((ROOT / source).exists() and f"!{source}" in ignored for source in copied)


def test_the_commands_of_the_containers_have_known_flags() -> None:
    [command] = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    [composed] = re.findall(r"command: \[(.*)\]", (ROOT / "compose.yaml").read_text())
    for words in (json.loads(command), composed.split(", ")):
        assert words[0] == "serve"
        assert {word for word in words if word.startswith("--")} <= {
            *known_flags(build_parser().subparsers["serve"])
        }


async def test_the_health_check_succeeds_only_while_a_server_runs() -> None:
    [check] = re.findall(r"CMD (\[\"python\".*\])$", DOCKERFILE, re.MULTILINE)
    _, *arguments = json.loads(check)

    async def run(port: int) -> int:
        command = [sys.executable, *(word.replace("3737", str(port)) for word in arguments)]
        done = await trio.run_process(command, check=False, capture_stderr=True)
        return done.returncode

    async with open_http() as server:
        port = urlsplit(server.url).port or 0
        assert await run(port) == 0
    assert await run(port) != 0
