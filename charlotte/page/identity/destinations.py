"""Compares addresses: where links lead, and which document a page shows."""

from urllib.parse import SplitResult, urlsplit

from charlotte.page.identity.likeness import Verdict


def _split(url: str) -> SplitResult:
    """The parts of an address; of one that cannot be parsed, all of it is the path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def compare_destinations(before: str, now: str) -> Verdict:
    """Return "minor" for one path with another query or fragment, which may select a record."""
    if before == now:
        return "same"
    return "minor" if _split(before)[:3] == _split(now)[:3] else "changed"
