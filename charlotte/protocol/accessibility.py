"""CDP Accessibility domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Keep the accessibility engine running: computed roles and names are then cheap."""

    method = "Accessibility.enable"


@attrs.frozen(kw_only=True)
class GetRootAXNode(Command[Nothing]):
    """The accessibility node of a frame's document; without ``frame_id``, of the main frame.

    Asking for it keeps the document's accessibility tree up to date.
    """

    method = "Accessibility.getRootAXNode"
    frame_id: str | None = None
