"""``charlotte install``: a headless browser in the user's cache."""

import shutil
import sys

from charlotte.base.errors import CharlotteError
from charlotte.browser.process.install import find_build, get_platform, install, run_version
from charlotte.cli.parser import ANSWERED, FAILED, MISUSED, Invocation


async def run(invocation: Invocation) -> int:
    """Install the pinned or the newest stable headless shell, and start it once."""
    arguments, write = invocation.arguments, invocation.write
    if arguments.index and not arguments.index.startswith(("http://", "https://")):
        write(f"--index must be a URL with http or https, got {arguments.index!r}.")
        return MISUSED
    if sys.platform == "linux" and shutil.which("apt-get"):
        write("On Debian and Ubuntu, 'apt install chromium-headless-shell' is the better choice.")
    try:
        build = await find_build(get_platform(), index=arguments.index)
        installed = await install(build, force=arguments.force, say=write)
        if not installed.is_new:
            write(f"Version {build.version} is installed already; --force installs it again.")
        elif installed.is_verified:
            write(f"The hash is as expected: {installed.sha256}")
        else:
            write(f"The hash is not verified, because none is pinned: {installed.sha256}")
        write(f"{await run_version(installed.executable)}: {installed.executable}")
    except CharlotteError as error:
        text = f"charlotte: error: {error.message} {error.suggestion or ''}"
        print(text.rstrip(), file=sys.stderr)  # noqa: T201
        return FAILED
    return ANSWERED
