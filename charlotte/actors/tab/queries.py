"""Searches of a page in all its frames: by CSS selector, and by text."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import all_frames
from charlotte.actors.tab.page_reader import PageReader
from charlotte.errors import LONGEST, InvalidArgument
from charlotte.page.frames import Placement, compose_number, split_number
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds, Element
from charlotte.page.modes.survey import get_effective_role
from charlotte.redaction import NO_SECRETS, Secrets

_MOST_MATCHES = 10_000
"""Nodes that one selector finds at most."""

_MOST_TEXTS = 200


async def find_matches(
    reader: PageReader, selector: str, most: int = _MOST_MATCHES, text: str | None = None
) -> list[Match]:
    """Return the nodes that a CSS selector finds, frame by frame in document order.

    With a text, each match has its role and whether it has that text. Raises `InvalidArgument` for
    a selector that is not CSS.
    """
    page, secrets = reader.page, reader.record.session.settings.secrets
    has_frames = any(each.frame_id != page.activity.main_frame for each in page.frames.all())
    if reader.last_view is None or has_frames:
        await reader.view()
    await page.present()
    context = await page.world.current()
    answer = json.loads(await page.ask_in(context, "query", selector, most, text, secrets.reach))
    if "error" in answer:
        raise InvalidArgument(
            f"The page takes {selector[:LONGEST]!r} for no CSS selector: {answer['message']}",
            "To look for text, use find{text}.",
        )
    found = _read_matches(selector, answer["rows"], DocumentNode(context, 0), Placement(), secrets)
    _, *frames = all_frames(reader.frames)
    room = _MOST_MATCHES - len(found)
    in_frames: list[Match] = []
    for frame, placement in frames:
        answer = await ask_frame(
            page, frame, "query", selector, room - len(in_frames), text, secrets.reach
        )
        document = reader.place(compose_number(frame.number, 0))
        in_frames += _read_matches(selector, answer.get("rows", []), document, placement, secrets)
    return found + in_frames


async def find_texts(reader: PageReader, text: str, known: Iterable[Element]) -> list[Match]:
    """Return the innermost elements with a text in the page as last captured, without ``known``.

    At most 200, frame by frame in document order.
    """
    ids, secrets = reader.record.ids, reader.record.session.settings.secrets
    numbers = [number for each in known if (number := ids.resolve(each.id)) is not None]
    found: list[Match] = []
    for frame, placement in all_frames(reader.frames):
        listed = [nid for owner, nid in map(split_number, numbers) if owner == frame.number]
        room = _MOST_TEXTS - len(found)
        answer = await ask_frame(reader.page, frame, "wording", text, room, listed, secrets.reach)
        document = reader.place(compose_number(frame.number, 0))
        rows = [row for *row, occurrences in answer.get("rows", []) if secrets.shows(occurrences)]
        found += _read_texts(rows, document, placement)
    return found


def _read_texts(
    rows: Iterable[list[Any]], document: DocumentNode, placement: Placement
) -> Iterator[Match]:
    """Read rows of the probe; a replaced node is found again by its tag and the text's start."""
    for *row, excerpt, heading, landmark in rows:
        [match] = _read_matches(row[1], [row], document, placement)
        yield attrs.evolve(match, excerpt=excerpt, heading=heading, landmark=landmark)


def _read_matches(
    selector: str,
    rows: Iterable[list[Any]],
    document: DocumentNode,
    placement: Placement,
    secrets: Secrets = NO_SECRETS,
) -> list[Match]:
    """Read rows of the probe; ``document`` is the place of any node of their document."""
    return [
        Match(
            place=document.with_nid(nid),
            selector=selector,
            tag=tag,
            text=text,
            bounds=placement.of(Bounds(*box)) if box else None,
            around=around,
            role=get_effective_role(tag, more[0]) if more else "",
            has_text=bool(more) and secrets.shows(more[1]),
        )
        for nid, tag, text, box, around, *more in rows
    ]
