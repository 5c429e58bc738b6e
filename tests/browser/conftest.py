"""A real Chromium for the tests of this folder, and what none of them may leave unseen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.processes import CHROMIUM_OPTIONS, Server, chromium_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium per test module; a person is a `browser.new_context()`."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def site(site_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a module that leave it alone."""
    factory = ServerFactory(site_data, tmp_path_factory.mktemp("site"))
    yield factory()
    factory.end()


@pytest.fixture(autouse=True)
def _nobody_complains(serve: ServerFactory) -> Iterator[None]:
    """Everybody leaves when a test is over, before its servers end, and no page had anything to complain of."""
    yield
    people = Person.everybody.copy()
    Person.everybody.clear()
    for person in people:
        person.leave()
    assert [complaint for person in people for complaint in person.complaints] == []
