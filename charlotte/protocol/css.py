"""CDP CSS domain: style sheets, and which of their rules hold for anything."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen(kw_only=True)
class EnableDom(Command[Nothing]):
    """Enable the DOM domain, which the CSS domain requires."""

    method = "DOM.enable"


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Enable the CSS domain; all present style sheets are reported before it returns."""

    method = "CSS.enable"


@attrs.frozen
class StyleSheet:
    """A style sheet; ``length`` in characters, ``origin`` is ``regular`` or ``injected``."""

    style_sheet_id: str
    sourceURL: str = ""  # noqa: N815 - other names of CDP end in Url
    origin: str = "regular"
    length: float = 0


@attrs.frozen
class StyleSheetAdded(Event):
    """A style sheet was added."""

    method: ClassVar[str] = "CSS.styleSheetAdded"
    header: StyleSheet


@attrs.frozen(kw_only=True)
class StartRuleUsageTracking(Command[Nothing]):
    """Start tracking which CSS rules apply to an element."""

    method = "CSS.startRuleUsageTracking"


@attrs.frozen
class RuleUsage:
    """Whether the rule between two offsets is used."""

    style_sheet_id: str
    start_offset: float
    end_offset: float
    used: bool


@attrs.frozen
class RuleUsages:
    """The tracked rule usage."""

    rule_usage: list[RuleUsage]


@attrs.frozen(kw_only=True)
class StopRuleUsageTracking(Command[RuleUsages]):
    """Stop tracking and return the rule usage."""

    method = "CSS.stopRuleUsageTracking"
