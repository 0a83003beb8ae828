"""Degrees of change of roles and names."""

import pytest

from charlotte.page.identity.records import ChangeDegree, compare_labels


@pytest.mark.req("V-STALE-02", "V-STALE-04")
@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("Submit", "Submit", "same"),
        ("", "", "same"),
        ("Cart (2)", "Cart (3)", "minor"),
        ("Save…", "save", "minor"),
        ("Add to cart", "Add to cart now", "minor"),
        ("Please add to cart", "Add to cart", "minor"),
        ("Submit", "Loading...", "changed"),
        ("Subscribe", "Do not subscribe", "changed"),
        ("I agree", "I don't agree", "changed"),
        ("Track", "Don\u2019t track", "changed"),
        ("Play", "Playlist", "changed"),
        ("Follow", "Unfollow", "changed"),
        ("Save", "Saved", "changed"),
        ("Add cart", "Add to cart", "changed"),
        ("Submit", "", "changed"),
        ("", "Submit", "changed"),
        ("1", "2", "changed"),
    ],
)
def test_a_slightly_different_name_is_a_minor_change(
    before: str, after: str, verdict: ChangeDegree
) -> None:
    assert compare_labels("button", before, "button", after) == verdict


@pytest.mark.req("V-REF-06")
def test_another_role_is_a_change() -> None:
    assert compare_labels("button", "Go", "link", "Go") == "changed"
