"""The sessions of the background server on disk, for the next server if this one is killed.

Each session has a file. Tabs are written before an answer is sent, the rest within a second after.
A server that ends by itself or is stopped removes the files.
"""

import hashlib
import json
import shutil
from pathlib import Path

import attrs
import structlog

from charlotte.actors.state.records import OWNER
from charlotte.actors.state.saved_session import SavedSession, unpack
from charlotte.base.files import write

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class SessionFiles:
    """The files in a directory, and the sessions of a lost server that no client has used since."""

    directory: Path
    lost: dict[str, SavedSession] = attrs.field(factory=dict[str, SavedSession], init=False)
    _written: dict[str, bytes] = attrs.field(factory=dict[str, bytes], init=False)

    def __attrs_post_init__(self) -> None:
        for path in self.directory.glob("*"):
            try:
                head, _, packed = path.read_bytes().partition(b"\n")
                name = json.loads(head)
                if path == self._path(name):  # else it was not yet in place
                    self.lost[name] = unpack(packed)
                    continue
            except Exception as error:  # noqa: BLE001 - of another version, or damaged
                log.warning("a saved session could not be read", file=path.name, error=repr(error))
            path.unlink(missing_ok=True)

    @property
    def last_numbers(self) -> tuple[int, int]:
        """The numbers of the last tab and the last snapshot of all lost sessions."""
        saved = self.lost.values()
        tab = max((one.last_tab for one in saved), default=0)
        return tab, max((one.last_snapshot for one in saved), default=0)

    def save(self, name: str, session: SavedSession) -> None:
        """Write a session, if it has changed. Raises `StorageFailed`."""
        packed = _for_disk(session).pack()
        if packed != self._written.get(name):
            write(self._path(name), json.dumps(name).encode() + b"\n" + packed)
            self._written[name] = packed

    def remove(self, name: str) -> None:
        """Remove a session that has ended."""
        self.lost.pop(name, None)
        self._written.pop(name, None)
        self._path(name).unlink(missing_ok=True)

    def remove_all(self) -> None:
        """Remove the files, because the server ends."""
        shutil.rmtree(self.directory, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self.directory / hashlib.sha256(name.encode()).hexdigest()


def _for_disk(saved: SavedSession) -> SavedSession:
    """Return a session without the owner's tabs, limits of the server and values of logins.

    The values of a saved login stay in its encrypted store.
    """
    only = saved.only
    return attrs.evolve(
        saved,
        tabs=[tab for tab in saved.tabs if tab.context != OWNER],
        contexts={
            name: attrs.evolve(state, cookies=(), items={}) if state.login else state
            for name, state in saved.contexts.items()
            if name != OWNER
        },
        only=only if only is not None and len(only.groups) > 1 else None,
    )
