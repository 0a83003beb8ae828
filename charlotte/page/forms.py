"""Groups controls into the forms that own them (C-PR-28, C-PR-29)."""

from collections.abc import Mapping

from charlotte.page.capture import Capture, Node, element_type
from charlotte.page.model import Form

_NOT_FIELDS = {"button", "link", "clickable"}


def read_forms(
    capture: Capture, ids: Mapping[int, str], landmarks: Mapping[int, int]
) -> tuple[Form, ...]:
    """Every form of the page; ``landmarks`` maps the number of a landmark to its place."""
    owners: dict[int, list[Node]] = {node.nid: [] for node in capture.nodes if node.kind == "f"}
    if not owners:
        return ()
    for node in capture.nodes:
        if (owner := node.extra.get("form")) in owners:
            owners[owner].append(node)
    return tuple(
        _form(node, owners[node.nid], ids, landmarks[node.landmark])
        for node in capture.nodes
        if node.kind == "f"
    )


def _form(node: Node, controls: list[Node], ids: Mapping[int, str], landmark: int) -> Form:
    return Form(
        id=ids[node.nid],
        action=node.extra.get("action"),
        method=node.extra.get("method"),
        fields=tuple(
            ids[control.nid] for control in controls if element_type(control) not in _NOT_FIELDS
        ),
        submit=_submit(controls, ids),
        landmark=landmark,
    )


def _submit(controls: list[Node], ids: Mapping[int, str]) -> str | None:
    """The first submit control that can be pressed: as a rule the one that Enter would press."""
    submits = [control for control in controls if "submits" in control.extra]
    visible = [control for control in submits if control.box]
    enabled = [control for control in visible if "disabled" not in control.extra]
    return ids[(enabled or visible or submits)[0].nid] if submits else None
