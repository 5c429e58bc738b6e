"""Handing on the link: to a camera, a clipboard, the device's own sheet, or a hand."""

from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import Person, wait_to_hear
from tests.conftest import ServerFactory
from tests.processes import Server, free_port

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NO_COPYING = "delete Navigator.prototype.clipboard; document.execCommand = () => false;"
A_SHEET = "navigator.share = async (handed) => { window.handed = handed; };"


def seen_by_a_camera(place: Locator) -> str:
    """The text of the QR code there, as it is drawn on this screen."""
    picture = Image.open(BytesIO(place.screenshot(animations="disabled")))
    (code,) = zxingcpp.read_barcodes(picture.convert("L"))
    return code.text


def test_a_camera_reads_the_link_from_the_invitation_by_night(browser: Browser, site: Server) -> None:
    ann = Person.arrive(browser, color_scheme="dark")
    link = ann.open_room(site.url)
    ann.page.wait_for_load_state("networkidle")
    for width, height in ((1280, 720), (390, 844), (844, 390), (320, 568)):
        ann.page.set_viewport_size({"width": width, "height": height})
        assert seen_by_a_camera(ann.page.locator("#invite")) == link


def test_the_code_is_asked_for_when_the_link_is_shown_and_not_before(browser: Browser, site: Server) -> None:
    ann, ben = Person.arrive(browser), Person.arrive(browser)
    link = ann.open_room(site.url)
    asked = []
    ben.page.on("request", lambda request: asked.append(request.url) if "qr.svg" in request.url else None)
    ben.sit_down(link)
    ben.page.wait_for_load_state("networkidle")
    assert asked == []
    with ben.page.expect_response("**/qr.svg"):
        ben.page.get_by_role("button", name="Share this game").click()
    assert seen_by_a_camera(ben.page.locator("#share")) == link


def test_copying_works_on_plain_http_as_at_home(browser: Browser, serve: ServerFactory) -> None:
    """B72: copying the link fails on plain http."""
    port = free_port()
    serve(port=port, PUBLIC_URL=f"http://0.0.0.0:{port}")  # to a browser no more secure than http://192.168.1.2
    ann = Person.arrive(browser)
    link = ann.open_room(f"http://0.0.0.0:{port}/")
    assert not ann.page.evaluate("isSecureContext")
    expect(ann.board).to_have_attribute("data-link", "online")  # its scripts are there
    button = ann.page.locator("#invite [data-copy]")
    button.click()
    expect(button).to_have_text("Copied")
    expect(button).to_be_focused()
    wait_to_hear(ann.page, "Link copied.")
    ann.page.evaluate("document.body.append(document.createElement('textarea'))")
    ann.page.locator("body > textarea").focus()
    ann.page.keyboard.press("Control+V")
    assert ann.page.locator("body > textarea").input_value() == link


@pytest.mark.parametrize(("device", "words"), [({}, "Press Ctrl C"), (PHONE, "Hold the link")])
def test_where_nothing_may_copy_the_link_is_selected_and_a_hand_is_told_how(browser, site, device, words) -> None:
    """B72: never a false “Copied”."""
    ann = Person.arrive(browser, **device)
    ann.page.add_init_script(NO_COPYING)
    link = ann.open_room(site.url)
    expect(ann.board).to_have_attribute("data-link", "online")  # its scripts are there
    button = ann.page.locator("#invite [data-copy]")
    button.click()
    expect(button).to_have_text(words)
    wait_to_hear(ann.page, "The link is selected.")
    selected = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert ann.page.locator("#invite-link").evaluate(selected) == link
    expect(button).to_have_text("Copy")


def test_a_device_with_a_sheet_of_its_own_is_handed_the_link(browser: Browser, site: Server) -> None:
    ann = Person.arrive(browser, **PHONE)
    ann.page.add_init_script(A_SHEET)
    link = ann.open_room(site.url)
    ann.page.locator("#invite [data-share]").click()
    assert ann.page.evaluate("window.handed") == {"text": "Play Mancala with me:", "url": link}


def test_other_devices_do_not_offer_one(browser: Browser, site: Server) -> None:
    ann = Person.arrive(browser)
    ann.open_room(site.url)
    assert not ann.page.evaluate("'share' in navigator")
    expect(ann.page.locator("#invite [data-share]")).to_be_hidden()
