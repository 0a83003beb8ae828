"""JavaScript dialogs: the open dialog of a tab, and which dialogs are answered automatically."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

AutoDismiss = Literal["none", "accept_alerts", "accept_all", "dismiss_all"]

_KINDS = ("alert", "confirm", "prompt", "beforeunload")
_ANSWERS: Mapping[AutoDismiss, Mapping[str, bool]] = {
    "none": {},
    "accept_alerts": {"alert": True},
    "accept_all": dict.fromkeys(_KINDS, True),
    "dismiss_all": dict.fromkeys(_KINDS, False),
}
_LONGEST_QUOTE = 200
WANTS_FILES = (
    "The page asks for files. Pass them to upload, with the element_id of the clicked element. "
    "If upload is not listed, call tools{action: enable, group: interaction}."
)


@attrs.frozen
class PendingDialog:
    """A dialog that blocks a page (C-PR-32); ``default_value`` only for prompts."""

    type: str
    message: str
    timestamp: str
    default_value: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the keys of C-PR-32."""
        record = {"type": self.type, "message": self.message, "timestamp": self.timestamp}
        return record | (
            {} if self.default_value is None else {"default_value": self.default_value}
        )


def automatic_answer(mode: AutoDismiss, kind: str) -> bool | None:
    """Return whether to accept a dialog at once, None to leave it to the agent (C-CFG-04)."""
    return _ANSWERS[mode].get(kind)


def notice(kind: str, message: str, *, accepted: bool) -> str:
    """Return the notice of a dialog that was answered automatically."""
    quoted = repr(message[:_LONGEST_QUOTE])
    done = "accepted" if accepted else "dismissed"
    return f"The {kind} dialog {quoted} was {done} automatically (dialog_auto_dismiss)."
