"""Fill the journal: 25 articles below the home page, one editor."""

import datetime as dt

import django

django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from journal.models import Article
from wagtail.models import Page

FIRST = ("Lost dog", "Harbour fair", "Spring tide", "New ferry", "Old lighthouse")
ARTICLES = 25


def fill() -> None:
    """Create the database and the records."""
    call_command("migrate", verbosity=0)
    get_user_model().objects.create_superuser("editor", "editor@example.org", "harbour-light-9")
    home = Page.objects.get(depth=2)
    home.title = home.draft_title = "Home"
    home.save()
    for number in range(1, ARTICLES + 1):
        article = Article(
            title=f"{FIRST[number % len(FIRST)]} {number}",
            slug=f"article-{number}",
            date=dt.date(2026, 1, number),
            section=Article.SECTIONS[number % len(Article.SECTIONS)][0],
            summary=f"What happened in the harbour on day {number}.",
            body=f"<p>Report {number} of the harbour office.</p>",
        )
        home.add_child(instance=article)
        article.save_revision().publish()


if __name__ == "__main__":
    fill()
