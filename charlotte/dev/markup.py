"""Small pages of our own."""

import html


def document(title: str, markup: str = "") -> str:
    """Return an HTML page with that title and heading; ``markup`` is used as it is."""
    name = html.escape(title)
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{name}</title></head>'
    return f"{head}<body><h1>{name}</h1>{markup}</body></html>\n"
