"""``charlotte doctor``: check the installation, the settings and the browser."""

import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Literal

import attrs
import trio

from charlotte.actors.state.session_settings import session_settings
from charlotte.app import open_charlotte
from charlotte.browser.browser_source import guard_of, launch_options
from charlotte.browser.launch import (
    descriptors,
    find_executable,
    too_few_descriptors,
    wants_sandbox,
)
from charlotte.config import Config
from charlotte.errors import CharlotteError
from charlotte.files import not_creatable

Verdict = Literal["PASS", "WARN", "FAIL"]
Say = Callable[[str], object]

_PAGE = "data:text/html,<title>Well</title>"


@attrs.frozen
class Check:
    """The result of one check."""

    verdict: Verdict
    subject: str
    result: str

    def __str__(self) -> str:
        return f"{self.verdict}  {self.subject:<13} {self.result}"


async def doctor(config: Config, warnings: Sequence[str], say: Say) -> int:
    """Print the result of each check; return 1 if a check fails, else 0."""
    checks = [_itself(), *_settings(config, warnings), _chromium(config), _sandbox(config)]
    checks += _descriptors(config)
    if all(check.verdict != "FAIL" for check in checks):
        checks.append(await _page(config))
    for check in checks:
        say(str(check))
    return int(any(check.verdict == "FAIL" for check in checks))


def _itself() -> Check:
    return Check(
        "PASS", "charlotte", f"{version('charlotte')} on Python {platform.python_version()}"
    )


def _settings(config: Config, warnings: Sequence[str]) -> list[Check]:
    checks = [Check("WARN", "settings", warning) for warning in warnings]
    settings = session_settings(config)
    checks.append(Check("PASS", "roots", ", ".join(map(str, settings.roots))))
    if problem := not_creatable(settings.output_path):
        checks.append(Check("FAIL", "output", problem))
    else:
        shown = config.output_dir or settings.output_path.parent
        checks.append(Check("PASS", "output", str(shown)))
    return checks


def _chromium(config: Config) -> Check:
    if config.cdp_endpoint:
        return Check("PASS", "browser", f"running at {config.cdp_endpoint}")
    try:
        options = launch_options(config, guard_of(config, ()))
        executable = find_executable(options.executable, windows=options.has_windows)
        return Check("PASS", "browser", executable)
    except CharlotteError as error:
        return Check("FAIL", "browser", error.message)


def _sandbox(config: Config) -> Check:
    if config.cdp_endpoint or wants_sandbox(config.sandbox, root=os.geteuid() == 0):
        return Check("PASS", "sandbox", config.sandbox)
    reason = "disabled by the setting" if config.sandbox == "off" else "root cannot use it"
    return Check("WARN", "sandbox", f"off: {reason}")


def _descriptors(config: Config) -> list[Check]:
    if config.cdp_endpoint:
        return []
    limit = descriptors()
    problem = too_few_descriptors(limit)
    result = problem or ("unlimited" if limit < 0 else f"at most {limit} open files")
    return [Check("WARN" if problem else "PASS", "descriptors", result)]


async def _page(config: Config) -> Check:
    """Start the browser, open a page and read it."""
    began = trio.current_time()
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        try:
            page = await session.navigate(_PAGE)
            agent = await session.call("evaluate", {"expression": "navigator.userAgent"})
        except CharlotteError as error:
            return Check("FAIL", "page", error.message)
    name = str(agent.value.value).rpartition(") ")[2]
    verdict: Verdict = "PASS" if page.title == "Well" else "FAIL"
    return Check(verdict, "page", f"read after {trio.current_time() - began:.1f} s with {name}")
