"""The decision on a call or a request: the first rule that matches it, or else to allow it."""

from collections.abc import Collection, Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit

import attrs

from charlotte.base.errors import ellipsize
from charlotte.base.patterns import glob_matches
from charlotte.base.urls import origin_of

Action = Literal["allow", "refuse", "ask"]
Preset = Literal["read-only", "no-downloads", "no-uploads"]

_LONGEST = 200

Patterns = Sequence[str]
"""Globs; a text matches if one of them matches it, and none that begins with ``!``."""


@attrs.frozen
class PolicyRequest:
    """A request that a page is about to send; ``tools`` are the calls that work on its tab."""

    method: str
    url: str
    may_have_files: bool = False
    tools: Collection[str] = ()


@attrs.frozen(kw_only=True)
class Rule:
    """Conditions, all of which must hold, and what happens then; a missing condition holds.

    ``name`` identifies the rule in messages, ``source`` in errors about it. ``files`` limits it to
    requests that may have files; only presets use it. A rule with ``tool``, names of tools or
    capabilities, and no condition on requests is about calls, and its ``origin`` is that of the
    tab's page.
    """

    name: str
    action: Action
    source: str = ""
    tool: Patterns = ()
    origin: Patterns = ()
    method: Patterns = ()
    path: Patterns = ()
    files: bool = False

    @property
    def is_about_calls(self) -> bool:
        """Whether the rule decides on calls of tools, not on requests."""
        return bool(self.tool) and not (self.method or self.path or self.files)

    def matches_call(self, names: Collection[str], origin: str) -> bool:
        """Return whether the rule is about a call on a tab that shows a page of an origin.

        ``names`` are those of the tool and of the capabilities that the call uses.
        """
        return self.is_about_calls and _fits(self.tool, *names) and _fits(self.origin, origin)

    def matches(self, request: PolicyRequest, *, tool_known: bool = True) -> bool:
        """Return whether the rule is about a request.

        Unless the ``tool_known``, the condition on tools is taken to hold.
        """
        return (
            not self.is_about_calls
            and _fits(self.method, request.method.upper())
            and _fits(self.origin, origin_of(request.url) or "")
            and self._fits_path(request.url)
            and (not tool_known or not self.tool or any(_fits(self.tool, t) for t in request.tools))
            and (request.may_have_files or not self.files)
        )

    def _fits_path(self, url: str) -> bool:
        """Compare the path as sent and decoded; to allow, both must match."""
        path = urlsplit(url).path or "/"
        found = [_fits(self.path, path), _fits(self.path, unquote(path))]
        return all(found) if self.action == "allow" else any(found)


ALLOW = Rule(name="", action="allow")
"""Decides if no other rule does."""


@attrs.frozen
class Policy:
    """Rules in the order in which they are tried, and the presets that do more than rules can."""

    rules: Sequence[Rule] = ()
    presets: frozenset[Preset] = frozenset()

    @property
    def decides_on_requests(self) -> bool:
        """Whether requests have to be held until they are allowed."""
        return any(not rule.is_about_calls for rule in self.rules)

    @property
    def socket_refusal(self) -> str | None:
        """The reason why pages get no WebSockets, whose messages cannot be decided on, if so."""
        return "refused by policy rule 'read-only'" if self.is_read_only else None

    @property
    def is_read_only(self) -> bool:
        """Whether pages get no WebSockets, and nothing is typed into password fields."""
        return "read-only" in self.presets

    @property
    def allows_downloads(self) -> bool:
        """Whether files may be downloaded."""
        return "no-downloads" not in self.presets

    @property
    def may_ask(self) -> bool:
        """Whether a person can be asked."""
        return any(rule.action == "ask" for rule in self.rules)

    def decide(self, request: PolicyRequest) -> Rule:
        """Return the rule that decides on a request."""
        return next((rule for rule in self.rules if rule.matches(request)), ALLOW)

    def surely_allows(self, request: PolicyRequest) -> bool:
        """Return whether a request is allowed, whatever calls have caused it."""
        for rule in self.rules:
            if rule.matches(request, tool_known=False):
                return rule.action == "allow" and not rule.tool
        return True

    def refusal_of_document(self, url: str) -> str | None:
        """Return why no tab may load a URL, if a rule refuses it."""
        rule = self.decide(PolicyRequest("GET", url))
        if rule.action != "refuse":
            return None
        return f"{ellipsize(url, _LONGEST)!r} is refused by policy rule {rule.name!r}."

    def decide_call(self, names: Collection[str], origin: str) -> Rule:
        """Return the rule that decides on a call (see `Rule.matches_call`)."""
        return next((rule for rule in self.rules if rule.matches_call(names, origin)), ALLOW)


def _fits(patterns: Patterns, *texts: str) -> bool:
    """Return whether a text matches patterns, and none is excluded; a missing condition holds."""
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    is_wanted = not wanted or any(glob_matches(one, text) for one in wanted for text in texts)
    return is_wanted and not any(glob_matches(one, text) for one in unwanted for text in texts)
