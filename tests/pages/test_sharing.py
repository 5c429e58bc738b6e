"""What a link shows before anybody opens it: QR code, preview, icons, manifest. And that looking changes nothing."""

import json
import re
from io import BytesIO

import pytest
import zxingcpp
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image, ImageDraw

from games import actions, snapshot
from games.models import Game, Player, Room
from tests.pages.people import Page, seats
from tests.processes import PROJECT
from tests.rooms import sow

ROBOTS = (
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "TelegramBot (like TwitterBot)",
)
MODULE = 4
"""Pixels for a module of a QR code."""


@pytest.fixture
def room(visitor):
    return visitor("Ann").open_room()


def get(path, **headers):
    """The answer to somebody without a cookie."""
    return Client().get(path, headers=headers)


def head_of(path, **headers):
    """The <meta> of a page by its name or property."""
    page = Page(get(path, **headers).content.decode())
    found = {}
    for tag, attributes in page.tags:
        if tag == "meta":
            for key in ("name", "property"):
                if key in attributes:
                    found[attributes[key]] = attributes["content"]
    return found


def painted(svg):
    """The picture of a QR code, whose path draws runs of dark modules row by row."""
    size = int(re.search(r'viewBox="0 0 (\d+) \d+"', svg)[1])
    picture = Image.new("L", (size * MODULE, size * MODULE), "white")
    pen = ImageDraw.Draw(picture)
    x = y = 0.0
    for step, numbers in re.findall(r"([Mmh])([-\d. ]+)", re.search(r'stroke="#\w+" d="([^"]+)"', svg)[1]):
        if step == "h":
            pen.rectangle(
                [x * MODULE, (y - 0.5) * MODULE, (x + int(numbers)) * MODULE - 1, (y + 0.5) * MODULE - 1], "black"
            )
            x += int(numbers)
        else:
            right, down = map(float, numbers.split())
            x, y = (right, down) if step == "M" else (x + right, y + down)
    return picture


def size_of(url):
    """Width and height of a picture among the static files."""
    with Image.open(finders.find(url.removeprefix("/static/"))) as picture:
        return picture.size


def is_static(url):
    """Whether a file of ours is behind such an address."""
    path = url.removeprefix("http://testserver")
    return path.startswith("/static/") and finders.find(path.removeprefix("/static/")) is not None


# QR code ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["testserver", "localhost"])
def test_the_qr_code_is_the_link_as_this_visitor_reaches_it(room, host, settings):
    settings.ALLOWED_HOSTS = ["testserver", "localhost"]
    svg = Client(headers={"host": host}).get(f"/r/{room}/qr.svg").content.decode()
    (code,) = zxingcpp.read_barcodes(painted(svg))
    assert (code.text, code.format) == (f"http://{host}/r/{room}/", zxingcpp.BarcodeFormat.QRCode)


def test_the_qr_code_is_small_and_may_be_kept_and_holds_nothing_that_the_policy_forbids(room):
    answer = get(f"/r/{room}/qr.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert {"public", "max-age=86400"} == set(answer["Cache-Control"].split(", "))
    assert len(answer.content) < 4000
    assert not re.search(rb"style|script|<!", answer.content)


def test_the_page_shows_the_qr_code_in_a_place_of_its_size_and_not_before_it_is_seen(room):
    images = [attributes for tag, attributes in Page(get(f"/r/{room}/").content.decode()).tags if tag == "img"]
    assert len(images) == 2  # on the invitation and in the dialog
    for image in images:
        assert image["src"] == f"/r/{room}/qr.svg"
        assert (image["loading"], image["width"], image["height"]) == ("lazy", "168", "168")
        assert image["alt"] == "QR code of this link"


# Link previews ------------------------------------------------------------------------------------


def test_the_preview_of_a_waiting_room_invites_to_it(room):
    head = head_of(f"/r/{room}/")
    assert head["og:title"] == "Play Mancala with Ann"
    assert head["og:description"] == head["description"]
    assert head["og:description"].startswith("Ann waits at the board.")
    assert "Classic" in head["og:description"]
    assert head["og:url"] == f"http://testserver/r/{room}/"
    assert head["og:image"] == f"http://testserver/r/{room}/card.jpg"
    assert (head["og:image:width"], head["og:image:height"]) == ("1200", "630")
    assert head["og:image:alt"] == "The board now, 0 to 0"
    assert (head["og:type"], head["og:site_name"]) == ("website", "Mancala with a friend")
    assert head["twitter:card"] == "summary_large_image"


def test_the_preview_follows_the_game(room, visitor):
    visitor("Ben").sit(room)
    sow(room, "c")
    head = head_of(f"/r/{room}/")
    assert head["og:title"] == "Ann against Ben"
    assert head["og:description"].startswith("A game of Mancala, live.")
    assert head["og:image:alt"] == "The board now, 1 to 0"
    actions.resign(room, snapshot.current_game(room).south_id, game=1)
    assert head_of(f"/r/{room}/")["og:description"].startswith("This game is over.")


def test_the_preview_of_a_room_that_everybody_left_names_nobody(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    ann.leave(code)
    head = head_of(f"/r/{code}/")
    assert head["og:title"] == "A seat is free"
    assert head["og:description"].startswith("A seat is free.")


def test_a_name_in_a_preview_is_text(visitor):
    code = visitor('"><script>x').open_room()
    assert head_of(f"/r/{code}/")["og:title"] == 'Play Mancala with "><script>x'


@pytest.mark.parametrize("path", ["/", "/how-to-play/"])
def test_other_pages_have_the_picture_of_the_site(db, path):
    head = head_of(path)
    assert head["og:title"]
    assert head["og:url"] == f"http://testserver{path}"
    assert head["og:image"].startswith("http://testserver/")
    assert is_static(head["og:image"])
    assert size_of(head["og:image"].removeprefix("http://testserver")) == (1200, 630)


def test_a_preview_speaks_the_language_that_is_asked_for(room):
    assert head_of(f"/r/{room}/", **{"accept-language": "de"})["og:title"] != "Play Mancala with Ann"


# The picture of a room ----------------------------------------------------------------------------


def test_the_card_is_a_picture_of_the_board_as_it_is(room, visitor):
    before = get(f"/r/{room}/card.jpg")
    assert before["Content-Type"] == "image/jpeg"
    assert Image.open(BytesIO(before.content)).size == (1200, 630)
    visitor("Ben").sit(room)
    sow(room, "c")
    assert get(f"/r/{room}/card.jpg").content != before.content


def test_the_card_is_kept_for_a_minute_and_drawn_again_only_after_a_change(room, visitor):
    answer = get(f"/r/{room}/card.jpg")
    assert {"public", "max-age=60"} == set(answer["Cache-Control"].split(", "))
    known = {"if-none-match": answer["ETag"]}
    assert get(f"/r/{room}/card.jpg", **known).status_code == 304
    visitor("Ben").sit(room)
    assert get(f"/r/{room}/card.jpg", **known).status_code == 200


@pytest.mark.parametrize("file", ["card.jpg", "qr.svg"])
@pytest.mark.parametrize("code", ["zzzzzzzz", "abc", "ZZZZZZZZ"])
def test_a_room_that_is_not_there_has_no_pictures(db, code, file):
    assert get(f"/r/{code}/{file}").status_code == 404


# Looking changes nothing --------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("file", ["", "card.jpg", "qr.svg"])
def test_a_robot_that_looks_at_a_link_takes_no_seat_and_leaves_nothing_behind(room, robot, file):
    def rows():
        return [list(model.objects.order_by("pk").values()) for model in (Player, Room, Game)]

    before = rows()
    for method in ("get", "head"):
        answer = getattr(Client(headers={"user-agent": robot}), method)(f"/r/{room}/{file}")
        assert answer.status_code == 200
    assert rows() == before
    assert seats(room) == ("Ann", None)


def test_pictures_and_manifest_set_no_cookie_and_are_the_same_for_everybody(room):
    for path in (f"/r/{room}/card.jpg", f"/r/{room}/qr.svg", "/manifest.webmanifest", "/favicon.ico"):
        answer = get(path)
        assert not answer.cookies, path
        assert "cookie" not in answer.get("Vary", "").lower(), path


# On a home screen ---------------------------------------------------------------------------------


def test_the_manifest_names_icons_that_are_there_in_the_sizes_it_says(db):
    answer = get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    shape = json.loads(answer.content)
    assert (shape["name"], shape["short_name"]) == ("Mancala with a friend", "Mancala")
    assert (shape["start_url"], shape["display"]) == ("/", "standalone")
    assert {icon["purpose"] for icon in shape["icons"]} == {"any", "maskable"}
    for icon in shape["icons"]:
        assert is_static(icon["src"]), icon
        if icon["type"] == "image/png":
            assert icon["sizes"] == "{}x{}".format(*size_of(icon["src"]))


def test_the_manifest_has_the_colour_of_the_table(db):
    shape = json.loads(get("/manifest.webmanifest").content)
    table = re.search(r"--table: (#\w+);", (PROJECT / "static/css/tokens.css").read_text())[1]
    assert shape["background_color"] == shape["theme_color"] == table


def test_the_manifest_speaks_the_language_that_is_asked_for(db):
    german = json.loads(get("/manifest.webmanifest", **{"accept-language": "de"}).content)
    assert german["lang"] == "de"
    assert german["description"] != json.loads(get("/manifest.webmanifest").content)["description"]


def test_every_page_names_the_manifest_and_an_icon_for_home_screens(room):
    for path in ("/", "/how-to-play/", f"/r/{room}/"):
        page = Page(get(path).content.decode())
        assert page.first("link", rel="manifest")["href"] == "/manifest.webmanifest"
        assert is_static(page.first("link", rel="apple-touch-icon")["href"])


@pytest.mark.parametrize(
    ("path", "size"),
    [("/favicon.ico", 48), ("/apple-touch-icon.png", 180), ("/apple-touch-icon-precomposed.png", 180)],
)
def test_icons_are_found_where_browsers_look_for_them_unasked(db, path, size):
    answer = get(path)
    assert answer.status_code == 302
    assert size_of(answer.url) == (size, size)
