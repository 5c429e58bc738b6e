"""Offers: a draw, to take back, another game. One at a time; what both offer is agreed."""

from functools import partial

import pytest
from django.db import transaction
from msgspec.structs import replace

from games import actions, broadcast, database, snapshot
from games.actions.row import keep, kept
from games.management.commands.check_games import faults
from games.models import Game
from games.protocol import Ended, Offered, OfferShape, OutcomeShape, Refusal, Refused, Series, Snapshot
from tests.rooms import begin, sow

committed = pytest.mark.django_db(transaction=True)

AFTER_C = (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)
"""c gives South an extra turn."""


def offer(code, player, kind, game=1):
    return actions.offer(code, player.pk, game=game, kind=kind)


def answer(code, player, accept, *, game=1):
    number = snapshot.read(code).offer.id
    return actions.answer(code, player.pk, game=game, number=number, accept=accept)


def resign(code, player, game=1):
    actions.resign(code, player.pk, game=game)


def is_refused(refusal, action, *arguments, **named):
    with pytest.raises(Refused) as refused:
        action(*arguments, **named)
    return refused.value.refusal is refusal


def check(code):
    assert [fault for game in Game.objects.of_room(code) for fault in faults(game)] == []


# Draw ---------------------------------------------------------------------------------------------


def test_a_draw_is_offered_and_accepted(code, alice, bob, said):
    offer(code, alice, "draw")
    there = OfferShape(id=2, kind="draw", side="S")
    assert said.messages == [Offered(game=1, version=2, offer=there)]
    assert snapshot.read(code).offer == there
    said.clear()
    answer(code, bob, accept=True)
    assert said.messages == [Ended(game=1, version=3, outcome=OutcomeShape(None, (0, 0), "agreed"))]
    assert snapshot.read(code).offer is None
    check(code)


def test_between_two_the_own_turn_is_meant_whatever_has_been_sown_meanwhile(code, alice, bob):
    sow(code, "dh")
    actions.offer(code, alice.pk, game=1, kind="takeback", ply=1)
    assert snapshot.read(code).offer.kind == "takeback"


def test_a_draw_is_declined_and_may_be_offered_again(code, alice, bob, said):
    offer(code, alice, "draw")
    said.clear()
    answer(code, bob, accept=False)
    assert said.messages == [Offered(game=1, version=3, offer=None, declined=True)]
    assert snapshot.read(code).status == "playing"
    assert offer(code, alice, "draw").offer == "draw S 4"


def test_an_own_offer_is_withdrawn_but_never_accepted(code, alice, said):
    offer(code, alice, "draw")
    said.clear()
    assert is_refused(Refusal.OFFER_GONE, answer, code, alice, accept=True)
    answer(code, alice, accept=False)
    assert said.messages == [Offered(game=1, version=3, offer=None)]


def test_the_same_offer_twice_is_one_and_from_both_is_agreed(code, alice, bob, said):
    offer(code, alice, "draw")
    offer(code, alice, "draw")
    assert len(said.messages) == 1
    offer(code, bob, "draw")
    assert snapshot.read(code).outcome.ending == "agreed"


@pytest.mark.parametrize("kind", ["draw", "takeback"])
def test_whoever_sows_plays_on(code, alice, bob, kind):
    sow(code, "d")
    offer(code, alice, kind)
    number = snapshot.read(code).offer.id
    sow(code, "j")
    assert snapshot.read(code).offer is None
    assert is_refused(Refusal.OFFER_GONE, actions.answer, code, bob.pk, game=1, number=number, accept=True)


def test_ones_own_draw_stands_while_one_sows_on_until_the_other_does(code, alice, bob, said):
    """B78: whose move cancels which offer."""
    offer(code, alice, "draw")
    there = snapshot.read(code).offer
    sow(code, "c")  # an extra turn
    sow(code, "a")
    assert snapshot.read(code).offer == there == said.messages[-1].offer
    sow(code, "h")
    assert snapshot.read(code).offer is None
    assert said.messages[-1].offer is None
    sow(code, "d")
    offer(code, alice, "takeback")
    answer(code, bob, accept=False)
    offer(code, bob, "draw")
    answer(code, alice, accept=True)
    assert snapshot.current_game(code).ending == "agreed"


def test_what_one_asked_to_take_back_is_gone_when_one_sows_on(code, alice):
    sow(code, "c")
    offer(code, alice, "takeback")
    sow(code, "d")
    assert snapshot.read(code).offer is None


def test_the_end_takes_an_offer_with_it(code, alice, bob):
    offer(code, alice, "draw")
    resign(code, bob)
    assert snapshot.read(code).offer is None


# Taking back --------------------------------------------------------------------------------------


def test_back_to_the_own_last_turn_before_the_others_answer(code, alice, bob, said):
    sow(code, "dj")  # j's four stones end in North's store, and North moves again
    said.clear()
    offer(code, alice, "takeback")
    answer(code, bob, accept=True)
    state = snapshot.read(code)
    assert (state.ply, state.transcript, state.turn) == (0, "", "S")
    assert state.stones == (4, 4, 4, 4, 4, 4, 0) * 2
    assert said.messages[-1] == state
    check(code)


def test_through_a_chain_of_extra_turns(code, alice, bob):
    """B134: the score of a turn taken back stayed."""
    sow(code, "cajh")
    offer(code, bob, "takeback")
    answer(code, alice, accept=True)
    state = snapshot.read(code)
    assert (state.transcript, state.turn) == ("ca", "N")
    assert state.stones == (0, 5, 1, 6, 6, 5, 1, 4, 4, 4, 4, 4, 4, 0)


def test_in_the_middle_of_a_chain_its_own_beginning(code, alice, bob):
    sow(code, "c")
    offer(code, alice, "takeback")
    answer(code, bob, accept=True)
    assert snapshot.read(code).transcript == ""


def test_nothing_to_take_back(code, alice, bob):
    sow(code, "c")
    assert is_refused(Refusal.NOTHING_TO_TAKE_BACK, offer, code, bob, "takeback")


def test_after_a_taken_back_ply_another_may_be_sown(code, alice, bob):
    sow(code, "d")
    offer(code, alice, "takeback")
    answer(code, bob, accept=True)
    sow(code, "c")
    assert snapshot.read(code).stones == AFTER_C
    check(code)


# Another game -------------------------------------------------------------------------------------


def test_another_game_in_the_same_room_with_sides_swapped(code, alice, bob, said):
    resign(code, alice)
    offer(code, bob, "rematch")
    said.clear()
    answer(code, alice, accept=True)
    state = snapshot.read(code)
    assert (state.game, state.version, state.status, state.ply, state.turn) == (2, 0, "playing", 0, "S")
    assert (state.seats.S.name, state.seats.N.name) == ("Bob", "Alice")
    assert state.series == Series(S=1, N=0, draws=0)
    assert said.messages == [state]
    assert said.seatings[0].south == str(bob.pk)
    check(code)


def test_a_series_counts_for_people_not_for_sides(code, alice, bob):
    resign(code, bob)  # Alice wins as South
    for kind in ("rematch", "draw", "rematch"):
        number = snapshot.read(code).game
        for player in (alice, bob):
            offer(code, player, kind, number)
    assert snapshot.read(code).series == Series(S=1, N=0, draws=1)
    assert snapshot.read(code).seats.S.name == "Alice"
    resign(code, alice, game=3)
    for player in (alice, bob):
        offer(code, player, "rematch", 3)
    assert snapshot.read(code).series == Series(S=1, N=1, draws=1)
    check(code)


def test_a_rematch_may_be_declined(code, alice, bob):
    resign(code, alice)
    offer(code, alice, "rematch")
    answer(code, bob, accept=False)
    assert (snapshot.read(code).game, snapshot.read(code).offer) == (1, None)


@pytest.mark.parametrize("kind", ["draw", "takeback"])
def test_what_cannot_be_offered_any_more(code, alice, bob, kind):
    """B13: an offer after the end."""
    resign(code, alice)
    assert is_refused(Refusal.GAME_OVER, offer, code, bob, kind)


def test_what_cannot_be_offered_yet(code, alice):
    assert is_refused(Refusal.NOT_OVER, offer, code, alice, "rematch")


def test_one_offer_at_a_time_and_an_answer_is_to_the_one_that_was_seen(code, alice, bob):
    """B77: a question was replaced by another under the pointer, and a draw agreed by accident."""
    sow(code, "d")
    offer(code, alice, "takeback")
    seen = snapshot.read(code).offer.id
    for player in (alice, bob):
        assert is_refused(Refusal.OFFER_OPEN, offer, code, player, "draw")
    answer(code, alice, accept=False)
    offer(code, alice, "draw")
    assert is_refused(Refusal.OFFER_GONE, actions.answer, code, bob.pk, game=1, number=seen, accept=True)
    assert snapshot.read(code).status == "playing"


@pytest.mark.parametrize("kind", ["draw", "takeback", "rematch"])
def test_only_whoever_sits_there_offers_and_answers(code, alice, charlie, kind):
    assert is_refused(Refusal.NOT_SEATED, offer, code, charlie, kind)
    assert is_refused(Refusal.NOT_SEATED, actions.offer, code, None, game=1, kind=kind)
    offer(code, alice, "draw")
    assert is_refused(Refusal.NOT_SEATED, answer, code, charlie, accept=True)


def test_an_offer_for_another_game_is_stale(code, alice):
    assert is_refused(Refusal.STALE_PLY, offer, code, alice, "draw", game=2)
    assert is_refused(Refusal.STALE_PLY, actions.answer, code, alice.pk, game=2, number=0, accept=True)


def test_somebody_sows_between_the_read_and_the_write(code, alice, bob, meanwhile):
    offer(code, bob, "draw")
    meanwhile(lambda: sow(code, "c"))
    assert is_refused(Refusal.OFFER_GONE, answer, code, alice, accept=True)


def test_a_draw_is_accepted_while_its_maker_sows_on(code, alice, bob, meanwhile):
    offer(code, alice, "draw")
    meanwhile(lambda: sow(code, "c"))
    answer(code, bob, accept=True)
    game = snapshot.current_game(code)
    assert (game.transcript, game.ending) == ("c", "agreed")


# By the row that this process wrote last ----------------------------------------------------------


def prepare_offer(code, player, kind, game=1):
    return actions.prepare_offer(code, player.pk, game=game, kind=kind)


def prepare_answer(code, player, accept, *, game=1):
    number = snapshot.read(code).offer.id
    return actions.prepare_answer(code, player.pk, game=game, number=number, accept=accept)


def drawn(code, alice, bob):
    """Let the first game end, so that its row is kept."""
    for player in (alice, bob):
        offer(code, player, "draw")


def written(entry):
    assert entry.write()


@committed
def test_what_is_prepared_is_written_and_told_as_if_it_were_not(alice, bob, said, hands):
    def scene(offer, answer):
        """A draw that is declined, withdrawn, agreed, and two more games: what is told, and what is in the rows."""
        code = begin(alice, bob, control="5+3")
        hands.pass_by(seconds=7)
        sow(code, "d")
        said.clear()
        hands.pass_by(seconds=5)
        offer(code, bob, "draw")
        answer(code, alice, accept=False)
        offer(code, alice, "draw")
        answer(code, alice, accept=False)
        offer(code, bob, "draw")
        offer(code, alice, "draw")
        offer(code, alice, "rematch")
        answer(code, bob, accept=True)
        for kind in ("draw", "rematch"):
            for player in (bob, alice):
                offer(code, player, kind, game=2)
        hands.be_set(seconds=-12)
        check(code)
        games = list(Game.objects.of_room(code).values())
        for game in games:
            del game["id"], game["room_id"]
        del games[-1]["created_at"]  # by the database's clock
        messages = [replace(one, room="") if isinstance(one, Snapshot) else one for one in said.messages]
        return games, messages, list(said.seatings), said.lobby, said.concerned

    unprepared = scene(offer, answer)
    prepared = scene(
        lambda *asked, **named: written(prepare_offer(*asked, **named)),
        lambda *asked, **named: written(prepare_answer(*asked, **named)),
    )
    assert prepared == unprepared
    third = prepared[0][0]
    assert (third["number"], third["draws"], third["south_left"], third["south_id"]) == (3, 2, 300_000, alice.pk)


@committed
def test_what_was_written_is_kept_for_the_next(code, alice, bob):
    drawn(code, alice, bob)
    written(prepare_offer(code, alice, "rematch"))
    written(prepare_answer(code, bob, accept=True))
    written(actions.prepare(code, bob.pk, game=2, ply=0, pit=3))
    assert (snapshot.read(code).game, snapshot.read(code).transcript) == (2, "d")
    check(code)


@committed
def test_what_was_written_is_told_before_anybody_can_write_by_it(code, alice, bob, monkeypatch):
    """On a thread it is told after a while, in which the loop might write and tell what comes next."""

    def tell(*_, **__):
        database.after_commit(lambda: there.append(kept(code)))

    drawn(code, alice, bob)
    monkeypatch.setattr(broadcast, "announce", tell)
    there = []
    for player in (alice, bob):
        assert kept(code)  # and no longer
        offer(code, player, "rematch")
    assert there == [None, None]


@committed
def test_a_prepared_rematch_names_people_as_they_are_called_by_then(code, alice, bob, said):
    drawn(code, alice, bob)
    offer(code, alice, "rematch")
    actions.rename(alice.pk, "Anne")
    rematch = prepare_offer(code, bob, "rematch")
    actions.rename(bob.pk, "Bert")
    said.clear()
    written(rematch)
    (state,) = said.messages
    assert (state.seats.S.name, state.seats.N.name) == ("Bert", "Anne")
    assert kept(code)[0].north.name == "Anne"


@committed
@pytest.mark.parametrize("kind", ["draw", "rematch"])
def test_a_prepared_offer_is_not_written_over_what_somebody_else_wrote(code, alice, bob, said, kind):
    if kind == "rematch":
        drawn(code, alice, bob)
    offer(code, alice, kind)
    entry = prepare_offer(code, bob, kind)
    answer(code, alice, accept=False)
    said.clear()
    assert not entry.write()
    assert not said
    state = snapshot.read(code)
    assert (state.game, state.offer, Game.objects.count()) == (1, None, 1)


@committed
def test_of_two_rematches_of_the_same_game_one_is_written(code, alice, bob, said):
    """Two processes keep the row as it was offered."""
    drawn(code, alice, bob)
    offer(code, alice, "rematch")
    rematches = []
    for _ in range(2):
        keep(snapshot.current_game(code), None)
        rematches.append(prepare_offer(code, bob, "rematch"))
    said.clear()
    assert [rematch.write() for rematch in rematches] == [True, False]
    assert [state.game for state in said.messages] == [2]
    assert is_refused(Refusal.STALE_PLY, offer, code, bob, "rematch")
    assert Game.objects.count() == 2


@committed
def test_a_rematch_that_was_rolled_back_with_others_may_be_written_again(code, alice, bob, said):
    drawn(code, alice, bob)
    offer(code, alice, "rematch")
    rematch = prepare_offer(code, bob, "rematch")
    with transaction.atomic():
        assert rematch.record(database)
        transaction.set_rollback(True)
    said.clear()
    written(rematch)
    assert said.messages == [snapshot.read(code)]
    assert snapshot.read(code).game == 2
    check(code)


def refused(code, alice, bob):
    """Alice has sown, and it is up to Bob."""
    sow(code, "d")


def offered(kind, code, alice, bob):
    sow(code, "d")
    offer(code, alice, kind)


UNPREPARED = {
    "by who does not sit there": (refused, "charlie", 1, "draw"),
    "for another game": (refused, "bob", 2, "draw"),
    "of another game before the end": (refused, "bob", 1, "rematch"),
    "to take back nothing": (refused, "bob", 1, "takeback"),
    "of a draw after the end": (drawn, "bob", 1, "draw"),
    "while something else is offered": (partial(offered, "draw"), "alice", 1, "takeback"),
    "for the second time": (partial(offered, "draw"), "alice", 1, "draw"),
    "to take back what is offered to be": (partial(offered, "takeback"), "bob", 1, "takeback"),
}


@committed
@pytest.mark.parametrize(("before", "who", "game", "kind"), UNPREPARED.values(), ids=UNPREPARED)
def test_no_offer_is_prepared(request, code, alice, bob, before, who, game, kind):
    player = request.getfixturevalue(who)
    before(code, alice, bob)
    assert prepare_offer(code, player, kind, game) is None


@committed
@pytest.mark.parametrize(
    ("kind", "who", "accept", "later"),
    [
        ("draw", "alice", True, 0),  # one's own
        ("draw", "charlie", True, 0),
        ("draw", "bob", True, 1),  # another
        ("takeback", "bob", True, 0),
        ("takeback", "bob", False, 0),
    ],
)
def test_no_answer_is_prepared(request, code, alice, bob, kind, who, accept, later):
    player = request.getfixturevalue(who)
    offered(kind, code, alice, bob)
    number = snapshot.read(code).offer.id + later
    assert actions.prepare_answer(code, player.pk, game=1, number=number, accept=accept) is None


@committed
def test_on_one_device_nothing_is_prepared(alice):
    code = actions.open_room(alice, ruleset="classic-6x4", shared=True).room_id
    sow(code, "d")
    assert prepare_offer(code, alice, "draw") is None


@committed
@pytest.mark.parametrize("happens", ["the flag falls", "the clock is set"])
def test_nothing_is_prepared_where_time_has_a_say(alice, bob, hands, happens):
    code = begin(alice, bob, control="30s")
    actions.keep_time(hands.now)
    sow(code, "d")
    if happens == "the flag falls":
        hands.pass_by(seconds=100)
    else:
        hands.be_set(seconds=-100)
    assert prepare_offer(code, alice, "draw") is None
