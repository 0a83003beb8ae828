"""Barriers in a session that shells and MCP clients share: each holds for all of them."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import trio

from charlotte.cli.parser import FAILED
from charlotte.shell.place import LOG
from tests.shell.running import Background, open_background
from tests.whole.client import open_server
from tests.whole.people import Person
from tests.whole.shop_site import Shop, open_shop
from tests.whole.tabs import eventually
from tests.whole.test_owner_dashboard import address_in
from tests.whole.test_policies import ASK

pytestmark = pytest.mark.chromium

SESSION = "shop"


@pytest.fixture
def background() -> Generator[Background]:
    with open_background() as opened:
        yield opened


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def flags(tmp_path: Path, audit: Path) -> list[str]:
    rules = tmp_path / "rules.toml"
    rules.write_text(ASK)
    joined = ["--join", SESSION, "--only-host", "127.0.0.1"]
    return [*joined, "--policy", str(rules), "--audit", str(audit)]


def button_of(background: Background, label: str) -> str:
    return background.out("-s", SESSION, "find", label, "--type", "button").split()[0]


def lines_of(audit: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in audit.read_text().splitlines()]


async def test_a_question_of_a_shell_without_a_dashboard_is_refused_in_the_audit_log(
    background: Background, flags: list[str], audit: Path
) -> None:
    async with open_shop() as shop:
        await trio.to_thread.run_sync(order_without_a_person, background, flags, shop)
        assert shop.orders() == []
    rows = lines_of(audit)
    assert {row["session"] for row in rows if "session" in row} == {"session-1"}
    errors = [one.get("error", "") for row in rows for one in row.get("requests", ())]
    assert errors[0].startswith("refused by policy rule 'orders': no person")


def order_without_a_person(background: Background, flags: list[str], shop: Shop) -> None:
    with open_server(*flags, env=background.environment) as server:
        server.call("navigate", url=shop.url("/checkout?plain=1"))
        button = button_of(background, "fetch")
        assert "no person could be asked" in background.out("-s", SESSION, "click", button)
        assert "no person could be asked" in server.call("click", element_id=button).text


async def test_a_person_on_the_dashboard_keeps_shells_from_a_tab_and_answers_questions(
    background: Background, flags: list[str]
) -> None:
    async with open_shop() as shop:
        await trio.to_thread.run_sync(work_with_a_person, background, flags, shop)
        assert len(shop.orders()) == 1


def work_with_a_person(background: Background, flags: list[str], shop: Shop) -> None:
    log = background.runtime / "charlotte" / LOG
    with open_server(*flags, "--dashboard", env=background.environment) as server:
        server.call("navigate", url=shop.url("/checkout?plain=1"))
        person = Person(address_in(log.read_text))
        button = button_of(background, "fetch")
        turn = server.start("ask_person", what="Log in", timeout=20_000)
        person.wait_asked()
        refused = background.do("-s", SESSION, "click", button)
        person.end()
        assert turn.reply().json["person"] == {"ended": "done"}
        assert (refused.code, "PERSON_HAS_TAB" in refused.err) == (FAILED, True)

        click = server.start("click", element_id=button)
        eventually(person.questions)
        [question] = person.questions()
        assert person.post(f"questions/{question['id']}", {"allow": True}) == 204
        assert "a person allowed it" in click.reply().text
