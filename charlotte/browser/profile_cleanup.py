"""Sweeps what servers left behind that were killed: profiles of browsers, temporary output.

A profile is swept if its guardian is dead, which held a lock on the file `OWNER` in it. Temporary
output is kept for people who still want it: it is swept `KEPT_DAYS` after the last file was
written there, if the process that made it is dead.
"""

import fcntl
import os
import re
import shutil
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

from charlotte.clock import now_ms

OWNER = "owner"
OUTPUT_OWNER = ".owner"
OUTPUT_PREFIX = "charlotte-output-"
KEPT_DAYS = 7
_PROFILE = re.compile("charlotte-[0-9a-f]{12}")
_OUTPUT = re.compile(f"{OUTPUT_PREFIX}[0-9a-f]{{16}}")
_DAY = 86_400.0


@cache
def begin_sweeping() -> None:
    """Sweep once per process, in a thread that delays neither start nor end."""
    threading.Thread(target=sweep, args=(Path(tempfile.gettempdir()),), daemon=True).start()


def sweep(place: Path) -> None:
    """Remove files that dead servers of this user left in a directory."""
    with suppress(OSError):
        for found in place.iterdir():
            with suppress(OSError):
                if found.is_symlink() or found.stat().st_uid != os.getuid():
                    continue
                is_left = (_PROFILE.fullmatch(found.name) and _is_unlocked(found / OWNER)) or (
                    _OUTPUT.fullmatch(found.name) and _is_stale(found)
                )
                if is_left:
                    shutil.rmtree(found, ignore_errors=True)


def mark_output(directory: Path) -> None:
    """Mark a temporary directory as used by this process."""
    with suppress(OSError):
        (directory / OUTPUT_OWNER).write_text(str(os.getpid()))


def _is_unlocked(file: Path) -> bool:
    with file.open("rb") as owner:
        try:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _is_stale(directory: Path) -> bool:
    files = [directory, *(one for one in directory.iterdir() if one.name != OUTPUT_OWNER)]
    newest = max(one.lstat().st_mtime for one in files)
    age = now_ms() / 1000 - newest
    return age > KEPT_DAYS * _DAY and not _is_running(directory / OUTPUT_OWNER)


def _is_running(owner: Path) -> bool:
    try:
        os.kill(int(owner.read_text()), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True
