"""The administration at /admin/ and the pages of the journal."""

from django.urls import include, path

urlpatterns = [
    path("admin/", include("wagtail.admin.urls")),
    path("", include("wagtail.urls")),
]
