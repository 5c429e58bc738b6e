"""What holds for every ruleset, every board and every ply."""

from hypothesis import assume, given, settings, strategies as st

from games.rules.position import InvalidText, Position, Side
from games.rules.ruleset import NAMES, Ruleset, by_key
from games.rules.sowing import Kind, Sowing, Transfer
from games.rules.transcript import draw, letter, parse, record, replay

always = settings(deadline=None, max_examples=150, database=None)


def rulesets(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Ruleset]:
    return st.builds(
        lambda name, pits, stones, majority: by_key(f"{name}-{pits}x{stones}{'+majority' * majority}"),
        st.sampled_from(names),
        st.integers(1, 9),
        st.integers(1, 9),
        st.booleans(),
    )


positions = st.integers(1, 9).flatmap(
    lambda width: st.builds(
        Position,
        st.lists(st.integers(0, 3) | st.integers(0, 40), min_size=2 * width + 2, max_size=2 * width + 2).map(tuple),
        st.sampled_from(Side),
    )
)
randoms = st.randoms(use_true_random=False)


@st.composite
def plies(draw_from, names: tuple[str, ...] = NAMES) -> tuple[Ruleset, Sowing]:
    """Any legal ply in any position."""
    ruleset, position = draw_from(rulesets(names)), draw_from(positions)
    legal = ruleset.legal_pits(position)
    assume(legal)
    return ruleset, ruleset.sow(position, draw_from(st.sampled_from(legal)))


def played(ruleset: Ruleset, rng) -> str:
    """The transcript of a whole random game."""
    position, transcript = ruleset.start(), ""
    while legal := ruleset.legal_pits(position):
        pit = rng.choice(legal)
        position = ruleset.sow(position, pit).after
        transcript += letter(pit)
    return transcript


@always
@given(rulesets(), positions)
def test_what_a_pit_would_bring_is_what_sowing_it_brings(ruleset, position):
    def brought(pit):
        sowing = ruleset.sow(position, pit)
        first = sowing.transfers[: position.stones[pit]]
        taken = tuple(move.source for move in sowing.transfers if move.kind is Kind.CAPTURE)
        way = tuple(move.target for move in first)
        return pit, sowing.last, sowing.extra_turn, sowing.captured, way, taken

    assert ruleset.prospects(position) == tuple(map(brought, ruleset.legal_pits(position)))


@always
@given(plies())
def test_stones_are_neither_lost_nor_made(ply):
    _, sowing = ply
    assert sum(sowing.after.stones) == sum(sowing.before.stones)
    assert min(sowing.after.stones) >= 0


@always
@given(plies())
def test_the_transfers_applied_in_order_lead_from_before_to_after(ply):
    _, sowing = ply
    stones = list(sowing.before.stones)
    for move in sowing.transfers:
        assert move.stones > 0
        stones[move.source] -= move.stones
        stones[move.target] += move.stones
    assert tuple(stones) == sowing.after.stones


@always
@given(plies())
def test_stones_are_sown_from_pits_and_captured_and_swept_into_stores(ply):
    _, sowing = ply
    stores = {sowing.after.store(side) for side in Side}
    for move in sowing.transfers:
        assert move.source not in stores
        assert move.kind is Kind.SOW or move.target in stores
        assert move.kind is not Kind.SOW or move.stones == 1


@always
@given(plies(names=("classic", "no-empty-capture", "avalanche")))
def test_only_both_stores_sows_into_the_opponents_store(ply):
    _, sowing = ply
    sown = [move.target for move in sowing.transfers if move.kind is Kind.SOW]
    assert sowing.after.store(sowing.side.opponent) not in sown


@always
@given(plies())
def test_an_extra_turn_is_a_last_stone_in_the_own_store_of_a_game_that_goes_on(ply):
    ruleset, sowing = ply
    goes_on = ruleset.outcome(sowing.after) is None
    assert sowing.extra_turn == (goes_on and sowing.last == sowing.after.store(sowing.side))


@always
@given(plies())
def test_every_ply_fills_a_store_or_brings_stones_nearer_to_it_so_that_every_game_ends(ply):
    _, sowing = ply
    assert progress(sowing.after) > progress(sowing.before)


def progress(position: Position) -> tuple[int, int]:
    """Stones in stores, then how near the others are to their side's store: there is a most of both."""
    stored = sum(position.stones[position.store(side)] for side in Side)
    way = sum(position.stones[pit] * (position.store(side) - pit) for side in Side for pit in position.pits(side))
    return stored, -way


@always
@given(rulesets(), positions)
def test_a_game_is_over_or_has_a_legal_pit(ruleset, position):
    assert bool(ruleset.legal_pits(position)) == (ruleset.outcome(position) is None)


@always
@given(rulesets(), positions)
def test_the_legal_pits_are_the_ones_that_can_be_sown(ruleset, position):
    sown = []
    for pit in range(-1, len(position.stones) + 1):
        try:
            ruleset.sow(position, pit)
        except ValueError:
            continue
        sown.append(pit)
    assert tuple(sown) == ruleset.legal_pits(position)


@always
@given(plies())
def test_the_mirrored_position_gives_the_mirrored_sowing(ply):
    ruleset, sowing = ply
    half = sowing.before.width + 1

    def across(hole: int) -> int:
        return (hole + half) % (2 * half)

    mirror = ruleset.sow(mirrored(sowing.before), across(sowing.pit))
    assert mirror.after == mirrored(sowing.after)
    expected = [Transfer(move.kind, across(move.source), across(move.target), move.stones) for move in sowing.transfers]
    assert sorted(mirror.transfers, key=repr) == sorted(expected, key=repr)
    outcome, mirror_outcome = ruleset.outcome(sowing.after), ruleset.outcome(mirror.after)
    assert (outcome and outcome.score[::-1]) == (mirror_outcome and mirror_outcome.score)


def mirrored(position: Position) -> Position:
    half = position.width + 1
    return Position(position.stones[half:] + position.stones[:half], position.turn.opponent)


@always
@given(positions)
def test_a_position_is_read_back_from_its_text(position):
    assert Position.parse(str(position)) == position


@always
@given(st.text() | st.from_regex(r"\A0?[0-9]{1,3}(,[0-9]{1,2}){1,3}/[0-9]{1,2}(,[0-9]{1,2}){1,3} [SN]\n?"))
def test_a_text_is_read_as_a_position_only_if_the_position_writes_it(text):
    try:
        position = Position.parse(text)
    except InvalidText:
        return
    assert str(position) == text


@settings(always, max_examples=60)
@given(rulesets(), randoms)
def test_a_random_game_ends_with_all_its_stones_scored_or_by_majority(ruleset, rng):
    *_, last = replay(ruleset, played(ruleset, rng))
    score = ruleset.outcome(last.after).score
    total = 2 * ruleset.pits * ruleset.stones
    assert sum(score) == total or (ruleset.key.endswith("+majority") and 2 * max(score) > total)


@settings(always, max_examples=30)
@given(rulesets(), randoms, st.text(max_size=20), st.text(max_size=20))
def test_the_transcript_of_any_game_is_read_back_from_its_record(ruleset, rng, south, north):
    transcript = played(ruleset, rng)
    text = record(ruleset, transcript, south=south, north=north)
    assert parse(text) == transcript
    *_, last = replay(ruleset, transcript)
    assert text.endswith(draw(last.after) + "\n")


@always
@given(st.text() | st.text("abcdefghijklmnopqrstu0123456789. \n:"))
def test_a_transcript_read_from_any_text_is_letters_of_holes(text):
    try:
        transcript = parse(text)
    except InvalidText:
        return
    assert set(transcript) <= set("abcdefghijklmnopqrst")
