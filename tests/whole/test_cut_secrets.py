"""Secrets are redacted wherever a text of a page is cut: each cut falls into an occurrence."""

import json
from collections.abc import Generator
from typing import Any, Final

import pytest

from tests.whole.cases import case
from tests.whole.client import Reply, Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

SECRET: Final = "Xq7mZp4kLw9vRt2yBn6cHd3fJg8sKa5uEe1oQi0T"  # noqa: S105
HALF: Final = len(SECRET) // 2
PAGE: Final = """<input aria-label="{0}" aria-invalid=true aria-errormessage=m><p id=m>{0}</p>
<div>{0}<button id=b></button></div><select aria-label=Choice><option>{0}</select>
<h2>{0}</h2><p>needle {0}</p><button>Send {0}</button><ul><li>{0} <button>Go</button></ul>
<table><tr><th>{0}<th>B<tr><td>{0}<td><button>Buy</button></table><a href="/{1}">{0}</a>"""
LOOKS: Final[list[tuple[str, dict[str, Any]]]] = [
    *(("observe", {"detail": detail}) for detail in ("summary", "full")),
    *(("observe", {"mode": mode}) for mode in ("tree", "outline", "content", "head")),
    *(("find", given) for given in ({"text": "needle"}, {"type": "button"}, {"role": "row"})),
    *((tool, {}) for tool in ("console", "requests", "dev_audit")),
    ("click", {"element_id": "btn-0000"}),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    file = tmp_path_factory.mktemp("secrets") / "secrets.env"
    file.write_text(f"VALUE={SECRET}\n")
    with open_server("--secrets", str(file), "--profile", "full") as running:
        yield running


@pytest.mark.parametrize("offset", [0, 9, 18, 27])
def test_no_answer_shows_more_than_half_of_a_secret(server: Server, web: Web, offset: int) -> None:
    tab = Tab(server, web, server.call("tab_open").json["tab_id"])
    text = "z" * offset + f"{SECRET} " * 90
    path = web.write(PAGE.format(text, text.replace(" ", "-")), title=text)
    check(tab.reply("navigate", url=web.url(path)))
    check(tab.reply("evaluate", expression=f"console.log({json.dumps(text)}); b.title = 'act'"))
    for tool, arguments in LOOKS:
        for answers in ("text", "json"):
            with case(tool, arguments, answers):
                check(tab.reply(tool, **arguments, answers=answers))
    tab.js(f"setTimeout(() => alert({json.dumps(text)})); 1")
    tab.reply("wait_for", time=300)
    check(tab.reply("click", element_id="btn-0000"))
    check(tab.reply("dialog", accept=True))
    for code in (f"console.log('{text}'); return '{text}'", f"throw new Error('{text}')"):
        for limit in (1000, None):
            check(server.call("run", code=code, max_chars=limit))


def check(reply: Reply) -> None:
    whole = json.dumps(reply.message, ensure_ascii=False)
    for start in range(HALF):
        assert SECRET[start : start + HALF + 1] not in whole
