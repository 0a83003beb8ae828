"""Fill the shop: 200 products in 5 categories and 3 types, one customer, one country."""

import random
import shutil
from decimal import Decimal
from pathlib import Path

import django

django.setup()

import oscar
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.core.loading import get_model

FIRST = ("Silent", "Blue", "Low", "Northern", "Lost", "Winter", "Broken", "Golden")
SECOND = ("Tide", "Lantern", "Harbour", "Compass", "Anchor", "Island", "Signal", "Voyage")
CATEGORIES = ("Sea stories", "Travel", "Poetry", "Charts", "Cooking")
TYPES = ("Book", "Map", "Print")
PRODUCTS = 200
SEED = 19


def fill() -> None:
    """Create the database, the records and the index."""
    call_command("migrate", verbosity=0)
    (settings.DATA / "media").mkdir()
    picture = Path(oscar.__file__).parent / "static/oscar/img/image_not_found.jpg"
    shutil.copy(picture, settings.MEDIA_ROOT)
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="GB", iso_3166_1_a3="GBR", iso_3166_1_numeric="826",
        printable_name="United Kingdom", name="United Kingdom", is_shipping_country=True,
    )  # fmt: skip
    get_user_model().objects.create_user("ada", "ada@example.org", "harbour-light-9")
    add_products()
    call_command("update_index", verbosity=0)


def add_products() -> None:
    """Create the products with prices, stock, ratings and categories."""
    choose = random.Random(SEED)  # noqa: S311 - data, not secrets
    product_class, product_model = get_model("catalogue", "ProductClass"), "Product"
    product, stock = get_model("catalogue", product_model), get_model("partner", "StockRecord")
    partner = get_model("partner", "Partner").objects.create(name="Harbour", code="harbour")
    types = [product_class.objects.create(name=name) for name in TYPES]
    categories = [create_from_breadcrumbs(name) for name in CATEGORIES]
    for number in range(1, PRODUCTS + 1):
        one = product.objects.create(
            product_class=choose.choices(types, (6, 2, 1))[0],
            title=f"{choose.choice(FIRST)} {choose.choice(SECOND)} {number}",
            upc=f"9{number:05}",
            rating=choose.choice((None, 2, 3, 4, 5)),
            description=f"<p>Item {number} of the catalogue, printed in the harbour.</p>",
        )
        one.categories.add(categories[number % len(categories)])
        stock.objects.create(
            product=one, partner=partner, partner_sku=f"sku-{number}", price_currency="GBP",
            price=Decimal(choose.randrange(300, 9000)) / 100,
            num_in_stock=choose.choice((0, 0, 3, 8, 40)),
        )  # fmt: skip


if __name__ == "__main__":
    fill()
