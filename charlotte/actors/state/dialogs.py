"""JavaScript dialogs: the one that is open, and which are answered without asking the agent."""

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
    "The page asks for files. Give them with upload: its element_id is that of what was clicked. "
    "tools{action: enable, group: interaction} lists upload."
)


@attrs.frozen
class PendingDialog:
    """A dialog that blocks a page (C-PR-32); ``default_value`` only for prompts."""

    type: str
    message: str
    timestamp: str
    default_value: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The keys of C-PR-32."""
        record = {"type": self.type, "message": self.message, "timestamp": self.timestamp}
        return record | (
            {} if self.default_value is None else {"default_value": self.default_value}
        )


def automatic_answer(mode: AutoDismiss, kind: str) -> bool | None:
    """Whether a dialog is accepted at once; None when it is the agent's to answer (C-CFG-04)."""
    return _ANSWERS[mode].get(kind)


def notice(kind: str, message: str, *, accepted: bool) -> str:
    """What the agent is told of a dialog it never had to answer."""
    quoted = repr(message[:_LONGEST_QUOTE])
    done = "accepted" if accepted else "dismissed"
    return f"The {kind} dialog {quoted} was {done} at once, as dialog_auto_dismiss says."
