"""CDP CSS domain: style sheets, and which of their rules hold for anything."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen(kw_only=True)
class EnableDom(Command[Nothing]):
    """Follow the document, which the CSS domain wants."""

    method = "DOM.enable"


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report style sheets; those that are there have been reported when it returns."""

    method = "CSS.enable"


@attrs.frozen
class StyleSheet:
    """A style sheet; ``length`` in characters, ``origin`` as ``regular`` or ``injected``."""

    style_sheet_id: str
    sourceURL: str = ""  # noqa: N815 - other names of CDP end in Url
    origin: str = "regular"
    length: float = 0


@attrs.frozen
class StyleSheetAdded(Event):
    """A style sheet is there."""

    method: ClassVar[str] = "CSS.styleSheetAdded"
    header: StyleSheet


@attrs.frozen(kw_only=True)
class StartRuleUsageTracking(Command[Nothing]):
    """Note from now on which rules hold for an element."""

    method = "CSS.startRuleUsageTracking"


@attrs.frozen
class RuleUsage:
    """Whether the rule between two offsets holds for anything."""

    style_sheet_id: str
    start_offset: float
    end_offset: float
    used: bool


@attrs.frozen
class RuleUsages:
    """What was noted."""

    rule_usage: list[RuleUsage]


@attrs.frozen(kw_only=True)
class StopRuleUsageTracking(Command[RuleUsages]):
    """End it; returns what was noted."""

    method = "CSS.stopRuleUsageTracking"
