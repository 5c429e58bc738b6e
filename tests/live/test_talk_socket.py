"""What two players write to each other over websockets, beside somebody who watches; and who watches, by name."""

import pytest

from games import actions
from tests.live.sockets import do

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def three(sockets, code, ann, ben, cleo):
    """South, North and somebody who watches."""
    return [await sockets.enter(code, browser) for browser in (ann, ben, cleo)]


async def switch_on(south, north):
    for number, socket in enumerate((south, north), 1):
        await socket.say(type="switch_talk", on=True)
        for other in (south, north):
            assert (await other.hear("talk"))["version"] == number


async def test_the_two_read_what_is_written_in_all_their_tabs_and_whoever_watches_hears_nothing(
    three, sockets, code, ben
):
    """B105"""
    south, north, watching = three
    tab = await sockets.enter(code, ben)
    await south.say(type="switch_talk", on=True)
    await north.say(type="switch_talk", on=True)
    await south.say(type="say", text=" Hello\u200b ")
    for socket, own in ((south, True), (north, False), (tab, False)):
        while not (talk := await socket.hear("talk"))["lines"]:
            pass
        assert [(line["text"], line["own"]) for line in talk["lines"]] == [("Hello", own)]
        assert (talk["you"], talk["other"]) == (True, True)
    await watching.say(type="say", text="Take pit c!")
    assert (await watching.hear("refused"))["code"] == "not_seated"
    await watching.has_heard_all()
    await south.has_heard_all()


async def test_after_a_reload_a_player_is_told_what_was_written_and_whoever_watches_is_not(
    three, sockets, code, ann, cleo
):
    """B116: it is in the database, not in a process."""
    south, north, _ = three
    await switch_on(south, north)
    await do(actions.say, code, ann.id, text="Hello")
    again = await sockets.enter(code, ann)
    talk = await again.hear("talk")
    assert (talk["you"], talk["other"], [line["text"] for line in talk["lines"]]) == (True, True, ["Hello"])
    late = await sockets.enter(code, cleo)
    await late.has_heard_all()
    await again.say(type="sync")
    await again.hear("welcome")
    assert await again.hear("talk") == talk


async def test_what_cannot_be_said_is_refused_to_its_writer(three):
    south, north, _ = three
    await south.say(type="say", text="Hi")
    assert await south.hear("refused") == {"type": "refused", "re": "say", "code": "talk_off"}
    await switch_on(south, north)
    await north.say(type="say", text=" ")
    assert await north.hear("refused") == {"type": "refused", "re": "say", "code": "malformed"}


async def test_whoever_watches_is_told_by_name(three, sockets, code):
    south, _, watching = three
    await sockets.enter(code)
    for socket in (south, watching):
        assert await socket.hear_presence(1, 1, 2) == ["Cleo"]
