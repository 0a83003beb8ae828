"""``charlotte do`` as shells use it, with a real browser."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import trio
from mcp import Client, StdioServerParameters

import charlotte
from charlotte import CharlotteError, ConnectionLost, Page
from charlotte.api.session_files import SessionFiles
from charlotte.cli.shell_service import ELEMENT, NAVIGATION, SCRIPT, TAB
from charlotte.shell.client import INTERRUPTED, LOST, UNUSABLE
from charlotte.shell.place import SOCKET
from tests.programs import run_python
from tests.shell.pages import list_page
from tests.shell.running import PATIENCE, Background, open_background, open_shell
from tests.whole.client import open_server
from tests.whole.processes import within

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def background() -> Generator[Background]:
    with open_background() as opened:
        yield opened


def ids_of(text: str) -> tuple[str, str]:
    field, button = re.search(r"inp-\w+", text), re.search(r"btn-\w+", text)
    assert field
    assert button
    return field[0], button[0]


@pytest.mark.smoke
def test_a_page_stays_open_from_command_to_command(background: Background) -> None:
    field, button = ids_of(background.out("navigate", list_page("Ada")))
    assert "Ada Lovelace" in background.out("type", field, "Ada Lovelace")
    assert "+ * Ada Lovelace" in background.out("click", button)
    assert "Ada Lovelace" in background.out("find", "Ada Lovelace")
    assert background.do("--json", "tabs").out.startswith('[{"id":"tab-')


def test_json_is_one_document_whatever_was_found(background: Background) -> None:
    def document(*words: str) -> Any:
        return json.loads(background.out("--json", "-s", "json", *words))

    document("navigate", list_page("Ada"))
    [text] = document("find", "List of Ada")
    *_, cut = document("find", "--selector", "*", "--limit", "1")
    content = document("observe", "content")

    assert (text["type"], cut["type"]) == ("text", "truncation")
    assert "List of Ada" in content["text"]
    assert content["untrusted"] is True


def test_sessions_have_names_and_by_default_the_working_directory(
    background: Background, tmp_path: Path
) -> None:
    background.out("-s", "shop", "tab_open", list_page("Shop"))
    assert "List of Shop" in background.out("-s", "shop", "tabs")
    assert background.run("do", "tabs", cwd=tmp_path).out == "no tabs\n"
    listed = background.run("ps").out
    assert "  shop: 1 tab, used" in listed
    assert f"  {tmp_path}: 0 tabs, used" in listed
    assert background.run("stop", "-s", "shop").out == "Ended session shop.\n"
    assert background.out("-s", "shop", "tabs") == "no tabs\n"


def test_an_option_names_the_tab(background: Background) -> None:
    first = json.loads(background.out("--json", "-s", "tabs", "tab_open", list_page("A")))
    background.out("-s", "tabs", "tab_open", list_page("B"))
    assert "List of A" in background.out("-s", "tabs", "--tab", first["tab_id"], "observe")
    assert "List of B" in background.out("-s", "tabs", "observe")


def test_files_are_relative_to_the_working_directory(
    background: Background, tmp_path: Path
) -> None:
    background.run("do", "navigate", list_page("Files"), cwd=tmp_path)
    shot = background.run("do", "screenshot", "-o", "a.png", cwd=tmp_path)
    assert (shot.code, shot.out.splitlines()[-1]) == (0, "written to a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    saved = background.run("do", "screenshot", cwd=tmp_path)
    path = re.search(r"saved: (\S+)", saved.out)
    assert path
    assert Path(path[1]).read_bytes()[:4] == b"\x89PNG"
    assert background.run("do", "pdf", "a.pdf", cwd=tmp_path).code == 0
    assert (tmp_path / "a.pdf").read_bytes()[:4] == b"%PDF"
    outside = background.run("do", "pdf", "/usr/a.pdf", cwd=tmp_path)
    assert (outside.code, outside.out) == (2, "")


def test_long_texts_come_from_stdin(background: Background) -> None:
    field, button = ids_of(background.out("-s", "stdin", "navigate", list_page("Stdin")))
    assert background.do("-s", "stdin", "type", field, "-", stdin="From a pipe\n").code == 0
    assert "From a pipe" in background.out("-s", "stdin", "click", button)


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (["clik", "btn-1"], 2, "did you mean click"),
        (["click", "Save"], 2, "INVALID_ARGUMENT"),
        (["click", "btn-0000"], ELEMENT, "ELEMENT_NOT_FOUND"),
        (["navigate", "http://nowhere.invalid/"], NAVIGATION, "NAVIGATION_FAILED"),
        (["evaluate", "throw new Error('x')"], SCRIPT, "EVALUATION_ERROR"),
        (["--tab", "tab-999", "observe"], TAB, "TAB_NOT_FOUND"),
        (["--headed", "tabs"], UNUSABLE, "--headed is off there, not on"),
    ],
)
def test_the_exit_code_is_by_kind_of_error(
    background: Background, words: list[str], code: int, problem: str
) -> None:
    background.out("-s", "codes", "observe")
    ran = background.do("-s", "codes", *words)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err


def test_an_error_for_a_program_is_json_on_stdout(background: Background) -> None:
    ran = background.do("--json", "--tab", "tab-999", "observe")
    assert (ran.code, ran.err) == (TAB, "")
    assert json.loads(ran.out)["error"]["code"] == "TAB_NOT_FOUND"


def test_another_version_of_a_client_is_refused(background: Background) -> None:
    background.out("tabs")
    program = (
        "from charlotte.shell import client; client.__version__ = '0.0.1'\n"
        "raise SystemExit(client.main(['do', 'tabs']))"
    )
    ran = run_python("-c", program, env=background.environment)
    assert ran.code == UNUSABLE
    assert "this command 0.0.1. End the server and its sessions with 'charlotte stop'" in ran.err


def test_only_the_user_can_reach_the_server(background: Background) -> None:
    background.out("tabs")
    place = background.runtime / "charlotte"
    assert place.stat().st_mode & 0o777 == 0o700
    assert {file.name for file in place.iterdir() if file.stat().st_mode & 0o077} == set()


def test_each_shell_is_shown_what_another_has_changed(background: Background) -> None:
    with open_shell(background) as one, open_shell(background) as other:
        field, button = ids_of(one.do("-s", "two", "navigate", list_page("Two")).out)
        other.do("-s", "two", "observe")
        one.do("-s", "two", "type", field, "from one")
        assert "+ * from one" in one.do("-s", "two", "click", button).out
        typed = other.do("-s", "two", "type", field, "from other").out
        assert "! before this, by itself:" in typed
        assert "+ * from one" in typed
        assert "by itself" not in other.do("-s", "two", "click", button).out


def test_a_shell_an_mcp_client_and_a_program_share_a_session(
    background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(background.runtime))
    monkeypatch.delenv("CHARLOTTE_ANSWERS")

    async def click(button: str) -> Page:
        session = charlotte.join("three")
        page = await session.click(button)
        with pytest.raises(CharlotteError, match="btn-0000"):
            await session.click("btn-0000")
        assert "List of Three" in (await session.call("tabs")).text
        return page

    with open_server("--join", "three", env=dict(background.environment)) as server:
        page = server.call("navigate", url=list_page("Three"), answers="text").text
        field, button = ids_of(page)
        background.out("-s", "three", "type", field, "typed")
        clicked = trio.run(click, button)
        assert "typed" in clicked.text
        answer = server.call("find", text="typed", answers="text").text
        assert "typed" in answer
        changed = server.call("click", element_id=button, answers="text").text
        assert changed.count("* typed") == 2


async def test_a_client_of_protocol_2026_07_28_can_join(background: Background) -> None:
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "charlotte", "serve", "--join", "modern"],
        env=background.environment,
    )
    with trio.fail_after(2 * PATIENCE):
        async with Client(program, mode="2026-07-28") as client:
            name = "charlotte_navigate"
            await client.call_tool(name, {"url": list_page("Modern")})
            with trio.move_on_after(0.5):
                await client.call_tool("charlotte_wait_for", {"text": "never", "timeout": 60000})
            await client.call_tool(name, {"url": list_page("Next")})
    listed = await trio.to_thread.run_sync(background.out, "-s", "modern", "tabs")
    assert "List of Next" in listed


@pytest.fixture
def interruptible() -> Generator[None]:
    """Have SIGINT end new processes, even if this one is a background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_client_that_is_killed_ends_its_call(background: Background) -> None:
    background.out("-s", "killed", "observe")
    waiting = [sys.executable, "-m", "charlotte", "do", "-s", "killed", "wait_for", "text=never",
               "timeout=60000"]  # fmt: skip

    def is_listed(state: str) -> bool:
        return within(20, lambda: f"killed: 1 tab, {state}" in background.run("ps").out)

    for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, INTERRUPTED)):
        with subprocess.Popen(waiting, env=background.environment) as process:  # noqa: S603
            try:
                assert is_listed("in use")
                process.send_signal(number)
                assert process.wait(20) == code
            finally:
                process.kill()
        assert is_listed("used")


def test_clients_that_come_at_once_start_one_server() -> None:
    with open_background() as background:
        ran = list[str]()
        words = "--json", "tab_open"
        threads = [
            threading.Thread(target=lambda: ran.append(background.out(*words))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {json.loads(line)["tab_id"] for line in ran} == {f"tab-{n}" for n in range(1, 5)}
        assert background.run("stop").out.startswith("Stopped the server, process ")
        background.assert_nothing_is_left()


@pytest.mark.fault
def test_a_server_that_cannot_start_is_reported() -> None:
    with open_background() as background:
        wrong = background.do("--chromium", "/nowhere", "observe")
        assert wrong.code != 0
        assert "/nowhere" in wrong.err
        background.run("stop")
        flag = background.do("--idle", "never", "tabs")
        assert (flag.code, "--idle" in flag.err) == (UNUSABLE, True)


@pytest.mark.fault
def test_the_server_ends_when_it_is_idle() -> None:
    with open_background() as background:
        background.do("--idle", "1", "tab_open", "about:blank")
        assert within(20, lambda: not background.processes())
        background.assert_nothing_is_left()
        assert background.out("tabs") == "no tabs\n"


@pytest.mark.fault
def test_sessions_continue_after_the_server_was_killed() -> None:
    with open_background() as background:
        page = background.out("-s", "shop", "tab_open", list_page("Shop"))
        cookie = '[{"name": "sid", "value": "1", "domain": "a.test"}]'
        background.out("-s", "shop", "set_cookies", cookie)
        place = background.runtime / "charlotte" / "sessions"

        def has_cookie() -> bool:
            saved = SessionFiles(place).lost.get("shop")
            return saved is not None and any(state.cookies for state in saved.contexts.values())

        assert within(20, has_cookie)
        os.kill(background.server, signal.SIGKILL)  # the server may answer once more
        assert within(20, lambda: background.run("ps").out == "No background server is running.\n")
        assert (background.runtime / "charlotte" / SOCKET).exists()
        assert page.split()[0] in background.out("-s", "shop", "tabs")
        assert "List of Shop" in background.out("-s", "shop", "observe")
        assert ids_of(page)[1] in background.out("-s", "shop", "find", "Add")
        assert '"sid"' in background.out("-s", "shop", "get_cookies")
        assert background.out("-s", "shop", "tab_open").split()[0] == "tab-2"


@pytest.mark.fault
@pytest.mark.extended
def test_a_call_whose_server_is_killed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_background() as background:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(background.runtime))
        monkeypatch.delenv("CHARLOTTE_ANSWERS")
        background.out("-s", "shop", "tab_open", list_page("Shop"))
        codes = list[int]()
        waiting = ("-s", "shop", "wait_for", "text=never", "timeout=60000")
        thread = threading.Thread(target=lambda: codes.append(background.do(*waiting).code))
        with open_server("--join", "shop") as mcp:
            mcp.call("tabs")
            pending = mcp.start("wait_for", text="never", timeout=60000)
            thread.start()

            async def wait() -> None:
                with pytest.raises(ConnectionLost, match="may or may not have happened"):
                    await charlotte.join("shop").wait_for(text="never", timeout=60000)

            def kill() -> None:
                if within(20, lambda: "in use" in background.run("ps").out):
                    threading.Event().wait(1)
                    os.kill(background.server, signal.SIGKILL)

            killing = threading.Thread(target=kill)
            killing.start()
            trio.run(wait)
            killing.join()
            assert "CDP_CONNECTION_LOST" in pending.reply().text
            assert mcp.call("tabs").text.startswith("tab-1 ")
        thread.join()
        assert codes == [LOST]
        assert "List of Shop" in background.out("-s", "shop", "observe")
