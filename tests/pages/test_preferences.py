"""What a reader has chosen is in the page before any script runs."""

import re

import pytest

from games import preferences

DEFAULTS = {
    "theme": "auto", "stones": "glass", "speed": "auto", "hints": "1", "twotap": "0", "letters": "1", "sound": "1",
    "keys": "1", "notify": "0", "talk": "1", "follow": "0",
}  # fmt: skip

COOKIES = {
    "nothing": ("", {}),
    "some choices": ("theme=dark&speed=brisk&sound=0", {"theme": "dark", "speed": "brisk", "sound": "0"}),
    "a choice that there is not": ("theme=pink&stones=pebble", {"stones": "pebble"}),
    "a name that there is not": ("admin=1&keys=0", {"keys": "0"}),
    "the same twice": ("theme=dark&theme=light", {"theme": "light"}),
    "markup": ('theme="><script>', {}),
    "no pairs": ("&&==;%", {}),
    "very long": ("x" * 600 + "&theme=dark", {}),
}


@pytest.mark.parametrize(("cookie", "chosen"), COOKIES.values(), ids=COOKIES)
def test_a_cookie_is_read(cookie, chosen):
    assert preferences.read(cookie) == {**DEFAULTS, **chosen}


def sheets(html: str) -> dict[str, str]:
    """When each theme's sheet holds."""
    links = re.findall(r'<link[^>]+css/(dark|contrast)\.css[^>]+ media="([^"]+)"', html)
    return dict(links)


AUTO = {"dark": "(prefers-color-scheme: dark)", "contrast": "(prefers-contrast: more)"}
THEMES = {
    "auto": AUTO,
    "light": {"dark": "not all", "contrast": "not all"},
    "dark": {"dark": "all", "contrast": "not all"},
    "contrast": {"dark": "not all", "contrast": "all"},
}


@pytest.mark.django_db
@pytest.mark.parametrize(("theme", "media"), THEMES.items())
@pytest.mark.parametrize("path", ["/", "/how-to-play/", "/r/abcdefgh/", "/nowhere/"])
def test_a_theme_holds_from_the_first_paint(client, path, theme, media):
    client.cookies["settings"] = f"theme={theme}"
    html = client.get(path).content.decode()
    assert sheets(html) == media
    assert f'data-theme="{theme}"' in html
    bars = dict(re.findall(r'<meta name="theme-color" content="(#\w+)"[^>]+ media="([^"]+)"', html))
    assert bars["#131d1a"] == media["dark"]
    assert bars["#000000"] == media["contrast"]


@pytest.mark.django_db
def test_the_sheets_of_high_contrast_come_last(client):
    html = client.get("/").content.decode()
    assert re.findall(r'rel="stylesheet" href="[^"]*/css/([\w-]+)[^"]*"', html)[-1] == "contrast"


@pytest.mark.django_db
def test_every_choice_is_in_the_dialog_of_every_page(client):
    html = client.get("/").content.decode()
    form = html[html.index('id="settings"') :]
    for name, known in preferences.CHOICES.items():
        controls = re.findall(rf'<input type="(radio|checkbox)"[^>]* name="{name}"(?: value="(\w+)")?', form)
        values = {value for _, value in controls if value}
        assert values in (set(known), set(known) - {"auto"}, set()), name
        assert controls, name
