"""Opening, finding, entering and leaving rooms, and choosing a name: forms as a browser sends them."""

import pytest
from django.test import Client

from games import snapshot
from games.models import Game, Player, Room
from tests.known_games import PRINTED
from tests.pages.people import messages_of, seats, text_of
from tests.rooms import sow

# Opening a room -----------------------------------------------------------------------------------


def test_a_room_is_opened_with_the_choices_made(visitor):
    code = visitor("Ann").open_room(rules="avalanche", stones="5", pits="4", side="N", visibility="public")
    room = Room.objects.get(code=code)
    assert (room.ruleset, room.visibility, room.host.name) == ("avalanche-4x5", "public", "Ann")
    assert seats(code) == (None, "Ann")


def test_a_room_opened_without_any_choice_is_a_private_classic_one(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    room = Room.objects.get(code=code)
    assert (room.ruleset, room.visibility) == ("classic-6x4", "private")
    assert seats(code) == ("Ann", None)
    assert ann.seat(code) == "S"


@pytest.mark.parametrize(
    ("extras", "key"),
    [(("majority",), "+majority"), (("pie",), "+pie"), (("majority", "pie"), "+majority+pie")],
)
def test_extra_rules_are_a_choice_too(visitor, extras, key):
    code = visitor().open_room(rules="both-stores", **dict.fromkeys(extras, "on"))
    assert Room.objects.get(code=code).ruleset == f"both-stores-6x4{key}"


@pytest.mark.parametrize("side", ["S", "N"])
def test_by_lot_or_not_the_host_sits(visitor, side):
    host = visitor()
    assert host.seat(host.open_room(side=side)) == side
    assert host.seat(host.open_room(side="random")) in {"S", "N"}


@pytest.mark.parametrize(
    "choice",
    [
        {"rules": "chess"},
        {"stones": "7"},
        {"stones": "0"},
        {"pits": "9"},
        {"stones": "four"},
        {"side": "W"},
        {"visibility": "x"},
    ],
)
def test_a_choice_that_there_is_not_is_shown_again_with_an_error(visitor, choice):
    answer = visitor().post("/rooms/", **choice)
    assert answer.status_code == 400
    assert answer.context["open_form"].errors
    assert not Room.objects.exists()


def test_with_anyone_the_second_who_asks_for_the_same_game_plays_the_first(visitor):
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor("Cleo")
    code = ann.open_room(visibility="public", side="N")
    assert cleo.open_room(visibility="public", side="N") != code
    assert cleo.open_room(visibility="public", stones="5") != code
    assert cleo.open_room() != code
    assert ben.open_room(visibility="public", side="S") == code
    assert seats(code) == ("Ben", "Ann")


def test_two_who_leave_the_lobbys_choices_as_they_are_play_each_other(visitor):
    """Who is Sun is tossed for, unless somebody minds."""
    ann, ben = visitor("Ann"), visitor("Ben")
    chosen = ann.look("/").context["open_form"]["side"].value()
    assert ann.open_room(visibility="public", side=chosen) == ben.open_room(visibility="public", side=chosen)


# Sitting down and leaving -------------------------------------------------------------------------


def test_the_second_to_sit_down_begins_the_game(visitor):
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room()
    answer = ben.sit(code)
    assert answer.redirect_chain == [(f"/r/{code}/", 302)]
    assert (answer.context["you"], answer.context["snapshot"].status) == ("N", "playing")
    assert seats(code) == ("Ann", "Ben")


def test_a_third_is_told_that_both_seats_are_taken_and_watches(visitor):
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor("Cleo")
    code = ann.open_room()
    ben.sit(code)
    answer = cleo.sit(code)
    assert answer.status_code == 200
    assert messages_of(answer) == ["Both seats are taken. You can still watch this game."]
    assert (answer.context["you"], seats(code)) == (None, ("Ann", "Ben"))


def test_opening_the_own_invitation_is_still_waiting_for_a_friend(visitor):
    """B66: a player accepts the own link and plays both sides."""
    ann = visitor("Ann")
    code = ann.open_room()
    answer = ann.sit(code)
    assert (answer.context["you"], answer.context["snapshot"].status) == ("S", "open")
    assert seats(code) == ("Ann", None)


def test_a_double_click_on_sit_down_is_one_person_on_one_seat(visitor):
    """A browser that never chose a name sends the form twice, with the same cookie."""
    ann, ben = visitor("Ann"), visitor()
    code = ann.open_room()
    ann.leave(code)
    ben.sit(code)
    ben.sit(code)
    assert [seat is None for seat in seats(code)] == [False, True]
    assert Player.objects.count() == 2


def test_whoever_sits_down_without_a_name_is_called_as_the_page_suggested(visitor):
    ann, ben = visitor("Ann"), visitor()
    code = ann.open_room()
    suggested = ben.look(f"/r/{code}/").context["player_name"]
    ben.sit(code)
    assert seats(code) == ("Ann", suggested)
    assert ben.look("/").context["player_name"] == suggested


@pytest.mark.parametrize("name", ["", "   ", "\u200b"])
def test_a_seat_form_with_an_empty_name_gives_away_nothing(visitor, name):
    """B62: an empty name was handed a secret. Names are not asked here, and there is no secret to hand out."""
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor()
    code = ann.open_room()
    ben.sit(code)
    answer = cleo.post(f"/r/{code}/seat/", name=name)
    assert answer.context["you"] is None
    assert seats(code) == ("Ann", "Ben")


def test_whoever_waits_may_leave(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    answer = ann.leave(code)
    assert answer.redirect_chain == [("/", 302)]
    assert seats(code) == (None, None)


def test_leaving_a_game_that_has_begun_is_explained(visitor):
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room()
    ben.sit(code)
    answer = ann.leave(code)
    assert answer.redirect_chain == [(f"/r/{code}/", 302)]
    assert messages_of(answer) == ["The game has begun. To leave it, resign."]
    assert seats(code) == ("Ann", "Ben")


def test_a_spectator_who_leaves_is_told_to_be_watching(visitor):
    ann, cleo = visitor("Ann"), visitor("Cleo")
    code = ann.open_room()
    assert messages_of(cleo.leave(code)) == ["You are watching this game."]
    assert seats(code) == ("Ann", None)


def test_sitting_down_at_a_game_that_is_over_is_explained(visitor):
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor("Cleo")
    code = ann.open_room(rules="both-stores")
    ben.sit(code)
    sow(code, PRINTED)
    assert messages_of(cleo.sit(code)) == ["This game is over."]


@pytest.mark.parametrize("what", ["seat", "leave"])
def test_a_form_for_a_room_that_is_not_there_leads_to_a_page_that_says_so(visitor, what):
    answer = visitor().post(f"/r/zzzzzzzz/{what}/")
    assert answer.status_code == 404
    assert not Game.objects.exists()


# Joining by code ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [
        "{code}",
        "{upper}",
        "  {code}\n",
        "{code:.4}-{rest}",
        "{code:.4} {rest}",
        "{code:.4}_{rest}",
        "{code:.2}.{code:.4}",
        "http://testserver/r/{code}/",
        "https://play.example.org/r/{upper}",
        "Come and play: http://testserver/r/{code}/?from=chat",
    ],
)
def test_a_code_is_found_however_it_is_typed(visitor, typed):
    """B71: codes in capitals, with dashes, with signs that look alike."""
    code = visitor().open_room()
    if "{code:.2}" in typed:
        typed = f"{code[:2]}.{code[2:]}"
    text = typed.format(code=code, upper=code.upper(), rest=code[4:])
    answer = visitor().post("/join/", code=text)
    assert answer.redirect_chain == [(f"/r/{code}/", 302)]
    assert answer.context["you"] is None  # finding a room takes no seat


@pytest.mark.parametrize(
    "typed", ["", "   ", "abc", "abcdefgh9", "abcd-efg0", "illegal0", "x" * 201, "\u202eabcdefgh!", "/r//"]
)
def test_what_cannot_be_a_code_is_shown_again_with_an_error(visitor, typed):
    answer = visitor().post("/join/", code=typed)
    assert answer.status_code == 400
    assert answer.context["join_form"].errors["code"]
    assert answer.context["join_form"]["code"].value() == typed


def test_a_code_that_no_room_has_is_shown_again_with_an_error(visitor):
    answer = visitor().post("/join/", code="ZZZZ-zzzz")
    assert answer.status_code == 400
    assert "No game has this code." in text_of(answer)
    assert answer.context["join_form"]["code"].value() == "ZZZZ-zzzz"


# Names --------------------------------------------------------------------------------------------


def test_a_name_is_chosen_cleaned_and_kept(visitor):
    ann = visitor()
    answer = ann.post("/name/", name=" A\u200bnn\n", next="/how-to-play/")
    assert answer.redirect_chain == [("/how-to-play/", 302)]
    assert ann.look("/").context["player_name"] == "Ann"


def test_a_new_name_is_seen_at_the_board(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    ann.take_name("Anna")
    assert seats(code) == ("Anna", None)
    assert visitor().look(f"/r/{code}/").context["host_name"] == "Anna"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "n" * 21, "n" * 1000])
def test_what_cannot_be_a_name_is_shown_again_with_an_error(visitor, name):
    ann = visitor("Ann")
    answer = ann.post("/name/", name=name)
    assert answer.status_code == 400
    assert answer.context["name_form"].errors["name"]
    assert ann.look("/").context["player_name"] == "Ann"


def test_a_name_form_without_a_name_is_shown_again_with_an_error(visitor):
    assert visitor().post("/name/").status_code == 400


ELSEWHERE = [
    "//evil.example/",
    "///evil.example/",
    "https://evil.example/",
    "http:evil.example",
    "javascript:alert(1)",
    "\\\\evil.example",
    "/\\evil.example",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
    "data:text/html,x",
    "",
]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_after_a_form_nobody_is_sent_to_another_site(visitor, target):
    """B95"""
    answer = visitor().post("/name/", follow=False, name="Ann", next=target)
    assert (answer.status_code, answer.url) == (302, "/")


@pytest.mark.parametrize("target", ["/", "/r/abcdefgh/", "/how-to-play/?a=b"])
def test_after_a_form_one_comes_back_to_where_one_was(visitor, target):
    answer = visitor().post("/name/", follow=False, name="Ann", next=target)
    assert (answer.status_code, answer.url) == (302, target)


# Cookies and tokens -------------------------------------------------------------------------------

FORMS = ["/rooms/", "/join/", "/name/", "/r/{code}/seat/", "/r/{code}/leave/"]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_without_its_token_changes_nothing_and_is_explained(visitor, form):
    code = visitor("Ann").open_room()
    stranger = visitor()
    stranger.look("/")
    answer = stranger.client.post(form.format(code=code), {"name": "X", "code": code})
    assert answer.status_code == 403
    assert "That page was too old" in text_of(answer)
    assert seats(code) == ("Ann", None)
    assert (Player.objects.count(), Room.objects.count()) == (1, 1)


@pytest.mark.parametrize("origin", ["null", "https://play.example.org"])
def test_a_form_whose_origin_is_hidden_or_unknown_says_what_to_set(visitor, origin):
    """B124, B123: a proxy adds “Referrer-Policy: no-referrer”, or PUBLIC_URL is not set."""
    ann = visitor()
    ann.client.defaults["HTTP_ORIGIN"] = origin
    answer = ann.post("/rooms/", follow=False)
    assert answer.status_code == 403
    assert "set PUBLIC_URL to that address" in text_of(answer)
    assert "no-referrer" in text_of(answer)
    assert Room.objects.count() == 0


@pytest.mark.parametrize("form", FORMS)
def test_without_cookies_a_form_explains_what_is_missing(visitor, form):
    """B69: cookies blocked, a blank page."""
    code = visitor("Ann").open_room()
    answer = Client(enforce_csrf_checks=True).post(form.format(code=code), {"name": "X"})
    assert answer.status_code == 403
    assert "Your browser blocks cookies" in text_of(answer)
    assert seats(code) == ("Ann", None)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["put", "delete"])
def test_nothing_but_a_post_sends_a_form(visitor, form, method):
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room()
    assert getattr(Client(), method)(form.format(code=code)).status_code == 405
    assert getattr(ben.client, method)(form.format(code=code)).status_code in {403, 405}
    assert seats(code) == ("Ann", None)


@pytest.mark.parametrize("form", FORMS)
def test_the_address_of_a_form_leads_back_to_where_the_form_is(visitor, form):
    """After an error it stands in the address bar, and somebody presses Enter there."""
    ann, ben = visitor("Ann"), visitor("Ben")
    code = ann.open_room()
    answer = ben.client.get(form.format(code=code))
    assert (answer.status_code, answer["Location"]) == (302, f"/r/{code}/" if "{code}" in form else "/")
    assert seats(code) == ("Ann", None)


def test_a_cookie_that_somebody_made_up_is_nobody(visitor):
    ann = visitor("Ann")
    code = ann.open_room()
    forger = visitor()
    name, cookie = next((key, morsel.value) for key, morsel in ann.client.cookies.items() if key == "sessionid")
    forger.client.cookies[name] = cookie[:-1] + ("A" if cookie[-1] != "A" else "B")
    answer = forger.look(f"/r/{code}/")
    assert answer.context["you"] is None
    assert forger.sit(code).context["you"] == "N"


# Opening takes no seat ----------------------------------------------------------------------------

BOTS = [
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1",
    "Mozilla/5.0",
]


@pytest.mark.parametrize("agent", BOTS)
@pytest.mark.parametrize("method", ["get", "head"])
def test_a_link_preview_takes_no_seat_and_leaves_no_trace(visitor, agent, method):
    """B70: chat programs fetch the link of an invitation."""
    code = visitor("Ann").open_room()
    for path in (f"/r/{code}/", f"/r/{code}/?x=1", "/", f"/r/{code}/state.json", f"/r/{code}/1.txt", "/how-to-play/"):
        headers = {"User-Agent": agent, "Purpose": "prefetch", "Sec-Purpose": "prefetch"}
        assert getattr(Client(), method)(path, headers=headers).status_code == 200
    assert seats(code) == ("Ann", None)
    assert [player.name for player in Player.objects.all()] == ["Ann"]
    assert snapshot.read(code).version == 0


def test_a_spectator_leaves_no_row(visitor):
    ann, ben, cleo = visitor("Ann"), visitor("Ben"), visitor()
    code = ann.open_room()
    ben.sit(code)
    for _ in range(3):
        assert cleo.seat(code) is None
    assert Player.objects.count() == 2
