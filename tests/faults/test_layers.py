"""The Redis channel layer when Redis goes away, hangs and comes back. Two layers stand for two processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import redis.asyncio

from mancala_site import layers
from mancala_site.layers import ResyncPubSubChannelLayer
from tests.patience import PATIENCE_S
from tests.processes import RedisServer

HELLO = {"type": "hello", "text": "a b c", "counts": [1, 2], "nobody": None}
RESET = {"type": "layer.reset"}


@pytest.fixture
def endless_patience(monkeypatch):
    """Whoever would wait for Redis until the patience ends never comes back."""
    monkeypatch.setattr(layers, "PATIENCE_S", 3600)


@asynccontextmanager
async def layer_at(server: RedisServer, **options) -> AsyncIterator[ResyncPubSubChannelLayer]:
    layer = ResyncPubSubChannelLayer(server.url, **options)
    try:
        yield layer
    finally:
        await layer.flush()


async def received(layer, channel):
    async with asyncio.timeout(PATIENCE_S):
        return await layer.receive(channel)


async def nothing_is_received(layer, channel):
    """What is published now arrives next: nothing was waiting before it."""
    await layer.send(channel, {"type": "now"})
    assert await received(layer, channel) == {"type": "now"}


async def until(condition):
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.02)


def count(server: RedisServer, command: str) -> int:
    """How often Redis has been given a command."""
    asked: dict = server.ask("INFO", "commandstats")
    return asked.get(f"cmdstat_{command}", {"calls": 0})["calls"]


async def test_a_group_message_reaches_every_process_unchanged(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        mine, theirs = await here.new_channel(), await there.new_channel()
        await here.group_add("room", mine)
        await there.group_add("room", theirs)
        await here.group_send("room", HELLO)
        assert await received(here, mine) == HELLO
        assert await received(there, theirs) == HELLO


async def test_a_message_published_right_after_group_add_returned_is_never_missed(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        channel = await here.new_channel()
        for number in range(100):
            await here.group_add(f"room-{number}", channel)
            await there.group_send(f"room-{number}", {"type": "n", "n": number})
            assert await received(here, channel) == {"type": "n", "n": number}


async def test_messages_of_one_process_keep_their_order(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        channel, _ = await here.new_channel(), await there.new_channel()
        await here.group_add("room", channel)
        await asyncio.gather(*(there.group_send("room", {"type": "n", "n": number}) for number in range(200)))
        assert [(await received(here, channel))["n"] for _ in range(200)] == list(range(200))


async def test_a_message_to_one_channel_reaches_only_that_channel_of_another_process(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        first, second = await here.new_channel(), await here.new_channel()
        await there.send(second, HELLO)
        assert await received(here, second) == HELLO
        await nothing_is_received(here, first)


async def test_who_left_a_group_hears_no_more_of_it_and_who_returns_does(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        await here.group_discard("room", channel)
        await here.group_send("room", HELLO)
        await nothing_is_received(here, channel)
        await here.group_add("room", channel)
        await here.group_send("room", HELLO)
        assert await received(here, channel) == HELLO


async def test_many_who_join_at_once_are_subscribed_together_and_each_hears_its_own_group(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        channel = await here.new_channel()
        before = count(redis_server, "subscribe")
        await asyncio.gather(*(here.group_add(f"room-{number}", channel) for number in range(50)))
        assert count(redis_server, "subscribe") == before + 1
        for number in range(50):
            await there.group_send(f"room-{number}", {"type": "n", "n": number})
        assert [(await received(here, channel))["n"] for _ in range(50)] == list(range(50))


async def test_who_leaves_a_group_and_is_back_before_redis_hears_of_it_hears_on(redis_server, endless_patience):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        leaving = here.group_discard("room", channel)
        returning = here.group_add("room", channel)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(leaving, returning)
        await there.group_send("room", HELLO)
        assert await received(here, channel) == HELLO


async def test_who_leaves_a_group_before_the_subscription_is_in_force_keeps_nobody_waiting(
    redis_server, endless_patience
):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        joining = here.group_add("room", channel)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(joining, here.group_discard("room", channel))
        await nothing_is_received(here, channel)


async def test_what_is_told_elsewhere_is_received_there_in_order_and_not_here(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        mine, theirs = await here.new_channel(), await there.new_channel()
        await here.group_add("room", mine)
        await there.group_add("room", theirs)
        here.tell_elsewhere([("room", {"type": "n", "n": number}) for number in range(100)])
        assert [(await received(there, theirs))["n"] for _ in range(100)] == list(range(100))
        await nothing_is_received(here, mine)


async def test_what_is_told_elsewhere_while_redis_is_away_or_hangs_is_refused(
    redis_server, endless_patience, monkeypatch
):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        here.tell_elsewhere([("room", HELLO)])
        redis_server.pause()
        with monkeypatch.context() as hurry, pytest.raises(OSError, match="Redis"):
            hurry.setattr(layers, "PATIENCE_S", 0.3)
            while True:  # it is taken by the network, until too little of it is answered
                here.tell_elsewhere([("room", HELLO)])
                await asyncio.sleep(0)
        redis_server.resume()
        assert await received(here, channel) == RESET
        here.tell_elsewhere([("room", HELLO)])
        redis_server.stop()
        with pytest.raises(OSError, match="Redis"):
            while True:
                here.tell_elsewhere([("room", HELLO)])
                await asyncio.sleep(0)


async def test_leaving_and_joining_at_the_same_time_ends_joined(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        for _ in range(50):
            await asyncio.gather(here.group_discard("room", channel), here.group_add("room", channel))
            await here.group_send("room", HELLO)
            assert await received(here, channel) == HELLO


async def test_a_reset_arrives_after_redis_was_stopped_and_started_and_messages_flow_again(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        mine, theirs = await here.new_channel(), await there.new_channel()
        await here.group_add("room", mine)
        await there.group_add("room", theirs)
        redis_server.stop()
        with pytest.raises(OSError, match="Redis"):
            await here.group_send("room", HELLO)
        redis_server.start()
        assert await received(here, mine) == RESET
        assert await received(there, theirs) == RESET
        await here.group_send("room", HELLO)
        assert await received(here, mine) == HELLO
        assert await received(there, theirs) == HELLO


async def test_a_reset_arrives_after_a_crash_and_an_immediate_restart_that_nobody_noticed(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        redis_server.kill()
        redis_server.start()
        assert await received(here, channel) == RESET
        await here.group_send("room", HELLO)
        assert await received(here, channel) == HELLO


async def test_a_reset_arrives_after_the_subscribing_connection_was_cut(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        redis_server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        assert await received(here, channel) == RESET


async def test_while_redis_is_away_joining_does_not_fail_or_wait_and_publishing_fails_at_once(
    redis_server, endless_patience
):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("before", channel)
        redis_server.stop()
        async with asyncio.timeout(PATIENCE_S):
            await here.group_add("during", channel)
            await here.group_discard("before", channel)
            with pytest.raises(OSError, match="Redis"):
                await here.group_send("during", HELLO)


async def test_a_group_joined_while_redis_was_away_is_in_force_when_the_reset_arrives(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        channel = await here.new_channel()
        await here.group_add("before", channel)
        redis_server.stop()
        await here.group_add("during", channel)
        redis_server.start()
        assert await received(here, channel) == RESET
        for group in ("before", "during"):
            await there.group_send(group, HELLO)
            assert await received(here, channel) == HELLO


async def test_a_process_that_starts_without_redis_joins_when_it_comes(redis_server, endless_patience):
    redis_server.stop()
    async with layer_at(redis_server) as here, asyncio.timeout(PATIENCE_S):
        channel = await here.new_channel()
        await here.group_add("room", channel)
        redis_server.start()
        assert await received(here, channel) == RESET
        await here.group_send("room", HELLO)
        assert await received(here, channel) == HELLO


async def test_a_hanging_redis_costs_nobody_more_than_the_patience_and_a_reset_follows(
    redis_server, endless_patience, monkeypatch
):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("before", channel)
        redis_server.pause()
        with monkeypatch.context() as hurry:
            hurry.setattr(layers, "PATIENCE_S", 0.3)
            with pytest.raises(TimeoutError):
                await here.group_send("before", HELLO)
            async with asyncio.timeout(PATIENCE_S):
                await here.group_add("during", channel)
        redis_server.resume()
        # Redis may have taken the message above after all; the reset comes in any case.
        while await received(here, channel) != RESET:
            pass
        await here.group_send("during", HELLO)
        assert await received(here, channel) == HELLO


async def test_a_redis_silent_for_too_long_counts_as_lost(redis_server, monkeypatch, caplog):
    monkeypatch.setattr(layers, "PING_S", 0.1)
    monkeypatch.setattr(layers, "PONG_S", 0.1)
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        redis_server.pause()
        await until(lambda: "silent for too long" in caplog.text)
        redis_server.resume()
        assert await received(here, channel) == RESET


async def test_an_idle_connection_is_not_taken_for_a_lost_one(redis_server, monkeypatch):
    monkeypatch.setattr(layers, "PING_S", 0.1)
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        asked = count(redis_server, "ping")
        await until(lambda: count(redis_server, "ping") >= asked + 2)
        await nothing_is_received(here, channel)


async def test_an_idle_redis_that_is_just_asked_whether_it_is_there_takes_messages(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server) as there:
        mine, theirs = await here.new_channel(), await there.new_channel()
        await here.group_add("room", mine)
        await there.group_add("room", theirs)
        line = here._link._line
        await line.answered()
        line.heard_at -= 60  # idle for a minute
        line.ask("PING")
        here.tell_elsewhere([("room", HELLO)])
        assert await received(there, theirs) == HELLO
        await nothing_is_received(here, mine)


async def test_a_full_channel_gets_one_reset_in_place_of_what_it_lost(redis_server):
    """B108: what is over capacity is dropped, and nobody hears of it but the log."""
    async with layer_at(redis_server, capacity=3) as here:
        slow, watch = await here.new_channel(), await here.new_channel()
        await here.group_add("room", slow)
        for number in range(4):
            await here.group_send("room", {"type": "n", "n": number})
        await here.send(watch, HELLO)
        assert await received(here, watch) == HELLO
        assert await received(here, slow) == RESET
        await nothing_is_received(here, slow)


async def test_what_others_publish_on_our_names_is_ignored(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        async with redis.asyncio.Redis.from_url(redis_server.url) as stranger:
            await stranger.publish("mancala.group.room", b"\xc1 no msgpack")
            await stranger.publish("mancala.group.room", b"\x01")
        await nothing_is_received(here, channel)


async def test_a_message_can_be_published_from_another_event_loop(redis_server):
    async with layer_at(redis_server) as here:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        await asyncio.to_thread(asyncio.run, here.group_send("room", HELLO))
        assert await received(here, channel) == HELLO


async def test_two_sites_on_one_redis_do_not_hear_each_other(redis_server):
    async with layer_at(redis_server) as here, layer_at(redis_server, prefix="other") as elsewhere:
        channel = await here.new_channel()
        await here.group_add("room", channel)
        await elsewhere.group_send("room", HELLO)
        await nothing_is_received(here, channel)
