"""Logins are saved once, encrypted, and any number of sessions and contexts begin with them."""

import json
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.responses import HTMLResponse, Response

from charlotte import Config, open_charlotte
from tests.browser.processes import kill
from tests.site.routes import Request
from tests.whole.client import Server, open_server
from tests.whole.processes import browser_of
from tests.whole.tabs import Tab, close_tabs, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

SESSION = "s%3A4f7Yk2Qp9sLm.Zx0Wc8Vb"
HIDDEN_COOKIE = "k3y-4711"
TOKEN = ".".join(
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0" * 4, "dozjgNryP4J3jVmNHl0w5N"]
)
SECRETS = (SESSION, HIDDEN_COOKIE, TOKEN[:30], TOKEN[-30:])
LOGIN = f"""<p>Welcome</p><script>
document.cookie = 'session={SESSION}; path=/; max-age=9999'
document.cookie = 'theme=dark; path=/'
localStorage.setItem('auth', JSON.stringify({{user: 'ada', tokens: ['{TOKEN}']}}))
</script>"""
HIDDEN_MARK = "<secret>login shop</secret>"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("store")
    (directory / "key").write_bytes(b"k" * 32)
    return directory / "logins"


def flags_of(store: Path) -> tuple[str, ...]:
    return ("--login-store", str(store), "--login-key-file", str(store.with_name("key")))


@pytest.fixture(scope="module")
def echo(web: Web) -> str:
    """The path of a page that shows its cookie and its localStorage in several ways."""

    async def show(request: Request) -> Response:
        cookie = request.headers.get("cookie", "none")
        return HTMLResponse(
            f"""<!DOCTYPE html><title>{cookie}</title><p id=sent>{cookie}</p><p id=stored></p>
            <a href="/echo?q={quote(cookie)}">Link</a><input aria-label=Field value="{cookie}">
            <script>
            stored.textContent = localStorage.auth
            console.log(document.cookie, localStorage.auth, JSON.parse(localStorage.auth).tokens[0])
            fetch('/echo?q=' + encodeURIComponent(document.cookie), {{
              method: 'POST', body: localStorage.auth, headers: {{'x-value': '{HIDDEN_COOKIE}'}}
            }})
            </script>""",
            headers={"x-cookie": cookie},
        )

    return web.handle(show)


@pytest.fixture(scope="module")
def saved(web: Web, store: Path) -> Path:

    async def log_in(_: Request) -> Response:
        headers = {"set-cookie": f"hidden={HIDDEN_COOKIE}; HttpOnly; path=/"}
        return HTMLResponse(f"<!DOCTYPE html><title>Log in</title>{LOGIN}", headers=headers)

    with open_server(*flags_of(store)) as server:
        tab = open_page(server, web, web.handle(log_in))
        assert tab.call("storage", action="save", name="shop") == {
            "login": "shop",
            "cookies": 3,
            "origins": 1,
        }
    return store


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("output")


@pytest.fixture(scope="module")
def running(saved: Path, output: Path) -> Generator[Server]:
    """One server, in which no test changes the login of the session."""
    flags = ("--login", "shop", *flags_of(saved), "--output-dir", str(output))
    with open_server(*flags, "--log-level", "debug") as server:
        yield server


@pytest.fixture
def server(running: Server) -> Generator[Server]:
    yield running
    close_tabs(running)


def open_page(server: Server, web: Web, path: str, **arguments: str) -> Tab:
    opened = server.call("tab_open", url=web.url(path), **arguments).json
    return Tab(server, web, opened["tab_id"])


def test_sessions_and_contexts_begin_with_a_saved_login(
    server: Server, web: Web, echo: str
) -> None:
    first = open_page(server, web, echo)
    others = [open_page(server, web, echo, context=name, login="shop") for name in ("a", "b")]
    for tab in (first, *others):
        assert tab.js("document.cookie.includes('theme=dark')")
        assert tab.js("JSON.parse(localStorage.auth).tokens[0].length") == len(TOKEN)
    sent = [request.headers["cookie"] for request in web.asked(echo)[-3:]]
    assert {"; ".join(sorted(cookie.split("; "))) for cookie in sent} == {
        f"hidden={HIDDEN_COOKIE}; session={SESSION}; theme=dark"
    }
    empty = open_page(server, web, web.write("Empty"), context="c")
    assert empty.js("[document.cookie, localStorage.length]") == ["", 0]


def test_changes_stay_in_their_context_until_they_are_saved(
    server: Server, web: Web, saved: Path
) -> None:
    tab = open_page(server, web, web.write("Shop"), context="changed", login="shop")
    tab.call("evaluate", expression="localStorage.visits = 2; document.cookie = 'theme=light'")
    beside = open_page(server, web, web.write("Shop"), context="beside", login="shop")
    assert beside.js("localStorage.visits === undefined")

    tab.call("storage", action="save", name="other")
    later = open_page(server, web, web.write("Shop"), context="later", login="other")
    assert later.js("localStorage.visits") == "2"
    assert {file.name for file in saved.iterdir()} >= {"shop.login", "other.login"}


def test_a_login_is_loaded_into_a_context_that_exists(server: Server, web: Web, echo: str) -> None:
    tab = open_page(server, web, web.write("<p>Empty</p>"), context="empty")
    assert tab.js("document.cookie") == ""
    assert tab.call("storage", action="load", name="shop") == {
        "loaded": {"cookies": 3, "origins": 1}
    }
    tab.call("navigate", url=web.url(echo))
    assert HIDDEN_MARK in tab.js("sent.textContent")
    assert tab.refused("storage", action="save")["code"] == "INVALID_ARGUMENT"


def test_no_answer_contains_a_value_of_a_login(
    server: Server, web: Web, echo: str, output: Path
) -> None:
    tab = open_page(server, web, echo)
    tab.call("wait_for", js="performance.getEntriesByName(location.origin + '/echo').length >= 0")
    link = tab.find("Link")
    requests = tab.call("requests", include_sensitive=True)["requests"]
    replies = [
        tab.reply("observe", detail="full"),
        tab.reply("observe", mode="content", answers="text"),
        tab.reply("observe", answers="text"),
        tab.reply("find", selector="p"),
        tab.reply("evaluate", expression="[document.cookie, localStorage.auth]"),
        tab.reply("evaluate", expression="btoa(document.cookie)"),
        tab.reply("get_cookies"),
        tab.reply("console"),
        tab.reply("requests", har=True, include_sensitive=True),
        tab.reply("click", element_id=link, answers="text"),
        *(tab.reply("requests", id=each["id"], include_sensitive=True) for each in requests),
        server.call("tabs"),
    ]
    texts = [json.dumps(reply.message) for reply in replies]
    texts += [file.read_text() for file in output.rglob("*.har")]
    texts.append(server.log())
    assert len([*output.rglob("*.har")]) == 1
    for text in texts:
        for value in (*SECRETS, quote(SESSION)):
            assert value not in text
    assert HIDDEN_MARK in replies[0].text
    assert {row["value"] for row in tab.call("get_cookies")["cookies"]} == {HIDDEN_MARK}
    assert "theme=dark" in tab.js("document.cookie")


def test_a_context_with_a_login_is_saved_as_a_login_only(
    server: Server, web: Web, output: Path
) -> None:
    tab = open_page(server, web, web.write("Shop"))
    for path in ({}, {"path": "state.json"}):
        refused = tab.refused("storage", action="save", **path)
        assert "has the login 'shop'" in refused["message"]
    assert not [*output.rglob("*.json")]


def test_a_login_needs_a_new_context(server: Server, web: Web) -> None:
    path = web.write("Shop")
    tab = open_page(server, web, path, context="used")
    refused = server.call("tab_open", url=web.url(path), context="used", login="shop").error
    assert "Context 'used' has tabs already" in refused["message"]
    tab.js("localStorage.mine = 1")
    server.call("tab_close", tab_id=tab.id)
    again = open_page(server, web, path, context="used", login="shop")
    assert again.js("[localStorage.mine === undefined, 'auth' in localStorage]") == [True, True]


def test_a_wrong_key_ends_the_start_with_a_message(saved: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "key"
    wrong.write_bytes(b"w" * 32)
    flags = ("--login", "shop", "--login-store", str(saved), "--login-key-file", str(wrong))
    with open_server(*flags, initialized=False) as server:
        server.process.wait(60)
        assert "key file is not that with which login 'shop' was saved" in server.log()
        assert "Check --login-key-file" in server.log()


@pytest.mark.fault
def test_a_login_is_restored_with_the_browser(server: Server, web: Web) -> None:
    tab = open_page(server, web, web.write("Shop"), context="b", login="shop")
    unvisited = open_page(server, web, web.write("Shop"), context="c", login="shop")
    unvisited.call("navigate", url="about:blank")
    tab.call("evaluate", expression="localStorage.later = 'yes'; changed = performance.now()")
    eventually(lambda: tab.js("performance.now() - changed") > 1000)  # stored a second late

    kill(browser_of(server.process.pid))

    eventually(lambda: not tab.reply("observe").result.get("isError"))
    assert tab.js("[localStorage.later, 'auth' in localStorage]") == ["yes", True]
    assert HIDDEN_MARK in tab.js("document.cookie")
    unvisited.call("navigate", url=web.url(web.write("Shop")))
    assert unvisited.js("'auth' in localStorage")


async def test_the_dashboard_contains_no_value_of_a_login(web: Web, echo: str, saved: Path) -> None:
    config = Config(login_store=str(saved), login_key_file=str(saved.with_name("key")))
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        await session.tab_open(web.url(echo), context="a", login="shop")
        state = charlotte.dashboard_state
        shown = json.dumps(state.hidden(state.state()))
    assert HIDDEN_MARK in shown
    for value in SECRETS:
        assert value not in shown
