"""Frames that are no messages, too large or too many cost their sender a refusal or the socket, and nobody else."""

import pytest

from games import protocol
from games.rules import ruleset as rulesets
from games.rules.position import Side
from tests.live.sockets import do
from tests.rooms import begin
from tests.test_protocol import NONSENSE

pytestmark = pytest.mark.django_db(transaction=True)

FRAMES = {
    **NONSENSE,
    "a binary message": b'{"type":"sync"}',
    "binary rubbish": bytes(range(256)),
    "an empty binary frame": b"",
    "a large binary frame": b"\x00" * 16_000,
}


@pytest.fixture
async def two(sockets, code, ann, ben):
    """South and North, who know that they are here."""
    heard = [await sockets.enter(code, browser) for browser in (ann, ben)]
    for socket in heard:
        await socket.hear_presence(1, 1, 0)
    return heard


async def test_whatever_is_sent_the_sender_is_refused_and_others_do_not_notice(two):
    """B96: one bad frame took the whole server down."""
    south, north = two
    for frame in FRAMES.values():
        await south.send(frame)
        assert await south.hear("refused") == {"type": "refused", "re": "", "code": "malformed"}, frame
    await north.has_heard_all()
    await south.say(type="play", game=1, ply=0, pit=2)
    for socket in two:
        assert (await socket.hear("sown"))["ply"] == 0


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
async def test_in_the_lobby_refused_is(sockets, frame):
    lobby = await sockets.look()
    await lobby.send(frame)
    assert await lobby.hear("refused") == {"type": "refused", "re": "", "code": "malformed"}
    await lobby.say(type="sync")
    await lobby.hear("lobby")


@pytest.mark.parametrize(
    ("character", "count"),
    [("x", protocol.MAX_FRAME_BYTES), ("é", protocol.MAX_FRAME_BYTES // 2), ("🦊", protocol.MAX_FRAME_BYTES // 4)],
)
async def test_a_frame_of_4096_bytes_is_read_and_a_longer_one_closes_the_socket(two, character, count):
    south, north = two
    await south.send(character * count)
    assert (await south.hear("refused"))["code"] == "malformed"
    await south.send(character * count + "x")
    assert await south.hear_close() == 4413
    await south.close()
    await north.hear_presence(0, 1, 0)
    await north.has_heard_all()


async def test_a_valid_message_that_is_too_long_closes_the_socket_and_is_not_acted_upon(two):
    south, north = two
    await south.send('{"type":"play","game":1,"ply":0,"pit":2}'.ljust(protocol.MAX_FRAME_BYTES + 1))
    assert await south.hear_close() == 4413
    await south.close()
    await north.hear_presence(0, 1, 0)
    assert (await north.has_heard_all())["snapshot"]["ply"] == 0


async def test_after_the_server_has_closed_a_socket_what_it_still_says_does_not_count(two):
    south, north = two
    await south.send("x" * (protocol.MAX_FRAME_BYTES + 1))
    assert await south.hear_close() == 4413
    await south.say(type="play", game=1, ply=0, pit=2)
    await south.close()
    await north.hear_presence(0, 1, 0)
    assert (await north.has_heard_all())["snapshot"]["ply"] == 0


# Too many -----------------------------------------------------------------------------------------

PING = '{"type":"ping","game":1,"version":1}'


@pytest.fixture
def slow_refill(settings):
    """Credits that do not come back while a test runs."""
    settings.SOCKET_RATE, settings.SOCKET_BURST = 0.001, 5


@pytest.fixture
def large_burst(settings):
    """Credits that no test uses up."""
    settings.SOCKET_BURST = 1000


async def test_a_flood_is_refused_and_then_closed_and_others_play_on(slow_refill, two):
    """B100"""
    south, north = two
    for _ in range(5):
        await south.send(PING)
        await south.hear("pong")
    refusals, code = await south.insist(PING)
    assert (set(refusals), code) == ({"too_fast"}, 4429)
    assert 100 <= len(refusals) <= 120  # some patience comes back with time
    await south.close()
    await north.hear_presence(0, 1, 0)
    await north.has_heard_all()


async def test_whoever_keeps_sending_nonsense_is_closed(large_burst, two):
    south, north = two
    refusals, code = await south.insist("nonsense")
    assert (set(refusals), code) == ({"malformed"}, 4429)
    assert 100 <= len(refusals) <= 120
    await north.has_heard_all()


async def test_what_is_too_fast_is_not_acted_upon(slow_refill, two):
    south, north = two
    for _ in range(5):
        await south.say(type="sync")
        await south.hear("welcome")
    await south.say(type="play", game=1, ply=0, pit=2)
    assert (await south.hear("refused"))["code"] == "too_fast"
    assert (await north.has_heard_all())["snapshot"]["ply"] == 0


async def test_credits_belong_to_a_socket_and_come_back(settings, sockets, code, ann):
    """B101: whoever was limited is told, and plays on."""
    settings.SOCKET_RATE, settings.SOCKET_BURST = 1_000_000, 1
    south, again = await sockets.enter(code, ann), await sockets.enter(code, ann)
    for socket in (south, again) * 10:  # each answer takes longer than a credit
        await socket.say(type="ping", game=1, version=1)
        assert (await socket.hear_anything())["type"] in {"pong", "refused"}
    await south.has_heard_all()


async def test_fast_legal_play_is_never_limited(sockets, ann, ben):
    """B101: as fast as the answers come, extra turns, friendly words and all."""
    code = await do(begin, ann.player, ben.player, "classic-6x4")
    south, north = await sockets.enter(code, ann), await sockets.enter(code, ben)
    rules = rulesets.by_key("classic-6x4")
    position = rules.start()
    ply = 0
    while legal := rules.legal_pits(position):
        mover = south if position.turn is Side.SOUTH else north
        await mover.say(type="play", game=1, ply=ply, pit=legal[-1])
        for socket in (south, north):
            assert (await socket.hear("sown"))["ply"] == ply
        if ply < 4:
            await south.say(type="react", kind="wow")
            for socket in (south, north):
                await socket.hear("reacted")
        position = rules.sow(position, legal[-1]).after
        ply += 1
