"""A real Chromium for the tests of this folder."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.processes import CHROMIUM_OPTIONS, chromium_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium per test module; a person is a `browser.new_context()`."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_OPTIONS)
        yield chromium
        chromium.close()
