"""``charlotte doctor``: checks of the installation, with hints."""

import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Literal
from urllib.parse import urlsplit

import attrs
import trio

from charlotte.actors.state.session_settings import session_settings
from charlotte.api.app import open_local
from charlotte.base.errors import CharlotteError
from charlotte.base.files import not_creatable
from charlotte.base.version import __version__
from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.launch import SandboxRefused, is_root, open_chromium
from charlotte.browser.process.running_browser import RunningBrowser
from charlotte.cli.parser import Invocation
from charlotte.config import config as settings

Verdict = Literal["PASS", "WARN", "FAIL"]

TESTED_CHROMIUM = 156
"""The major version of Chromium that the tests run on."""
_PAGE = "data:text/html,<title>Well</title>"
_LIBRARIES = ("mcp", "trio")


@attrs.frozen
class Check:
    """The result of one check, with a hint unless it passed."""

    verdict: Verdict
    subject: str
    result: str
    hint: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict}  {self.subject:<13} {self.result}"
        return f"{line}\n      {'':<13} {self.hint}" if self.hint else line


async def run(invocation: Invocation) -> int:
    """Print the result of each check; return 1 if a check fails, else 0."""
    checks = [*_check_installation(invocation)]
    first = _check_users_browser if invocation.config.attach else _check_sandbox
    for check_browser in (first, _check_page):
        if not _has_failed(checks):
            checks.append(await check_browser(invocation))
    for check in checks:
        invocation.write(str(check))
    failed = _has_failed(checks)
    if not failed:
        command = "serve --http" if invocation.config.http else "serve"
        invocation.write(
            f"\n'charlotte {command}' works with this configuration. "
            "'charlotte config' lists clients and the block each of them needs."
        )
    return int(failed)


def _has_failed(checks: Iterable[Check]) -> bool:
    return any(check.verdict == "FAIL" for check in checks)


def _check_installation(invocation: Invocation) -> Iterator[Check]:
    config = invocation.config
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    python = platform.python_version()
    yield Check("PASS", "charlotte", f"{__version__} on Python {python} with {libraries}")
    if sys.platform != "linux":
        yield Check("WARN", "system", f"{platform.system()}: only Linux is tested")
    for name, source in invocation.sources.items():
        field = settings.fields()[name]
        value = "(set)" if "secret" in field.metadata else getattr(config, name)
        yield Check("PASS", "setting", f"{name} = {value!r}, from the {source}")
    for warning in invocation.warnings:
        yield Check("WARN", "setting", warning)
    session = session_settings(config)
    yield Check("PASS", "roots", ", ".join(map(str, session.roots)))
    if problem := not_creatable(session.output_path):
        yield Check("FAIL", "output", problem, "Pass a directory that you can write, --output-dir.")
    else:
        yield Check("PASS", "output", str(config.output_dir or session.output_path.parent))
    if config.is_foreign:
        if config.cdp_endpoint:
            yield Check("PASS", "browser", f"running at {config.cdp_endpoint}")
        return
    try:
        yield Check("PASS", "browser", find_executable(config.chromium, windows=config.has_windows))
    except CharlotteError as error:
        yield Check("FAIL", "browser", error.message, error.suggestion or "")


async def _check_users_browser(invocation: Invocation) -> Check:
    """Find the browser of ``--attach`` without a connection, which its user may have to allow."""
    config = invocation.config
    browser = RunningBrowser(config.attach or "", headers=config.headers())
    try:
        place = await browser.check()
    except CharlotteError as error:
        return Check("FAIL", "browser", error.message, error.suggestion or "")
    found = f"{browser.name} at {urlsplit(place.endpoint).netloc}"
    return Check("PASS", "browser", f"{found}, from {place.file}" if place.file else found)


async def _check_sandbox(invocation: Invocation) -> Check:
    """Start the browser with its sandbox, if the configuration wants one."""
    config = invocation.config
    if config.cdp_endpoint:
        return Check("PASS", "sandbox", "the running browser decides")
    if config.sandbox == "off":
        return Check("WARN", "sandbox", "off: disabled by the setting")
    verdict: Verdict = "FAIL" if config.sandbox == "on" else "WARN"
    if is_root():
        hint = "Run Charlotte as another user than root to have it."
        return Check(verdict, "sandbox", "off: Chromium has none as root", hint)
    try:
        async with open_chromium(attrs.evolve(config, sandbox="on")):
            return Check("PASS", "sandbox", "on, tried")
    except SandboxRefused:
        hint = "Allow unprivileged user namespaces, or run a container with --cap-add SYS_ADMIN."
        return Check(verdict, "sandbox", "off: this system does not let Chromium create one", hint)
    except CharlotteError as error:
        return Check("FAIL", "sandbox", error.message, error.suggestion or "")


async def _check_page(invocation: Invocation) -> Check:
    """Start the browser, open a page and read it, unless a user may have to allow that."""
    if invocation.config.attach is not None:
        return Check("PASS", "page", "not opened: the browser may ask its user")
    began = trio.current_time()
    async with open_local(invocation.config) as charlotte, charlotte.open_session() as session:
        try:
            page = await session.navigate(_PAGE)
            agent = await session.call("evaluate", {"expression": "navigator.userAgent"})
        except CharlotteError as error:
            return Check("FAIL", "page", error.message, error.suggestion or "")
    name = re.sub(r".*Chrome/([\d.]+).*", r"Chromium \1", str(agent.value.value))
    result = f"read after {trio.current_time() - began:.1f} s with {name}"
    if page.title != "Well":
        return Check("FAIL", "page", result)
    if int(re.sub(r"\D+(\d+).*", r"\1", name)) < TESTED_CHROMIUM:
        hint = (
            f"Charlotte is tested with Chromium {TESTED_CHROMIUM}; an older one can lack features."
        )
        return Check("WARN", "page", result, hint)
    return Check("PASS", "page", f"{result} (tested with {TESTED_CHROMIUM})")
