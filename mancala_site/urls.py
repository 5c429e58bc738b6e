"""Where requests go: the product's own pages, and the admin."""

from django.contrib import admin
from django.urls import include, path

from mancala_site.doors import stripped

urlpatterns = [
    path("", include("games.urls")),
    path("admin/", admin.site.urls),
    path("ws/<path:path>", stripped),
]
