"""Addresses of the pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.i18n import set_language

from games import reviewing, sharing, studying, teaching, views
from games.models import CODE_ALPHABET, CODE_LENGTH


class RoomCode(StringConverter):
    """The code of a room as it is stored. Only the room's page takes what people type."""

    regex = f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}"


register_converter(RoomCode, "code")

urlpatterns = [
    path("admin/login/", views.sign_in),
    path("", views.lobby, name="lobby"),
    path("rooms/", views.open_room, name="open_room"),
    path("join/", views.join, name="join"),
    path("name/", views.rename, name="rename"),
    path("games/", views.games, name="games"),
    path("another-device/", views.another_device, name="another_device"),
    path("go-on/", views.go_on, name="go_on"),
    path("language/", set_language, name="set_language"),
    path("how-to-play/", teaching.how_to_play, name="how_to_play"),
    path("how-to-play/sample-game/", teaching.sample_game, name="sample_game"),
    path("how-to-play/<slug:name>/", teaching.rules, name="rules"),
    path("puzzles/", teaching.puzzles, name="puzzles"),
    path("puzzles/<int:number>/", teaching.puzzle, name="puzzle"),
    path("puzzles/<int:number>/solved/", teaching.solve, name="solve"),
    path("replay/", teaching.paste, name="paste"),
    path("replay/<str:key>/<slug:plies>/", teaching.replay, name="replay"),
    path("replay/<str:key>/<slug:plies>.json", reviewing.replay_json, name="replay_json"),
    path("replay/<str:key>/<slug:plies>/card.jpg", sharing.replay_card, name="replay_card"),
    path("solver/", studying.page, name="solver"),
    path("api/v1/solve", studying.solve, name="api_solve"),
    path("r/<str:code>/", views.of_room(views.room), name="room"),
    path("r/<code:code>/seat/", views.of_room(views.take_seat), name="take_seat"),
    path("r/<code:code>/both/", views.of_room(views.take_both), name="take_both"),
    path("r/<code:code>/leave/", views.of_room(views.leave_seat), name="leave_seat"),
    path("r/<code:code>/state.json", views.of_room(views.state), name="state"),
    path("r/<code:code>/<int:number>.json", views.of_room(views.record_json), name="record_json"),
    path("r/<code:code>/<int:number>.txt", views.of_room(views.record_text), name="record_text"),
    path("r/<code:code>/<int:number>/review/", views.of_room(reviewing.review), name="review"),
    path("r/<str:code>/embed/", views.of_room(sharing.embed), name="embed"),
    path("r/<code:code>/qr.svg", views.of_room(sharing.qr_code), name="qr"),
    path("r/<code:code>/card.jpg", views.of_room(sharing.card_picture), name="card"),
    path("manifest.webmanifest", sharing.manifest, name="manifest"),
    path("favicon.ico", sharing.icon, {"name": "favicon.ico"}),
    path("apple-touch-icon.png", sharing.icon, {"name": "icon-maskable-180.png"}),
    path("apple-touch-icon-precomposed.png", sharing.icon, {"name": "icon-maskable-180.png"}),
]
