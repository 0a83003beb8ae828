"""Articles of the journal."""

from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.fields import RichTextField
from wagtail.models import Page


class Article(Page):
    """A page with a date, a section, a mark and a text."""

    SECTIONS = (("news", "News"), ("tides", "Tides"), ("people", "People"))

    template = "journal/article.html"
    date = models.DateField("Date")
    section = models.CharField("Section", max_length=10, choices=SECTIONS, default="news")
    featured = models.BooleanField("Featured on the home page", default=False)
    summary = models.CharField("Summary", max_length=200, blank=True)
    body = RichTextField("Body", blank=True)

    content_panels = [  # noqa: RUF012 - declared by the parent class
        *Page.content_panels,
        FieldPanel("date"),
        FieldPanel("section"),
        FieldPanel("featured"),
        FieldPanel("summary"),
        FieldPanel("body"),
    ]
