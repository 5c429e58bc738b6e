"""Rows for operators to look at. Games are changed by playing them, never here."""

from django.contrib import admin
from django.http import HttpRequest

from games.models import Game, Player, Room


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # it is generic in its stubs only
    """Nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Never."""
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Players by name."""

    list_display = ("name", "kind", "created_at")
    search_fields = ("name",)


@admin.register(Room)
class RoomAdmin(ReadOnly):
    """Rooms by code."""

    list_display = ("code", "ruleset", "visibility", "host", "created_at")
    search_fields = ("code",)
    list_filter = ("visibility",)
    list_select_related = ("host",)


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Games, the latest first."""

    list_display = ("room", "number", "south", "north", "status", "ending", "ply", "moved_at")
    search_fields = ("room__code", "south__name", "north__name")
    list_filter = ("status", "ending", "ruleset")
    list_select_related = ("south", "north")
    ordering = ("-created_at",)
