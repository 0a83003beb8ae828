"""Credentials that agents use but never see: HTTP logins, and secrets typed by name."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from starlette.responses import HTMLResponse, Response

from charlotte.secrets.one_time_codes import OneTimeCodes
from tests.site.routes import Handler, Request, page
from tests.whole.cases import case
from tests.whole.client import Reply, Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PASSWORD: Final = "correct horse"  # noqa: S105
VALUE: Final = 'battery "staple" 99'
BASIC: Final = base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
FORM: Final = """<form><label>Password <input id=p></label><label>Again <input></label></form>
  <p id=out></p><script>
  p.oninput = () => { out.textContent = 'Typed ' + p.value }
  p.onblur = () => console.log('saw', p.value) ||
    fetch('/echo?q=' + encodeURIComponent(p.value), {method: 'POST', body: p.value})
  </script>"""


@pytest.fixture(scope="module")
def login_server(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """A server with logins for three hosts and the proxy, and one secret."""
    place = tmp_path_factory.mktemp("logins")
    right = ("basic.localhost", "digest.localhost", "127.0.0.1")
    hosts = {**dict.fromkeys(right, PASSWORD), "changed.localhost": "old"}
    netloc = web.url("").removeprefix("http://127.0.0.1")
    logins = [f"http://ada:{quote(word)}@{host}{netloc}" for host, word in hosts.items()]
    (place / "charlotte.json").write_text(json.dumps({"http_credential": logins}))
    (place / "secrets.env").write_text(f"SHOP_PASSWORD='{VALUE}'\n")
    flags = ("--config", str(place / "charlotte.json"), "--secrets", str(place / "secrets.env"))
    output = ("--proxy-server", web.url(""), "--output-dir", str(place))
    with open_server(*flags, *output, "--log-level", "debug") as server:
        yield server


@pytest.fixture
def secret_tab(login_server: Server, web: Web) -> Tab:
    rows = login_server.call("tabs").json
    kept = rows[0]["id"] if rows else login_server.call("tab_open").json["tab_id"]
    return Tab(login_server, web, kept)


def asks(scheme: str, *, proxy: bool = False) -> Handler:
    asked, shown, status = (
        ("Proxy-Authenticate", "proxy-authorization", 407)
        if proxy
        else ("WWW-Authenticate", "authorization", 401)
    )

    async def handle(request: Request) -> Response:
        given = request.headers.get(shown, "")
        if given == f"Basic {BASIC}" or _is_digest(request.method, given):
            return page("Welcome", f"<p>{given}</p>")
        headers = {asked: f'{scheme} realm="club", nonce="abc", algorithm=MD5'}
        return HTMLResponse(b"<title>Who?</title>", status_code=status, headers=headers)

    return handle


def _is_digest(method: str, given: str) -> bool:
    """Return whether a header is a valid digest (RFC 7616, without ``qop``)."""
    parts: dict[str, str] = dict(re.findall(r'(\w+)="([^"]*)"', given))
    if "response" not in parts:
        return False
    whole, what = f"ada:club:{PASSWORD}", f"{method}:{parts['uri']}"
    return parts["response"] == _md5(f"{_md5(whole)}:abc:{_md5(what)}")


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def test_a_server_that_requires_http_authentication_gets_the_credentials(secret_tab: Tab) -> None:
    for scheme in ["Basic", "Digest"]:
        with case(scheme):
            web = secret_tab.web
            url = web.url(web.handle(asks(scheme)), host=f"{scheme.lower()}.localhost")
            arrived = secret_tab.reply("navigate", url=url)
            assert (arrived.json["status"], arrived.json["title"]) == (200, "Welcome")

            whole = secret_tab.reply("observe", detail="full").text
            archived = secret_tab.reply("requests", har=True, include_sensitive=True)
            saved = Path(archived.json["path"]).read_text(encoding="utf-8")
            for text in (whole, saved):
                assert BASIC not in text
                assert PASSWORD not in text


def test_a_proxy_that_requires_authentication_gets_the_credentials(secret_tab: Tab) -> None:
    path = secret_tab.web.handle(asks("Basic", proxy=True))
    arrived = secret_tab.call("navigate", url=f"http://shop.test{path}")
    assert (arrived["status"], arrived["title"]) == (200, "Welcome")


def test_rejected_credentials_are_sent_once_and_reported(secret_tab: Tab) -> None:
    web = secret_tab.web
    path = web.handle(asks("Basic"))
    refused = secret_tab.call("navigate", url=web.url(path, host="changed.localhost"))
    assert (refused["status"], refused["title"]) == (401, "Who?")
    assert "does not take the credentials" in json.dumps(refused)
    assert len(web.asked(path)) == 2


def test_unconfigured_hosts_get_no_credentials(secret_tab: Tab) -> None:
    web = secret_tab.web
    path = web.handle(asks("Basic"))
    assert secret_tab.call("navigate", url=web.url(path, host="other.localhost"))["status"] == 401
    assert [one.headers.get("authorization") for one in web.asked(path)] == [None]


def test_a_secret_is_typed_by_name_and_never_returned(secret_tab: Tab) -> None:
    secret_tab.open(FORM)
    typed = secret_tab.reply("type", element_id=secret_tab.find("Password"), text="SHOP_PASSWORD")
    again = {"element_id": secret_tab.find("Again"), "value": "SHOP_PASSWORD"}
    filled = secret_tab.reply("fill_form", fields=[again])
    asked = secret_tab.reply("requests", url_pattern="/echo")
    [number] = [one["id"] for one in asked.json["requests"]]
    answers = [
        typed, filled, asked, secret_tab.reply("console"), secret_tab.reply("observe"),
        secret_tab.reply("observe", detail="full"), secret_tab.reply("requests", id=number),
        secret_tab.reply("evaluate", expression="[p.value, document.body.innerText]"),
    ]  # fmt: skip

    sent = secret_tab.web.asked("/echo")[-1]
    assert sent.body.decode() == VALUE
    for answer in answers:
        assert "<secret>SHOP_PASSWORD</secret>" in answer.text
        assert "staple" not in answer.text
    shown = secret_tab.reply("find", type="text_input", answers="text").text
    assert '[= "<secret>SHOP_PASSWORD</secret>"' in shown
    thrown = secret_tab.refused("evaluate", expression="throw new Error(p.value)")
    assert "Error: <secret>SHOP_PASSWORD</secret>" in thrown["message"]
    assert "staple" not in secret_tab.server.log()


def test_the_instructions_list_the_names_of_secrets(login_server: Server) -> None:
    text = login_server.initialize()["instructions"]
    assert text.endswith("Secrets: pass a name as text and its value is typed: SHOP_PASSWORD.")
    assert len(text) < 1_200
    assert login_server.call("configure").json["secrets"] == ["SHOP_PASSWORD"]


def test_a_secret_at_a_truncation_point_is_redacted(secret_tab: Tab) -> None:
    # Place secrets at the cuts of the body preview and of the answer
    web = secret_tab.web
    text = ("x" * 990 + VALUE).ljust(39_840, "x") + VALUE + "x" * 20_000
    path = web.publish(Response(text.encode(), headers={"content-type": "text/plain"}))
    secret_tab.open("<h1>Reads</h1>")

    shown = secret_tab.reply("evaluate", expression=f"await (await fetch('{path}')).text()").text
    number = secret_tab.call("requests", url_pattern=path)["requests"][-1]["id"]
    body = secret_tab.call("requests", id=number)["response"]["body"]

    assert "battery" not in shown
    assert "battery" not in body["beginning"]
    assert "<secret>" in shown
    assert "<secr" in body["beginning"]


SHOWING: Final = f"""<p id=it>{VALUE}</p><input aria-label=Field value='{VALUE}'>
<iframe srcdoc="<p>{VALUE.replace('"', "&amp;quot;")}</p>"></iframe><p>Other</p>"""


def test_grep_does_not_match_inside_a_secret(secret_tab: Tab) -> None:
    secret_tab.open(SHOWING)

    for mode in ["tree", "interactive", "content", "all"]:
        with case(mode):
            guessed = secret_tab.reply("observe", mode=mode, grep="stap").text
            assert (
                guessed.replace("stap", "zzzz")
                == secret_tab.reply("observe", mode=mode, grep="zzzz").text
            )


def test_find_does_not_match_inside_a_secret(secret_tab: Tab) -> None:
    secret_tab.open(f"{SHOWING}<ul><li>{VALUE} <button>Go</button><li>X <button>Go</button></ul>")
    guesses = (
        {"text": "stap"},
        {"text": "stap", "role": "textbox"},
        {"text": "stap", "role": "paragraph"},
        {"text": "stap", "selector": "*"},
        {"row": "stap"},
    )
    for guess in guesses:
        other = secret_tab.reply("find", **{**guess, next(iter(guess)): "zzzz"})
        assert secret_tab.reply("find", **guess).texts == other.texts
    rows = [each["row"] for each in secret_tab.call("find", row=" ", text="Go")]
    assert rows == ["<secret>SHOP_PASSWORD</secret>", "X"]
    assert "Other" in secret_tab.reply("find", text="othe").text
    assert "Other" in secret_tab.reply("find", text="othe", selector="p").text


def test_wait_for_does_not_match_inside_a_secret(secret_tab: Tab) -> None:
    secret_tab.open(SHOWING)
    assert secret_tab.refused("wait_for", text="stap", timeout=300)["code"] == "TIMEOUT"
    secret_tab.call("wait_for", text="Other", text_gone="stap")


def test_a_secret_that_the_page_cuts_is_not_in_the_note(secret_tab: Tab) -> None:
    secret_tab.open("<input aria-label=Code oninput='value = value.slice(0, 3)'>")

    answer = secret_tab.type("Code", "SHOP_PASSWORD")

    assert 'shows "bat", not "<secret>SHOP_PASSWORD</secret>"' in answer["note"]


def test_metadata_of_an_answer_contains_no_secret(secret_tab: Tab) -> None:
    script = "fetch('/slow?ms=1500&name=' + encodeURIComponent(f.value))"
    secret_tab.open(f'<input id=f aria-label=Field><button onclick="{script}">Send</button>')
    secret_tab.type("Field", "SHOP_PASSWORD")
    clicked = secret_tab.reply("click", element_id=secret_tab.find("Send"))
    assert "/slow?ms=" in json.dumps(clicked.metadata)
    assert "staple" not in json.dumps(clicked.message)


def test_a_redirect_to_a_metadata_address_is_refused_behind_a_user_proxy(secret_tab: Tab) -> None:
    target = "http://100.100.100.200/latest/meta-data/"  # no proxy is asked for 169.254/16
    path = secret_tab.web.publish(HTMLResponse(b"", status_code=302, headers={"location": target}))
    error = secret_tab.refused("navigate", url=f"http://shop.test{path}")
    assert error["code"] == "NAVIGATION_BLOCKED"
    assert "100.100.100.200" in error["message"]
    assert not secret_tab.web.asked("/latest/meta-data/")


def test_a_one_time_code_is_typed_by_name_and_never_returned(web: Web, tmp_path: Path) -> None:
    key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    (tmp_path / "secrets.env").write_text(f"SHOP_CODE=otpauth://totp/Shop?secret={key}\n")
    with open_server("--secrets", str(tmp_path / "secrets.env")) as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        tab.open(FORM)
        before = time.time()
        tab.type("Password", "SHOP_CODE")
        tab.click("Again")
        typed = web.wait_for_request("/echo").body.decode()
        codes = OneTimeCodes(key)
        assert typed in {codes.at(before), codes.at(time.time())}
        answers = [tab.reply("observe", detail="full"), tab.reply("console"), tab.reply("requests")]
        for answer in answers:
            assert typed not in json.dumps(answer.message)
        assert "Typed <secret>SHOP_CODE</secret>" in answers[0].text
        assert typed not in server.log()


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
    *((tool, {}) for tool in ("console", "requests", "dev_audit", "tabs")),
    ("wait_for", {"text": "never", "timeout": 100}),
    ("batch", {"steps": [{"tool": "find", "arguments": {"selector": "p"}}]}),
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
                where = {} if tool in {"tabs", "batch"} else {"tab_id": tab.id}
                check(server.call(tool, **arguments, **where, answers=answers))
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
