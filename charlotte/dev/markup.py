"""Small pages of our own."""

import html
from http import HTTPStatus


def document(title: str, markup: str = "") -> str:
    """Return an HTML page with that title and heading; ``markup`` is used as it is."""
    name = html.escape(title)
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{name}</title></head>'
    return f"{head}<body><h1>{name}</h1>{markup}</body></html>\n"


def problem_document(status: int, text: str) -> str:
    """Return an error page headed like ``404 Not Found``."""
    return document(f"{status} {HTTPStatus(status).phrase}", f"<p>{html.escape(text)}</p>")
