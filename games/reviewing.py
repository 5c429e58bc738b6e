"""The review of a finished game as its reader asks for it: page and socket, and other ways to go on from a ply."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from msgspec import json, to_builtins
from msgspec.structs import replace

from games import board_view, fairness, hindsight, lesson, pages, players, reviews, snapshot, storage
from games.engine.review import seats
from games.forms import ReplayForm
from games.hindsight import Finished
from games.protocol import VERSION, Close, Incoming, Ping, Pong, Refusal, Refused, Seats, Sync
from games.rules import ruleset as rulesets, transcript
from games.sockets import SocketConsumer
from games.topics import review_topic

_DAY_S = 24 * 60 * 60


# Pages --------------------------------------------------------------------------------------------


@require_safe
@never_cache
def review(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What each ply of a finished game was worth: all that is known, and the rest as it is found out."""
    known = players.known(request)
    try:
        found = hindsight.find(code, number, known)
    except Refused as refused:
        if refused.refusal is Refusal.NO_SUCH_ROOM:
            raise Http404 from refused
        rival = fairness.rival_game(known)
        is_other = rival is not None and (rival.room_id, rival.number) != (code, number)
        why = {"code": rival.room_id if rival else code, "is_other": is_other}
        return pages.page(request, "games/no_review.html", known, why, status=409)
    if not found.game.ply:
        return pages.page(request, "games/no_review.html", known, {"code": code, "is_empty": True})
    return pages.page(request, "games/review.html", known, _context(found, known))


@require_safe
@cache_control(public=True, max_age=_DAY_S)
def replay_json(request: HttpRequest, key: str, plies: str) -> HttpResponse:
    """A game that an address holds, to be shown on a board: how it begins, and what is sown."""
    form = ReplayForm.of_address(key, plies)
    if not form.is_valid():
        raise Http404
    return HttpResponse(json.encode(lesson.game(*form.record)), content_type="application/json")


def _context(found: Finished, reader: uuid.UUID | None) -> dict[str, object]:
    game = found.game
    ruleset = rulesets.by_key(game.ruleset)
    you = None if game.is_shared else game.seat_of(reader)
    sitting = board_view.worded(snapshot.of(game)).seats
    who = [side.letter for side in seats(ruleset, game.transcript)]
    names = {side: shape.name if (shape := sitting.of(side)) else "" for side in ("S", "N")}
    step = lesson.game(game.ruleset, game.transcript)
    # Sun and Moon sit there, unless it was two people, each on one side from beginning to end.
    if not game.is_shared and not transcript.is_swapped(ruleset, game.transcript):
        step = _as_seated(step, sitting, you)
    told = hindsight.shape(found, reviews.of(found))
    moves = lesson.moves(game.ruleset, game.transcript, [names[side] for side in who])
    return {
        "game": game,
        "snapshot": step.welcome.snapshot,
        "you": step.welcome.you,
        "board": board_view.board(step.welcome.snapshot, step.welcome.you),
        "moves": moves,
        "values": list(zip(moves, told.plies, strict=True)),
        "score": lesson.score(step),
        "told": told,
        "names": names,
        "marks": [(side, names[side], told.marks.of(side)) for side in ("S", "N")],
        "page": {
            "game": to_builtins(step),
            "review": to_builtins(told),
            "transcript": game.transcript,
            "you": you,
            "who": who,
            "names": names,
            "swap": transcript.swap_letter(ruleset),
            "rules": lesson.studied(ruleset),
            "socket": f"/ws/v{VERSION}/reviews/{game.room_id}/{game.number}/",
            "branches": reverse("replay_json", args=[game.ruleset, "PLIES"]),
        },
    }


def _as_seated(step: lesson.Step, sitting: Seats, you: str | None) -> lesson.Step:
    """A game with those who played it at the board, as one of them sees it."""
    state = replace(step.welcome.snapshot, seats=sitting)
    return replace(step, welcome=replace(step.welcome, you=you, snapshot=state))


# The socket ---------------------------------------------------------------------------------------


class ReviewConsumer(SocketConsumer):
    """A socket of somebody who reads the review of a game."""

    kind = "review"

    async def enter(self) -> None:
        """Join those who read this review, then tell what is known."""
        place = self.scope["url_route"]["kwargs"]
        self._game = place["code"], int(place["number"])
        self.topic = review_topic(*self._game)
        listener = await self.join(self._refresh)
        listener.begin(await self._known(self.who()))

    async def _refresh(self) -> str:
        return await self._known(None)

    async def _known(self, reader: uuid.UUID | None, held: int | None = None) -> str:
        told = await storage.run(reviews.ask, *self._game, reader, held)
        return told.text() if told else ""

    async def handle(self, message: Incoming) -> None:
        """A review can be asked for, and pinged with how much of it is held."""
        match message:
            case Ping(version=held, sent_at=sent_at):
                news = await self._known(self.who(), held)
                await self.tell(news or Pong(sent_at=sent_at, now=snapshot.moment()).text())
            case Sync():
                await self.tell(await self._known(self.who()))
            case _:
                raise Refused(Refusal.NOT_SEATED)

    async def explain(self, asked: str, refusal: Refusal) -> None:
        """Say why; who has begun to play somebody reads no more."""
        if refusal is Refusal.NOT_OVER:
            await self.shut(Close.NOT_OVER)
        else:
            await super().explain(asked, refusal)
