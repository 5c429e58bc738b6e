"""What pages are tested with: people with browsers, and static files that nobody had to collect."""

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.pages.people import Visitor


@pytest.fixture(autouse=True)
def _plain_static_files(settings):
    backend = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def visitor(db):
    """A new person: `visitor()`, or `visitor("Ann")` with a chosen name."""

    def come(name: str = "") -> Visitor:
        person = Visitor()
        if name:
            person.take_name(name)
        return person

    return come


@pytest.fixture
def operator(db):
    """Somebody who may see everything in the admin."""
    client = Client()
    client.force_login(User.objects.create_superuser("operator"))
    return client
