"""The configured start of a session: contexts, state, scripts, permissions, a profile."""

import json
from pathlib import Path

import pytest

from tests.whole.cases import case
from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab, new_tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


def in_context(server: Server, web: Web, name: str) -> Tab:
    opened = server.call("tab_open", url=web.url("/counter.html"), context=name).json
    return Tab(server, web, opened["tab_id"])


def test_a_named_context_has_its_own_cookies_and_storage(fresh_tab: Tab) -> None:
    server, web = fresh_tab.server, fresh_tab.web
    fresh_tab.open("/counter.html")
    fresh_tab.js("document.cookie = 'who=me'; localStorage.setItem('who', 'me')")

    clean, again = in_context(server, web, "clean"), in_context(server, web, "clean")

    seen = "document.cookie + (localStorage.getItem('who') ?? '-')"
    assert clean.js(seen) == "-"
    clean.js("document.cookie = 'who=you'")
    assert again.js("document.cookie") == "who=you"
    assert fresh_tab.js("document.cookie") == "who=me"
    assert [row.get("context") for row in server.call("tabs").json] == [None, "clean", "clean"]


@pytest.mark.req("V-REF-02")
def test_references_in_a_named_context_have_its_name_as_prefix(fresh_tab: Tab) -> None:
    clean = in_context(fresh_tab.server, fresh_tab.web, "clean")
    tree = clean.reply("observe", mode="tree").texts[0]
    reference = tree.split("[ref=", 1)[1].split("]", 1)[0]

    assert reference.startswith("clean:e")
    clean.call("click", element_id=reference)
    fresh_tab.open("/counter.html")
    assert fresh_tab.refused("click", element_id=reference)["code"] == "ELEMENT_NOT_FOUND"


def test_an_invalid_context_name_is_refused(server: Server) -> None:
    for name in ["", "a b", "x" * 41, "a:b"]:
        with case(name):
            assert server.call("tab_open", context=name).error["code"] == "INVALID_ARGUMENT"


@pytest.mark.fault
def test_a_session_starts_with_the_configured_state_scripts_and_permissions(
    web: Web, tmp_path: Path
) -> None:
    origin = web.url("")
    state = {
        "cookies": [{"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/",
                     "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}],
        "origins": [{"origin": origin, "localStorage": [{"name": "k", "value": "v"}]}],
    }  # fmt: skip
    (tmp_path / "state.json").write_text(json.dumps(state))
    (tmp_path / "one.js").write_text("var first = 1")
    (tmp_path / "two.js").write_text("var second = first + 1")
    flags = (
        "--storage-state", str(tmp_path / "state.json"),
        "--init-script", str(tmp_path / "one.js"), "--init-script", str(tmp_path / "two.js"),
        "--grant-permission", "geolocation", "--grant-permission", "clipboard-read",
        "--content-boundaries",
    )  # fmt: skip
    with open_server(*flags) as server:
        server.call("navigate", url=web.url("/cookie"))

        def js(expression: str) -> object:
            return server.call("evaluate", expression=expression).json["value"]

        assert json.loads(str(js("document.body.innerText"))) == {"who": "me"}
        assert js("localStorage.getItem('k')") == "v"
        assert js("second") == 2
        asked = "(await navigator.permissions.query({name: '%s'})).state"
        assert js(asked % "geolocation") == "granted"
        assert js(asked % "notifications") != "granted"
        fenced, again = [server.call("observe", mode="outline").texts[0] for _ in range(2)]
        first, last = fenced.splitlines()[0], fenced.splitlines()[-1]
        assert first.startswith("--- page ")
        assert last == first.replace("page", "end of page", 1)
        assert first not in again


def test_an_init_script_runs_in_tabs_opened_by_pages(web: Web, tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("var first = 1")
    with (
        open_server("--init-script", str(tmp_path / "one.js")) as server,
        new_tab(server, web) as tab,
    ):
        for rel in ("noopener", "opener"):
            tab.open(f"<a href='/form.html' target=_blank rel={rel}>Open</a>")
            [opened] = tab.click("Open")["opened_tabs"]
            popup = Tab(server, web, opened["id"])
            assert popup.js("[first, location.pathname]") == [1, "/form.html"]


@pytest.mark.fault
@pytest.mark.extended
def test_a_profile_directory_persists_across_servers(web: Web, tmp_path: Path) -> None:
    flags = ("--user-data-dir", str(tmp_path / "profile"))
    remember = "localStorage.setItem('k', 'v'); document.cookie = 'who=me;max-age=1000'"
    seen = "localStorage.getItem('k') + document.cookie"
    with open_server(*flags) as server:
        server.call("navigate", url=web.url("/counter.html"))
        server.call("evaluate", expression=f"{remember}; open('/echo'); 0")
        assert len(server.call("tabs").json) == 2
        other = server.call("tab_open", url=web.url("/counter.html"), context="clean").json
        assert other["tab_id"] == "tab-3"
        assert server.call("evaluate", expression=seen).json["value"] == "null"
    with open_server(*flags) as server:
        server.call("navigate", url=web.url("/counter.html"))
        assert server.call("evaluate", expression=seen).json["value"] == "vwho=me"
