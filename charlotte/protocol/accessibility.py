"""CDP Accessibility domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Keep the accessibility engine running, which makes computed roles and names cheap."""

    method = "Accessibility.enable"


@attrs.frozen(kw_only=True)
class GetRootAXNode(Command[Nothing]):
    """The document's node; asking for it keeps the document's accessibility tree up to date."""

    method = "Accessibility.getRootAXNode"
