"""How much of a page's style sheets holds for anything on it."""

from collections import Counter

from charlotte.dev.audits.facts import Sheet
from charlotte.protocol import css
from charlotte.protocol.session import Session


async def unused_styles(session: Session) -> list[Sheet]:
    """The page's style sheets; ``session`` is one that nobody else uses."""
    with session.events(css.StyleSheetAdded) as added:
        await session.call_all(css.EnableDom(), css.Enable(), css.StartRuleUsageTracking())
        noted = await session.call(css.StopRuleUsageTracking())
        headers = [event.header for event in added.now()]
    used: Counter[str] = Counter()
    for rule in noted.rule_usage:
        if rule.used:
            used[rule.style_sheet_id] += round(rule.end_offset - rule.start_offset)
    return [
        Sheet(one.sourceURL, round(one.length), round(one.length) - used[one.style_sheet_id])
        for one in headers
        if one.origin == "regular"
    ]
