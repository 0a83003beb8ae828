"""The table of the articles."""

import django.db.models.deletion
import wagtail.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Create the articles."""

    initial = True
    dependencies = (("wagtailcore", "0098_apitoken"),)
    operations = (
        migrations.CreateModel(
            name="Article",
            fields=[
                (
                    "page_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to=settings.WAGTAIL_PAGE_MODEL,
                    ),
                ),
                ("date", models.DateField(verbose_name="Date")),
                (
                    "section",
                    models.CharField(
                        choices=[("news", "News"), ("tides", "Tides"), ("people", "People")],
                        default="news",
                        max_length=10,
                        verbose_name="Section",
                    ),
                ),
                (
                    "featured",
                    models.BooleanField(default=False, verbose_name="Featured on the home page"),
                ),
                (
                    "summary",
                    models.CharField(blank=True, max_length=200, verbose_name="Summary"),
                ),
                ("body", wagtail.fields.RichTextField(blank=True, verbose_name="Body")),
            ],
            options={"abstract": False},
            bases=("wagtailcore.page",),
        ),
    )
