"""Finds the same landmarks on two pages."""

from collections import Counter
from collections.abc import Hashable, Sequence

from charlotte.page.model import Landmark


def same_landmarks(old: Sequence[Landmark], new: Sequence[Landmark]) -> list[tuple[int, int]]:
    """The places of each landmark that both have: by ``role:label`` (C-SDIFF-05), then by id.

    Of several that are called the same, those with the same id belong together, then the first
    with the first.
    """
    pairs: list[tuple[int, int]] = []
    before, after = dict(enumerate(old)), dict(enumerate(new))
    for keys in (_ids_with_labels, _labels, _ids):
        places = keys(before)
        found = [(places[key], place) for key, place in keys(after).items() if key in places]
        for a, b in found:
            del before[a], after[b]
        pairs += found
    return pairs


def _ids_with_labels(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    return {(each.id, each.role, each.label): place for place, each in landmarks.items()}


def _labels(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    seen: Counter[tuple[str, str]] = Counter()
    keys: dict[Hashable, int] = {}
    for place, landmark in landmarks.items():
        key = landmark.role, landmark.label
        keys[key, seen[key]] = place
        seen[key] += 1
    return keys


def _ids(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    return {each.id: place for place, each in landmarks.items()}
