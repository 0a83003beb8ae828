"""The processes that belong to a server (Linux: /proc)."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.browser.processes import running
from tests.whole.tabs import Tab

BALLAST = 64 * 2**20
MOST_WAIT = 60.0


def descendants(ancestor: int) -> list[int]:
    parents = {int(entry.name): parent(entry) for entry in Path("/proc").iterdir()
               if entry.name.isdigit()}  # fmt: skip
    found = [ancestor]
    for pid in found:
        found += [child for child, its_parent in parents.items() if its_parent == pid]
    return found[1:]


def parent(entry: Path) -> int:
    with suppress(OSError, IndexError):
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def arguments(pid: int) -> list[str]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return []


def browser_of(server: int) -> int:
    """Return the main process of the browser, the parent of its renderers."""
    found = [
        pid
        for pid in descendants(server)
        if any(one.startswith("--remote-debugging-pipe") for one in arguments(pid))
        and not any(one.startswith("--type=") for one in arguments(pid))
        and not any(one.endswith("guardian.py") for one in arguments(pid))
    ]
    # Between fork and exec, a child has the arguments of its parent.
    [browser] = [pid for pid in found if parent(Path(f"/proc/{pid}")) not in found]
    return browser


def profile_of(browser: int) -> Path:
    [flag] = [one for one in arguments(browser) if one.startswith("--user-data-dir=")]
    return Path(flag.partition("=")[2])


def renderers(ancestor: int) -> dict[int, int]:
    """Return the resident bytes of the renderers below a process, by process id."""
    found: dict[int, int] = {}
    for pid in descendants(ancestor):
        with suppress(OSError, ValueError, IndexError):  # it may end meanwhile
            # processes forked by the zygote have all arguments in one string
            if any("--type=renderer" in each for each in arguments(pid)):
                found[pid] = resident(pid)
    return found


def renderer_of(tab: Tab) -> int:
    """Find the renderer of a tab: it grows when the page allocates memory."""
    server = tab.server.process.pid
    before = renderers(server)
    tab.js(f"globalThis.ballast = new Uint8Array({BALLAST}).fill(1); 0")
    now = renderers(server)
    [grown] = [pid for pid in now if now[pid] - before.get(pid, 0) > BALLAST * 0.9]
    return grown


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def gone(pids: list[int], profile: Path) -> bool:
    """Return whether all processes have ended and the profile directory is deleted."""
    return not any(map(running, pids)) and not profile.exists()
