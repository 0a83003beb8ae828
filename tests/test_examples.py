"""The examples do what they say, and what the documentation says of the API is so."""

import re
from pathlib import Path

import pytest

import charlotte
from charlotte.actors.kernel import mailbox
from tests.programs import run_python

ROOT = Path(__file__).parent.parent
EMBEDDING = (ROOT / "docs" / "guides" / "embedding.md").read_text()


ANSWER = re.compile(
    r"^Welcome, Reader (\d)! 3 books a month.*?( \(after a crash\))?$", re.MULTILINE
)


def run(example: str, *arguments: str) -> str:
    ran = run_python("-m", f"examples.{example}", *arguments, cwd=ROOT)
    assert 0 == ran.code, ran.out + ran.err
    return ran.out


@pytest.mark.chromium
@pytest.mark.fault
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "example", [pytest.param("workers", marks=pytest.mark.extended), "workers_asyncio"]
)
def test_eight_workers_finish_their_jobs_although_a_tab_crashes(example: str) -> None:
    said = run(example)

    answers = ANSWER.findall(said)
    assert said.startswith("8 pages:\n  Books by the sea")
    assert [(str(number), number == 3) for number in range(8)] == [
        (number, bool(crashed)) for number, crashed in answers
    ]
    assert 1 == said.count(": Crashed")
    assert 1 == said.count(": Restored")


@pytest.mark.chromium
@pytest.mark.fault
@pytest.mark.timeout(300)
@pytest.mark.extended
def test_the_demo_passes_its_own_checks_and_saves_a_screenshot(tmp_path: Path) -> None:
    lines = run("demo", f"--output-dir={tmp_path}").splitlines()

    assert 8 == sum(line.startswith("tab-") and "/" in line for line in lines)
    assert any(line.startswith("the 7 other tabs unharmed") for line in lines)
    assert lines[-1].startswith(str(tmp_path))
    assert Path(lines[-1]).read_bytes().startswith(b"\x89PNG")


@pytest.mark.chromium
@pytest.mark.fault
@pytest.mark.timeout(300)
@pytest.mark.cluster
def test_sixteen_sessions_of_a_cluster_read_all_pages() -> None:
    pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")

    lines = run("cluster.read_pages").splitlines()

    assert sorted(lines) == [
        f"{number:>3}  Page {number}: {32 + len(str(number))} characters" for number in range(32)
    ]


@pytest.mark.chromium
def test_agent_tools_return_text_and_helpful_errors() -> None:
    page, _, error = run("agent_tools").partition("error ELEMENT_NOT_FOUND: ")

    assert "Buy" in page
    assert "Did you mean" in error


def test_the_documentation_lists_every_event() -> None:
    kinds = {
        name
        for name, value in vars(mailbox).items()
        if isinstance(value, type) and issubclass(value, mailbox.Event)
    } - {"Event", "TabEvent"}

    assert kinds == set(re.findall(r"`([A-Z]\w+)`", EMBEDDING)) & kinds
    assert all(getattr(charlotte, kind) for kind in kinds)
