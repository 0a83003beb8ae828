"""Owns which tools are listed: the groups, and the profiles sessions start with. Only data."""

from collections.abc import Mapping
from typing import Literal, get_args

import attrs

from charlotte.config import ProfileName

Group = Literal[
    "navigation",
    "observation",
    "interaction",
    "session",
    "dev_mode",
    "dialog",
    "evaluate",
    "monitoring",
]


@attrs.frozen(kw_only=True)
class Profile:
    """The tools of some groups and some ``others`` by name, but none of those ``without``."""

    groups: tuple[Group, ...] = ()
    others: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def lists(self, name: str, group: Group) -> bool:
        """Whether a tool of that name and group is listed at first."""
        return (group in self.groups or name in self.others) and name not in self.without


ALWAYS = frozenset({"tools"})
"""Listed whatever is disabled: it is how the rest is enabled again."""

_BROWSE_GROUPS: tuple[Group, ...] = (
    "navigation",
    "observation",
    "interaction",
    "dialog",
    "evaluate",
    "monitoring",
)
_BROWSE_OTHERS = ("tabs", "tab_open", "tab_switch", "tab_close", "batch")

PROFILES: Mapping[ProfileName, Profile] = {
    "core": Profile(others=("navigate", "observe", "find", "click", "type", "submit")),
    "browse": Profile(groups=_BROWSE_GROUPS, others=_BROWSE_OTHERS, without=("upload",)),
    "develop": Profile(
        groups=(*_BROWSE_GROUPS, "dev_mode"), others=(*_BROWSE_OTHERS, "viewport", "network")
    ),
    "audit": Profile(
        groups=("navigation", "observation", "dialog", "monitoring"),
        others=(*_BROWSE_OTHERS, "viewport", "dev_audit"),
    ),
    "full": Profile(groups=get_args(Group)),
}
