"""A small shop with django-oscar. TASKS_DATA is its directory."""

import os
from pathlib import Path

from oscar.defaults import *  # noqa: F403

DATA = Path(os.environ["TASKS_DATA"])
DEBUG = True
SECRET_KEY = "a shop for benchmarks"  # noqa: S105 - no secret
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
SITE_ID = 1
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA / "media"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "db.sqlite3"}}
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": DATA / "index"}
}
LOGGING = {"version": 1, "disable_existing_loggers": True}
AUTHENTICATION_BACKENDS = (
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
)
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 9},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

OSCAR_SHOP_NAME = "Harbour Books"
OSCAR_SEND_REGISTRATION_EMAIL = False
OSCAR_RECENTLY_VIEWED_PRODUCTS = 0
OSCAR_SEARCH_FACETS = {
    "fields": {
        "product_class": {"name": "Type", "field": "product_class"},
        "rating": {"name": "Rating", "field": "rating"},
    },
    "queries": {},
}

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sites",
    "django.contrib.flatpages",
    "django.contrib.staticfiles",
    "oscar.config.Shop",
    *(
        f"oscar.apps.{name}Config"
        for name in (
            "analytics.apps.Analytics",
            "checkout.apps.Checkout",
            "address.apps.Address",
            "shipping.apps.Shipping",
            "catalogue.apps.Catalogue",
            "catalogue.reviews.apps.CatalogueReviews",
            "communication.apps.Communication",
            "partner.apps.Partner",
            "basket.apps.Basket",
            "payment.apps.Payment",
            "offer.apps.Offer",
            "order.apps.Order",
            "customer.apps.Customer",
            "search.apps.Search",
            "voucher.apps.Voucher",
            "wishlists.apps.Wishlists",
            "dashboard.apps.Dashboard",
            "dashboard.reports.apps.ReportsDashboard",
            "dashboard.users.apps.UsersDashboard",
            "dashboard.orders.apps.OrdersDashboard",
            "dashboard.catalogue.apps.CatalogueDashboard",
            "dashboard.offers.apps.OffersDashboard",
            "dashboard.partners.apps.PartnersDashboard",
            "dashboard.pages.apps.PagesDashboard",
            "dashboard.ranges.apps.RangesDashboard",
            "dashboard.reviews.apps.ReviewsDashboard",
            "dashboard.vouchers.apps.VouchersDashboard",
            "dashboard.communications.apps.CommunicationsDashboard",
            "dashboard.shipping.apps.ShippingDashboard",
        )
    ),
    "widget_tweaks",
    "haystack",
    "treebeard",
    "sorl.thumbnail",
    "django_tables2",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).with_name("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]
