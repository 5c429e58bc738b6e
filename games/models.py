"""Rows, their constraints, small derived properties. Never a transaction, announcement or rule."""

import uuid
from datetime import datetime

from django.core.validators import RegexValidator
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.db.models.functions import Coalesce

from games import clock, computers, database, names
from games.rules.position import Side

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""What room codes are made of: no 0, 1, i, l or o, which people mistake for one another."""

CODE_LENGTH = 8


class PlayerQuerySet(models.QuerySet["Player"]):
    """Ways to look players up."""

    def name_of(self, player: uuid.UUID) -> str | None:
        """What a player is called; None if there is no row. One query, written out as `current` is."""
        key = Player._meta.pk.get_db_prep_value(player, database.connection())  # noqa: SLF001  Django's name
        row = database.first("SELECT name FROM games_player WHERE id = %s", (key,))
        return str(row[0]) if row else None


class Player(models.Model):
    """Somebody who has sat down or chosen a name. A spectator has no row."""

    class Kind(models.TextChoices):
        """What plays."""

        GUEST = "guest"
        COMPUTER = "computer"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=names.MAX_STORED)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.GUEST)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PlayerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Room(models.Model):
    """The link that two friends share: a series of games."""

    class Visibility(models.TextChoices):
        """Whether the lobby lists it."""

        PUBLIC = "public"
        PRIVATE = "private"

    code = models.CharField(
        max_length=CODE_LENGTH,
        primary_key=True,
        validators=[RegexValidator(rf"^[{CODE_ALPHABET}]{{{CODE_LENGTH}}}$")],
    )
    ruleset = models.CharField(max_length=40)
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rooms_hosted")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code


_STATE = (
    *("id", "room_id", "number", "south_id", "north_id", "ruleset", "transcript", "position"),
    *("ply", "version", "status", "ending", "winner", "offer", "south_wins", "north_wins", "draws"),
    *("control", "south_left", "north_left", "turn_since", "deadline", "times", "south_away", "north_away"),
)
_CURRENT = f"""
    SELECT {", ".join(f"game.{column}" for column in _STATE)}, south.name, north.name
    FROM games_game game
    LEFT JOIN games_player south ON south.id = game.south_id
    LEFT JOIN games_player north ON north.id = game.north_id
    WHERE game.room_id = %s ORDER BY game.number DESC LIMIT 1
"""  # noqa: S608  names of columns


class TalkQuerySet(models.QuerySet["Talk"]):
    """Ways to look up what is written."""

    def of_room(self, code: str) -> "Talk | None":
        """The talk of a room, if any; to find that there is none, as mostly, costs one query, written out."""
        is_there = database.first("SELECT 1 FROM games_talk WHERE room_id = %s", (code,))
        return self.filter(pk=code).first() if is_there else None


class SolvedQuerySet(models.QuerySet["Solved"]):
    """Ways to look up what is solved."""

    def names_of(self, player: uuid.UUID | None) -> frozenset[str]:
        """The puzzles that somebody has solved; for nobody no query."""
        return frozenset(self.filter(player_id=player).values_list("puzzle", flat=True)) if player else frozenset()


class GameQuerySet(models.QuerySet["Game"]):
    """Ways to look games up. Each costs one query."""

    def of_room(self, code: str) -> "GameQuerySet":
        """The games of a room, the current one first."""
        return self.filter(room_id=code).order_by("-number")

    def awaiting_computer(self, since: datetime, moved_after: datetime) -> "models.QuerySet[Game, str]":
        """The codes of the rooms where a computer has had something to do since then, of those moved in of late."""
        ids = [computer.id for computer in computers.COMPUTERS]
        to_move = Q(status="playing") & (
            Q(south__in=ids, position__endswith="S") | Q(north__in=ids, position__endswith="N")
        )
        asked = Q(south__in=ids, offer__contains=" N ") | Q(north__in=ids, offer__contains=" S ")
        lately = Q(status__in=("playing", "over"), moved_at__lt=since, moved_at__gt=moved_after)
        return self.filter(lately, to_move | asked).values_list("room_id", flat=True)

    def seated(self) -> "GameQuerySet":
        """With the players in the two seats, and the room."""
        return self.select_related("room", "south", "north")

    def public(self) -> "GameQuerySet":
        """Games that the lobby may list: none that two play on one device, who asked for no audience."""
        return self.filter(room__visibility=Room.Visibility.PUBLIC).exclude(south=F("north"))

    def waiting(self) -> "GameQuerySet":
        """Games with exactly one player seated, the newest first."""
        half_full = Q(south=None, north__isnull=False) | Q(south__isnull=False, north=None)
        return self.filter(half_full, status=Game.Status.OPEN).order_by("-created_at")

    def playing(self) -> "GameQuerySet":
        """Games in progress, the latest sowing first."""
        return self.filter(status=Game.Status.PLAYING).order_by("-moved_at")

    def unmoved_since(self, moment: datetime) -> "GameQuerySet":
        """Games in progress in which nobody has moved since."""
        return self.playing().filter(moved_at__lt=moment)

    def running_out(self) -> "GameQuerySet":
        """Games whose clocks run, the flag that falls first in front."""
        return self.filter(deadline__isnull=False).order_by("deadline")

    def unbegun_since(self, moment: datetime) -> "GameQuerySet":
        """First games of rooms opened before that still wait for a player, or for two."""
        return self.filter(status=Game.Status.OPEN, number=1, created_at__lt=moment)

    def of_player(self, player: uuid.UUID) -> "GameQuerySet":
        """Games in which a player sits, or sat to the end."""
        return self.filter(Q(south=player) | Q(north=player))

    def unfinished_of(self, player: uuid.UUID) -> "GameQuerySet":
        """Those that are not over."""
        return self.of_player(player).exclude(status=Game.Status.OVER)

    def finished_of(self, player: uuid.UUID) -> "GameQuerySet":
        """Those that are over, the latest first."""
        # Not by status: SQLite would walk through everybody's games by its index instead of taking the player's two.
        return self.of_player(player).filter(over_at__isnull=False).order_by("-over_at", "-pk")

    def between_people(self, since: datetime) -> "GameQuerySet":
        """Games in progress between two people on two devices, in which somebody has moved since."""
        ids = [computer.id for computer in computers.COMPUTERS]
        return (
            self.playing().filter(moved_at__gt=since).exclude(Q(south=F("north")) | Q(south__in=ids) | Q(north__in=ids))
        )

    def at_hand_of(self, player: uuid.UUID, moment: datetime) -> "GameQuerySet":
        """The current game of each room where a player sits, unless it was over before `moment`."""
        seated = self.of_player(player).filter(Q(over_at=None) | Q(over_at__gte=moment))
        later = Game.objects.filter(room=OuterRef("room"), number__gt=OuterRef("number"))
        return seated.exclude(Exists(later))

    def by_turn_of(self, player: uuid.UUID) -> "GameQuerySet":
        """Those first in which this player is to move; of each kind the one first in which something happened last."""
        to_move = Q(south=player, position__endswith="S") | Q(north=player, position__endswith="N")
        return self.order_by(
            Case(When(to_move, status=Game.Status.PLAYING, then=Value(0)), default=Value(1)),
            Coalesce("moved_at", "created_at").desc(),
        )


class Game(models.Model):
    """One game of a room. Its record is `ruleset` and `transcript`; `position` is a cache of them."""

    class Status(models.TextChoices):
        """How far a game has come."""

        OPEN = "open"
        PLAYING = "playing"
        OVER = "over"

    class Ending(models.TextChoices):
        """Why a game stopped."""

        PLAYED_OUT = "played_out"
        MAJORITY = "majority"
        RESIGNED = "resigned"
        AGREED = "agreed"
        TIMED_OUT = "timed_out"
        ABANDONED = "abandoned"
        CLAIMED = "claimed"

    class Winner(models.TextChoices):
        """Who won; no winner of a game that is over means a draw."""

        SOUTH = "S"
        NORTH = "N"

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField(default=1)
    south = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="games_as_south")
    north = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="games_as_north")
    ruleset = models.CharField(max_length=40)
    transcript = models.TextField(default="", blank=True)
    position = models.CharField(max_length=120)
    ply = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=7, choices=Status, default=Status.OPEN)
    ending = models.CharField(max_length=10, choices=Ending, default="", blank=True)
    winner = models.CharField(max_length=1, choices=Winner, default="", blank=True)
    offer = models.CharField(max_length=24, default="", blank=True)
    """What one player offers the other: kind, side and id, as in `draw S 17`; empty: nothing."""
    south_wins = models.PositiveIntegerField(default=0)
    """The series of this room before this game: how often who sits South has won, who sits North, and draws."""
    north_wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    control = models.CharField(max_length=8, default="", blank=True)
    """The key of the time control (games/clock.py); empty: there are no clocks. Times are ms, moments since 1970."""
    south_left = models.PositiveIntegerField(default=0)
    """What South had left as the running turn began."""
    north_left = models.PositiveIntegerField(default=0)
    turn_since = models.BigIntegerField(null=True, blank=True)
    """When the running turn began; with a clock, when it began to run, or will."""
    deadline = models.BigIntegerField(null=True, blank=True)
    """When the flag of the side to move falls."""
    times = models.TextField(default="", blank=True)
    """What both had left as the turn of each ply began, as in `300000/298000`, with a blank after each."""
    south_away = models.BigIntegerField(null=True, blank=True)
    """Since when no socket of South's is open, in a game with clocks."""
    north_away = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    moved_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["room", "number"], name="one_game_of_each_number"),
            models.CheckConstraint(
                condition=Q(status="over", over_at__isnull=False) & ~Q(ending="")
                | ~Q(status="over") & Q(ending="", winner="", over_at=None),
                name="ended_games_say_why",
            ),
            models.CheckConstraint(
                condition=~Q(status="playing") | Q(south__isnull=False, north__isnull=False),
                name="two_play",
            ),
        )
        indexes = (
            models.Index(F("status"), F("moved_at").desc(), name="live_games"),
            models.Index(F("status"), F("created_at").desc(), name="open_games"),
            models.Index("deadline", condition=Q(deadline__isnull=False), name="running_clocks"),
        )

    def __str__(self) -> str:
        return f"{self.room_id} game {self.number}"

    @staticmethod
    def current(code: str, by: "database.Writer" = database) -> "Game | None":
        """The current game of a room, with its players but without dates: the read of every sowing and every welcome.

        Written out, because compiling it anew would cost Django ten times what the query itself does. One query.
        """
        row = by.first(_CURRENT, (code,))
        if row is None:
            return None
        state = dict(zip(_STATE, row, strict=False))
        players: dict[str, Player | None] = {}
        for seat, name in zip(("south", "north"), row[-2:], strict=True):
            identity = state[f"{seat}_id"] = Player._meta.pk.to_python(state[f"{seat}_id"])  # noqa: SLF001  Django's name
            players[seat] = identity and Player.from_db(DEFAULT_DB_ALIAS, ["id", "name"], [identity, name])
        game = Game.from_db(DEFAULT_DB_ALIAS, list(state), list(state.values()))
        game.south, game.north = players["south"], players["north"]
        return game

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be sown."""
        return self.status == _OVER

    @property
    def is_shared(self) -> bool:
        """Whether one player holds both seats: two people play on one device."""
        return self.south_id is not None and self.south_id == self.north_id

    @property
    def computer(self) -> str | None:
        """The side ("S" or "N") on which a computer plays, if one does."""
        if computers.level_of(self.south_id):
            return "S"
        return "N" if computers.level_of(self.north_id) else None

    @property
    def turn(self) -> Side:
        """The side to move, as the position says; of a game that is over it means nothing."""
        return Side(self.position[-1])

    def seat_of(self, player: uuid.UUID | None) -> str | None:
        """The side ("S" or "N") on which a player sits, if any; for who holds both seats the side to move."""
        if player is None:
            return None
        ids = self.__dict__  # by their names Django looks them up in Python
        if player == ids["north_id"]:
            return self.position[-1] if self.is_shared else "N"
        return "S" if player == ids["south_id"] else None

    @property
    def clock(self) -> clock.Clock | None:
        """The clock of a game that has one."""
        if not self.control:
            return None
        control = clock.by_key(self.control)
        if self.status == self.Status.OPEN:
            return clock.Clock(control, control.base, control.base, None, 0)
        running = None if self.is_over else self.turn
        return clock.Clock(control, self.south_left, self.north_left, running, self.turn_since or 0)

    def has_fallen(self, now: int) -> bool:
        """Whether the flag of the side to move was to fall by `now`; never without a clock."""
        time = self.clock
        return time is not None and time.has_fallen(now)

    @property
    def free_seat(self) -> str | None:
        """A side on which nobody sits, if any: South's first."""
        if self.is_over:
            return None
        return "S" if self.south_id is None else "N" if self.north_id is None else None


_OVER: str = Game.Status.OVER.value  # finding a member in its class takes longer than comparing it


class Pulse(models.Model):
    """The last moment at which some process is known to have served while clocks ran: one row."""

    at = models.BigIntegerField()


class Talk(models.Model):
    """What the two players of a private room write to each other. Written when one of them first switches it on."""

    room = models.OneToOneField(Room, on_delete=models.CASCADE, primary_key=True, related_name="talk")
    version = models.PositiveIntegerField(default=0)
    talkers = models.JSONField(default=list)
    """The ids of the players who have it switched on: none, one or both of those seated."""
    lines = models.JSONField(default=list)
    """The last of what was written, in order: `id` (the version with it), `by` (a player's id), `text`, `at` (ms)."""

    objects = TalkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.room_id} talk"

    @property
    def is_on(self) -> bool:
        """Whether both have it switched on."""
        return len(self.talkers) == 2  # noqa: PLR2004  both


class Solved(models.Model):
    """That a player has solved a puzzle (games/puzzles.py)."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="solved")
    puzzle = models.CharField(max_length=20)
    """Its name."""
    at = models.DateTimeField(auto_now_add=True)

    objects = SolvedQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "puzzle"], name="solved_once"),)

    def __str__(self) -> str:
        return f"{self.puzzle} by {self.player_id}"


class Review(models.Model):
    """What is known of a game that is over, ply by ply. Written when somebody first asks, worked out once."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="review")
    version = models.PositiveIntegerField(default=0)
    plies = models.JSONField(default=list)
    """For each ply null, or what is known of the position before: `low`, `high` and `pits` as the engine's findings,
    `line`: the letters of what is better than what was sown."""
    done = models.BooleanField(default=False)
    until = models.BigIntegerField(default=0)
    """Till when (ms) whoever works it out is believed to do so."""

    def __str__(self) -> str:
        return f"{self.game_id} review"
