"""The product as Django installs it."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Mancala: rooms, games and the people in them."""

    name = "games"
    verbose_name = "Mancala"
