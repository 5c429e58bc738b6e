"""People at browsers, who keep cookies and fill in the forms they find, and what they read on a page."""

from html.parser import HTMLParser

from django.test import Client

from games import snapshot


class Page(HTMLParser):
    """What of a page a test looks at."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if text := " ".join(data.split()):
            self.texts.append(text)

    def first(self, tag: str, **attributes: str) -> dict[str, str | None]:
        """The attributes of the first such tag."""
        return next(held for name, held in self.tags if name == tag and attributes.items() <= held.items())

    @property
    def text(self) -> str:
        return " ".join(self.texts)


class Visitor:
    """A person at a browser: looks at pages and fills in the forms found there."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self._token = ""

    def look(self, path: str = "/", status: int = 200, **headers: str):
        """Open a page."""
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == status, (path, answer.status_code)
        return answer

    def post(self, path: str, *, follow: bool = True, **fields: str):
        """Send a form, with the token that every page with a form brings along; the shortest of them is looked at."""
        if not self._token:
            page = self.look("/another-device/").content.decode()
            self._token = Page(page).first("input", name="csrfmiddlewaretoken")["value"]
        return self.client.post(path, {**fields, "csrfmiddlewaretoken": self._token}, follow=follow)

    def take_name(self, name: str):
        """Choose a name."""
        return self.post("/name/", follow=False, name=name, next="/")

    def open_room(self, **choices: str) -> str:
        """Open a room: its code."""
        answer = self.post("/rooms/", follow=False, **choices)
        assert answer.status_code == 302, answer.context["open_form"].errors
        return answer.url.split("/")[2]

    def sit(self, code: str):
        """Sit down in a room."""
        return self.post(f"/r/{code}/seat/")

    def leave(self, code: str):
        """Stand up again."""
        return self.post(f"/r/{code}/leave/")

    def seat(self, code: str) -> str | None:
        """Where this person sits, as the page says."""
        return self.look(f"/r/{code}/").context["you"]


def messages_of(answer) -> list[str]:
    """What a page tells the person."""
    return [str(message) for message in answer.context["messages"]]


def text_of(answer) -> str:
    """The words of a page."""
    return Page(answer.content.decode()).text


def seats(code: str) -> tuple[str | None, str | None]:
    """The names of who sits where."""
    game = snapshot.current_game(code)
    return game.south and game.south.name, game.north and game.north.name
