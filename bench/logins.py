"""``python -m bench.logins``: the start of 32 sessions with a saved login, and of empty ones.

Each session opens a tab in a context of its own, with or without the login, at a page that shows
whether it is logged in. All sessions of a round begin at the same time, in one browser. Rounds with
and without the login take turns, and the medians are compared.
"""

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

import trio
from starlette.responses import HTMLResponse, Response

from charlotte import Config, open_charlotte
from charlotte.app import Charlotte
from charlotte.login_store import LoginStore
from tests.site.routes import Request
from tests.site.server import Site, open_site

_RESULTS: Final = Path(__file__).with_name("results") / "logins.json"
_SESSIONS: Final = 32
_ROUNDS: Final = 7
_LIMIT: Final = 1.2
_PATIENCE: Final = 600.0
_PASSPHRASE: Final = "a passphrase of the bench"  # noqa: S105 - encrypts made-up values
_COOKIES: Final = 30
_ORIGINS: Final = 5
_ITEMS: Final = 20
_PAGE: Final = """<!DOCTYPE html><title>Shop</title><p id=out></p><script>
out.textContent = `${localStorage.getItem('item-0') ? 'logged in' : 'empty'}, COOKIES cookies`
</script>"""


def _login(site: Site) -> dict[str, Any]:
    """Return a login with cookies, and with localStorage of the site and of other origins."""
    cookies = [
        {"name": f"cookie-{number}", "value": f"{number:032}", "domain": "127.0.0.1"}
        for number in range(_COOKIES)
    ]
    items = [{"name": f"item-{number}", "value": f"{number}" * 500} for number in range(_ITEMS)]
    others = [f"https://shop-{number}.test" for number in range(1, _ORIGINS)]
    origins = [{"origin": origin, "localStorage": items} for origin in (_origin(site), *others)]
    return {"cookies": cookies, "origins": origins}


def _origin(site: Site) -> str:
    return site.url("").rstrip("/")


async def _show(request: Request) -> Response:
    count = len(list(filter(None, request.headers.get("cookie", "").split(";"))))
    return HTMLResponse(_PAGE.replace("COOKIES", str(count)))


async def _start(charlotte: Charlotte, url: str, login: str | None) -> float:
    """Start all sessions at once; return the seconds until each has its first page."""
    expected = "empty, 0 cookies" if login is None else f"logged in, {_COOKIES} cookies"
    arguments = {"url": url, "context": "shop"} | ({"login": login} if login else {})
    waiting, all_ready, end = _SESSIONS, trio.Event(), trio.Event()

    async def work() -> None:
        nonlocal waiting
        async with charlotte.open_session() as session:
            answer = await session.call("tab_open", arguments)
            if expected not in answer.text:
                raise RuntimeError(f"{expected!r} is not in {answer.text[:500]}")
            waiting -= 1
            if waiting == 0:
                all_ready.set()
            await end.wait()

    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(_SESSIONS):
            nursery.start_soon(work)
        await all_ready.wait()
        took = trio.current_time() - begun
        end.set()
    return took


async def _measure() -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"empty": [], "login": []}
    with trio.fail_after(_PATIENCE), tempfile.TemporaryDirectory() as directory:
        async with open_site(routes={"/shop": _show}) as site:
            LoginStore(Path(directory), _PASSPHRASE).write("shop", _login(site))
            config = Config(login_store=directory, login_passphrase=_PASSPHRASE, log_level="error")
            async with open_charlotte(config) as charlotte:
                url = site.url("/shop")
                for login in (None, "shop"):  # starts the browser, and derives the key
                    await _start(charlotte, url, login)
                for _ in range(_ROUNDS):
                    times["empty"].append(await _start(charlotte, url, None))
                    times["login"].append(await _start(charlotte, url, "shop"))
    return times


def main() -> None:
    """Measure, print, and write ``logins.json``."""
    times = trio.run(_measure)
    medians = {name: statistics.median(found) for name, found in times.items()}
    ratio = medians["login"] / medians["empty"]
    print(f"{_SESSIONS} sessions to their first page, median of {_ROUNDS} rounds:")
    print(", ".join(f"{name} {median:.2f} s" for name, median in medians.items()))
    print(f"ratio {ratio:.2f}, limit {_LIMIT}: {'ok' if ratio <= _LIMIT else 'too slow'}")
    results = {
        "sessions": _SESSIONS,
        "seconds": {name: [round(each, 3) for each in found] for name, found in times.items()},
        "ratio": round(ratio, 3),
        "limit": _LIMIT,
    }
    _RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
