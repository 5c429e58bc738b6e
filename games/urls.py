"""Addresses of the pages."""

from django.urls import path

from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("rooms/", views.open_room, name="open_room"),
    path("join/", views.join, name="join"),
    path("name/", views.rename, name="rename"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("r/<str:code>/", views.room, name="room"),
    path("r/<str:code>/seat/", views.take_seat, name="take_seat"),
    path("r/<str:code>/leave/", views.leave_seat, name="leave_seat"),
    path("r/<str:code>/state.json", views.state, name="state"),
    path("r/<str:code>/<int:number>.json", views.record_json, name="record_json"),
    path("r/<str:code>/<int:number>.txt", views.record_text, name="record_text"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
