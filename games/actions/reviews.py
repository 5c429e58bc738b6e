"""What is found out about a game that is over: one process at a time works it out, and it is worked out once."""

from collections.abc import Mapping

from games import broadcast, hindsight, snapshot
from games.actions.row import change_beside
from games.hindsight import Known
from games.models import Game, Review
from games.protocol import Valued
from games.topics import review_topic

LEASE_MS = 30_000
"""Whoever has noted nothing for so long is believed to be gone. No ply takes so long."""


def begin_review(game: Game) -> Review | None:
    """Take it over to work a review out, which is then noted under this row; None: it is done, or somebody is at it."""
    row, _ = Review.objects.get_or_create(pk=game.pk, defaults={"plies": [None] * game.ply})
    now = snapshot.moment()
    if row.done or row.until > now or not change_beside(row, until=now + LEASE_MS):
        return None
    return row


def note_review(game: Game, row: Review, found: Mapping[int, Known], *, done: bool = False) -> bool:
    """Keep what is known of some plies, and tell; False if somebody else has taken over."""
    plies = [found.get(ply, known) for ply, known in enumerate(row.plies)]
    if not change_beside(row, plies=plies, done=done, until=snapshot.moment() + LEASE_MS):
        return False
    shapes = hindsight.values(game, plies)
    marks = hindsight.marks(game, shapes)
    topic = review_topic(game.room_id, game.number)
    for ply in sorted(found, reverse=True):
        if shape := shapes[ply]:
            broadcast.announce(topic, Valued(game=game.number, ply=ply, value=shape, marks=marks))
    if done:
        broadcast.announce(topic, hindsight.shape(hindsight.Finished(game, tuple(plies), done), "done"))
    return True
