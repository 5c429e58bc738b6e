"""A real Chromium for the tests of this folder, and what none of them may leave unseen."""

import json
from collections.abc import Iterator
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.people import Person
from tests.conftest import ServerFactory
from tests.processes import CHROMIUM_OPTIONS, Server, chromium_path, wait_for

AS_THREADS = ("--in-process-gpu", "--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface")
"""What paints and what speaks to the network as threads: a tenth of the time is saved. A list of features takes the
place of Playwright's, whose second makes sure of something that a browser without accounts does not do."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for each worker; a person is a `browser.new_context()`."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=[*CHROMIUM_OPTIONS, *AS_THREADS])
        yield chromium
        chromium.close()


@pytest.fixture
def quick_site(site: Server) -> Server:
    """The shared site, once its engine is compiled: what is worth what is then found in no time."""
    question = f"{site.url}/api/v1/solve?" + urlencode({"ruleset": "classic", "position": "0,0,1,9/2,0,1,11 S"})

    def is_quick() -> bool:
        with urlopen(question) as answer:
            return json.load(answer)["compiled"]

    wait_for(is_quick, "the engine is compiled", within=60)
    return site


@pytest.fixture(autouse=True)
def _nobody_complains(serve: ServerFactory) -> Iterator[None]:
    """Everybody leaves when a test is over, before its servers end, and no page had anything to complain of."""
    yield
    people = Person.everybody.copy()
    Person.everybody.clear()
    for person in people:
        person.leave()
    assert [complaint for person in people for complaint in person.complaints] == []
