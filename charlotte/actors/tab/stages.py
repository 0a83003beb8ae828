"""Tells the debug log what each stage of a capture has brought (C-PIPE-01)."""

from charlotte.log import is_tracing, trace
from charlotte.page.capture import Capture
from charlotte.page.diff.hidden import iter_ids
from charlotte.page.model import PageView


def trace_stages(tab_id: str, capture: Capture, view: PageView) -> None:
    """A line for each stage: what there is, where it lies, what of it acts, what it says, ids."""
    if not is_tracing():
        return
    brought = {
        "a11y": len(capture.by_nid),
        "layout": sum(node.box is not None for node in capture.nodes),
        "interactive": len(view.interactive),
        "content": len(view.lines),
        "ids": sum(1 for _ in iter_ids(view)),
    }
    for stage, count in brought.items():
        trace("capture stage", tab_id=tab_id, stage=stage, count=count)
