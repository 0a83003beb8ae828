"""Tools that the documents of a tab offer (WebMCP), and what the agent knows of them.

A tool is identified by its frame, its name and a digest of everything that its page says about it.
The agent may call a tool only with the digest that an answer has shown: a tool that is replaced
under the same name is another tool.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.errors import PageToolNotFound, PageToolNotShown, ellipsize
from charlotte.page.text.tokens import quote
from charlotte.protocol import webmcp

MOST_TOOLS = 200
"""Tools of a tab that can be called; a page with more is not listed completely."""

LONGEST_TEXT = 8_000
LARGEST_SCHEMA = 40_000
"""Characters of a description, and of a schema as JSON, that are kept."""

INLINE = "the document"
"""The script of a tool that an inline script registers."""

_LONGEST_NAME = 128
_MOST_NAMED = 20
_OPAQUE = "null"
_OPAQUE_ORIGINS = {"", "://", _OPAQUE}

Place = tuple[str, str]
"""The id of a frame, and the name of a tool."""


@attrs.frozen(kw_only=True)
class PageTool:
    """A tool as its page describes it: nothing here is checked or trusted.

    ``session`` is the id of the CDP session of its frame, ``label`` names the frame, "" the main
    one. ``scripts`` are the URLs in the stack of its registration, innermost first; a form has
    no scripts, but ``form`` is its node. ``claims`` are its annotations. ``schema`` is None without
    one, and for a huge one. ``digest`` covers all of that, with the texts in full.
    """

    session: str
    frame: str
    label: str
    name: str
    origin: str
    description: str
    schema: Any = None
    has_huge_schema: bool = False
    scripts: Sequence[str] = ()
    claims: Sequence[str] = ()
    form: int | None = None
    digest: str

    @property
    def place(self) -> Place:
        """The frame and the name of the tool, which identify it for the agent."""
        return self.frame, self.name

    @property
    def is_form(self) -> bool:
        """Whether the tool is a form of the page."""
        return self.form is not None

    @property
    def submits(self) -> bool:
        """Whether a call does more than fill in a form."""
        return not self.is_form or "autosubmit" in self.claims


def read_tool(
    tool: webmcp.Tool, session: str, label: str, origin: str, document: str | None
) -> PageTool:
    """Return a tool of the browser's report, with long texts cut.

    Inline scripts have the URL of their ``document``, which differs from page to page of a site; a
    tool with the same text is the same on all of them.
    """
    origin = _OPAQUE if origin in _OPAQUE_ORIGINS else origin
    claims = [name for name, claimed in attrs.asdict(tool.annotations).items() if claimed]
    frames = tool.stack_trace.call_frames if tool.stack_trace else ()
    urls = [INLINE if frame.url == document else frame.url for frame in frames]
    scripts = list(dict.fromkeys(urls))
    schema = json.dumps(tool.input_schema, sort_keys=True)
    is_huge = len(schema) > LARGEST_SCHEMA
    is_form = tool.backend_node_id is not None
    registrars = [*scripts[:1], *sorted(scripts[1:])]  # who calls the innermost script varies
    identity = [origin, tool.name, tool.description, schema, registrars, claims, is_form]
    return PageTool(
        session=session,
        frame=tool.frame_id,
        label=label,
        name=tool.name,
        origin=origin,
        description=ellipsize(tool.description, LONGEST_TEXT),
        schema=None if is_huge else tool.input_schema,
        has_huge_schema=is_huge,
        scripts=scripts,
        claims=claims,
        form=tool.backend_node_id,
        digest=hashlib.sha256(json.dumps(identity).encode()).hexdigest(),
    )


@attrs.frozen
class Known:
    """The agent's knowledge of a tool: its digest, and whether the tool was shown or counted."""

    digest: str
    is_shown: bool
    label: str = ""


@attrs.frozen
class ToolNews:
    """Differences between the tools of a tab and what the agent knows of them.

    ``tools`` are new or changed, and are shown; ``counted`` are too many to be shown. ``gone`` are
    known tools that the tab no longer has.
    """

    tools: Sequence[tuple[Literal["new", "changed"], PageTool]] = ()
    counted: Sequence[PageTool] = ()
    gone: Mapping[Place, Known] = attrs.field(factory=dict[Place, Known])

    def __bool__(self) -> bool:
        return bool(self.tools or self.counted or self.gone)

    def apply(self, known: dict[Place, Known]) -> None:
        """Add the news to what the agent knows."""
        for place in self.gone:
            known.pop(place, None)
        for _, tool in self.tools:
            known[tool.place] = Known(tool.digest, is_shown=True, label=tool.label)
        for tool in self.counted:
            known[tool.place] = Known(tool.digest, is_shown=False, label=tool.label)


@attrs.define(eq=False)
class PageTools:
    """The present tools of a tab, and those that delivered answers have shown.

    ``memories`` returns the knowledge that the present call changes, that of its agent first.
    """

    memories: Callable[[], Sequence[dict[Place, Known]]]
    _tools: dict[tuple[str, str, str], PageTool] = attrs.field(
        factory=dict[tuple[str, str, str], PageTool]
    )
    _labels: dict[str, str] = attrs.field(factory=dict[str, str])
    _frames_named: int = 0
    left_out: int = 0

    def __bool__(self) -> bool:
        return bool(self._tools)

    @property
    def _known(self) -> dict[Place, Known]:
        """The knowledge of the agent of the present call."""
        return self.memories()[0]

    @property
    def tools(self) -> list[PageTool]:
        """The tools, those of the main frame first."""
        return sorted(self._tools.values(), key=lambda tool: (tool.label != "", tool.label))

    def label(self, frame: str, main_frame: str) -> str:
        """Return the name under which the agent sees a frame."""
        if frame == main_frame:
            return ""
        if frame not in self._labels:
            self._frames_named += 1
            self._labels[frame] = f"frame-{self._frames_named}"
        return self._labels[frame]

    def add(self, tool: PageTool) -> None:
        """Add a tool, or replace the one of that name; count those that are too many."""
        key = (tool.session, tool.frame, tool.name)
        if key not in self._tools and len(self._tools) >= MOST_TOOLS:
            self.left_out += 1
        else:
            self._tools.pop(key, None)
            self._tools[key] = tool

    def remove(self, session: str, frame: str, name: str) -> None:
        """Remove a tool."""
        self._tools.pop((session, frame, name), None)

    def drop(self, *, session: str | None = None, frame: str | None = None) -> None:
        """Remove the tools of a session, of a frame, of a frame in a session, or all tools."""
        if session is None:
            labels = self._labels.items() if frame is not None else ()
            self._labels = {one: label for one, label in labels if one != frame}
        self._tools = {
            key: tool
            for key, tool in self._tools.items()
            if (session is not None and tool.session != session)
            or (frame is not None and tool.frame != frame)
        }
        if not self._tools:
            self.left_out = 0

    def at(self, session: str, frame: str, name: str) -> PageTool | None:
        """Return the tool of a frame with that name."""
        return self._tools.get((session, frame, name))

    def find(self, name: str, label: str) -> PageTool:
        """Return a tool of a frame as the agent was shown it.

        Raises `PageToolNotFound`, or `PageToolNotShown` if no delivered answer has shown this tool.
        """
        found = [tool for tool in self.tools if (tool.name, tool.label) == (name, label)]
        if not found:
            raise self._not_found(name, label)
        tool = found[-1]
        known = self._known.get(tool.place)
        if known is None or known.digest != tool.digest or not known.is_shown:
            raise not_shown(tool, was_shown=known is not None and known.is_shown)
        return tool

    def _not_found(self, name: str, label: str) -> PageToolNotFound:
        names = [
            f"{quote(tool.name)} in {tool.label}" if tool.label else quote(tool.name)
            for tool in self.tools[:_MOST_NAMED]
        ]
        place = f"{quote(ellipsize(label, _LONGEST_NAME))} of the page" if label else "The page"
        return PageToolNotFound(
            f"{place} offers no tool {quote(ellipsize(name, _LONGEST_NAME))}.",
            f"Its tools are {', '.join(names)}. page_tools describes them; pass frame for a tool "
            "of a frame."
            if names
            else "No page of this tab offers tools now: use the page itself.",
        )

    def compare(self, reported: Iterable[ToolNews], most: int) -> ToolNews:
        """Return the tools that neither an answer nor one of the ``reported`` news has shown.

        At most ``most`` are shown, the others are counted.
        """
        known = dict(self._known)
        for news in reported:
            news.apply(known)
        new = [
            tool
            for tool in self.tools
            if tool.place not in known or known[tool.place].digest != tool.digest
        ]
        present = {tool.place for tool in self._tools.values()}
        return ToolNews(
            [("changed" if tool.place in known else "new", tool) for tool in new[:most]],
            new[most:],
            {place: one for place, one in known.items() if place not in present},
        )

    def note_delivered(self, news: ToolNews) -> None:
        """Note that an answer has shown news to the agent."""
        for known in self.memories():
            news.apply(known)

    def note_shown(self, tools: Collection[PageTool]) -> None:
        """Note that an answer has shown tools to the agent."""
        self.note_delivered(ToolNews([("new", tool) for tool in tools]))


def not_shown(tool: PageTool, *, was_shown: bool) -> PageToolNotShown:
    """Return the error for a tool that is not the one that the agent was shown."""
    name = quote(tool.name)
    problem = (
        f"The page has replaced its tool {name} since it was shown to you"
        if was_shown
        else f"The tool {name} of the page has not been shown to you"
    )
    return PageToolNotShown(f"{problem}; it was not called.")
