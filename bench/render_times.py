"""CPU times of writing the text form and the JSON form, in turns, each of a fresh view."""

import gc
import statistics
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import attrs

from bench.answer_forms import DEFAULT, FULL, JSON_DEFAULT, JSON_FULL
from charlotte import Config, open_charlotte
from charlotte.garbage import THRESHOLDS
from charlotte.page.capture import Capture
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageDetail, PageView
from charlotte.page.render import Envelope, render_view
from charlotte.page.text.outline import build_outline
from charlotte.page.text.page import render_page, write_header
from charlotte.page.view import build_view
from tests.site.server import Site

_MOST: Final = 10_000_000
"""Characters: nothing is cut."""

_CONFIG: Final = Config(log_level="error")


async def load_views(site: Site, paths: Sequence[str]) -> dict[str, PageView]:
    """Return the views of pages, by path."""
    views: dict[str, PageView] = {}
    async with open_charlotte(_CONFIG) as charlotte, charlotte.open_session() as session:
        for path in paths:
            answer = await session.call("navigate", {"url": site.url(path)})
            views[path] = answer.value.view
    return views


def time_forms(view: PageView, rounds: int) -> Mapping[str, float]:
    """Return the median CPU time of writing each form in ms; call it while no browser runs."""
    writers: dict[str, Callable[[PageView], str]] = {
        FULL: lambda view: write_text_form(view, "full"),
        JSON_FULL: lambda view: _write_json(view, "full"),
        DEFAULT: lambda view: write_text_form(view, "auto"),
        JSON_DEFAULT: lambda view: _write_json(view, "auto"),
    }
    samples: dict[str, list[float]] = {name: [] for name in writers}
    with _collecting_as_server():
        for _ in range(rounds):
            for name, write in writers.items():
                fresh = rebuild(view)
                started = time.thread_time()
                write(fresh)
                samples[name].append((time.thread_time() - started) * 1000)
    return {name: statistics.median(ms) for name, ms in samples.items()}


@contextmanager
def _collecting_as_server() -> Generator[None]:
    """Collect garbage as rarely as the server does, and ignore the other pages."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def rebuild(view: PageView) -> PageView:
    """Return an equal view whose records are new, so that nothing about it is cached."""
    capture = Capture(
        answer="",
        document=view.document,
        url=view.url,
        title=view.title,
        viewport=view.viewport,
        scroll=view.scroll,
        elements=len(view.nodes),
        counts=dict(view.counts),
        nodes=tuple(attrs.evolve(node) for node in view.nodes),
        alerts=view.alerts,
        scrolls=view.scrolls,
    )
    return build_view(capture, IdBook())


def write_text_form(view: PageView, detail: PageDetail) -> str:
    """Return the text form, as an answer about a document that was just loaded has it."""
    header = write_header("tab-1", view, None)
    outline = build_outline(view)
    return render_page(outline, detail, header, (), keep=lambda _: "1", max_chars=_MOST).text


def _write_json(view: PageView, detail: PageDetail) -> str:
    envelope = Envelope(snapshot_id=1, timestamp="", tab_id="tab-1")
    return render_view(view, detail, envelope, max_chars=_MOST).text
