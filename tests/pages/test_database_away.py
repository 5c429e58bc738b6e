"""Pages while the database does not answer."""

import pytest
from django.db import OperationalError
from django.test import Client

from games import lists, snapshot
from tests.pages.people import text_of


@pytest.mark.parametrize("path", ["/", "/r/abcdefgh/", "/r/abcdefgh/state.json"])
def test_a_page_says_that_it_is_for_a_moment_only(db, monkeypatch, caplog, path):
    def fail(*args, **kwargs):
        raise OperationalError("database is locked")

    monkeypatch.setattr(lists, "lobby", fail)
    monkeypatch.setattr(snapshot, "current_game", fail)
    answer = Client().get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Every move that was made is kept." in text_of(answer)
    assert "database is locked" in caplog.text
    assert "Traceback" not in caplog.text
