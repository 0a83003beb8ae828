"""Write charlotte/browser/process/pinned.json: the newest stable headless shell, with hashes.

Needs a network. `make pin-browser` runs it before a release.
"""

import json
import tempfile
from pathlib import Path

import trio

from charlotte.browser.process.executables import System
from charlotte.browser.process.install import PINNED, PLATFORMS, find_build, install


async def main() -> None:
    """Download the build of every platform and write version and hashes."""
    hashes: dict[str, str] = {}
    version = None
    for name in sorted(set(PLATFORMS.values())):
        build = await find_build(name, pinned={} if version is None else {"version": version})
        version = build.version
        with tempfile.TemporaryDirectory() as cache:
            system = System(cache=Path(cache))
            hashes[name] = (await install(build, system=system)).sha256
    PINNED.write_text(json.dumps({"version": version, "sha256": hashes}, indent=2) + "\n")


if __name__ == "__main__":
    trio.run(main)
