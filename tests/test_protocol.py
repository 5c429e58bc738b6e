"""Messages: what is understood, what is refused, and that docs/protocol.md tells of all of it and of nothing else."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games import protocol, urls
from games.models import Game
from games.protocol import Close, Ping, Play, Refusal, Refused, Resign, Swap, Sync, parse

DOC = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()


# What a browser sends -----------------------------------------------------------------------------

UNDERSTOOD = {
    '{"type":"play","game":1,"ply":12,"pit":2}': Play(game=1, ply=12, pit=2),
    ' { "pit" : 2 , "ply" : 12 , "type" : "play" , "game" : 1 } ': Play(game=1, ply=12, pit=2),
    '{"type":"play","game":2147483647,"ply":0,"pit":0}': Play(game=2**31 - 1, ply=0, pit=0),
    '{"type":"play","game":1,"ply":0,"pit":2,"side":"N","player":"x"}': Play(game=1, ply=0, pit=2),
    '{"type":"swap","game":1,"ply":1}': Swap(game=1, ply=1),
    '{"type":"resign","game":1}': Resign(game=1),
    '{"type":"sync"}': Sync(),
    '{"type":"sync","later":{"deep":[[[]]]}}': Sync(),
    '{"type":"ping","game":1,"version":17,"sent_at":12.5}': Ping(game=1, version=17, sent_at=12.5),
    '{"type":"ping","game":0,"version":0}': Ping(game=0, version=0, sent_at=0.0),
}


@pytest.mark.parametrize(("text", "message"), UNDERSTOOD.items())
def test_a_message_is_understood(text, message):
    assert parse(text) == message


NONSENSE = {
    "nothing": "",
    "a blank": " ",
    "null": "null",
    "a number": "1",
    "a text": '"x"',
    "a list": "[]",
    "an empty object": "{}",
    "an object without a type": '{"t":{}}',
    "a type that is an object": '{"type":{}}',
    "a type that is null": '{"type":null}',
    "an unknown type": '{"type":"cheat"}',
    "a type of the server's": '{"type":"sown"}',
    "a list of messages": '[{"type":"sync"}]',
    "two messages": '{"type":"sync"}{"type":"sync"}',
    "half a message": '{"type":"sync"',
    "no JSON": "sync",
    "NUL": "\x00",
    "NUL in a message": '{"type":"sync"}\x00',
    "NUL in a type": '{"type":"sync\\u0000"}',
    "a lone surrogate": '{"type":"\ud800"}',
    "an escaped lone surrogate": '{"type":"\\ud800"}',
    "deep nesting": "[" * 4000,
    "deep nesting of objects": '{"a":' * 800,
    "a missing field": '{"type":"play","game":1,"ply":0}',
    "a field that is null": '{"type":"play","game":1,"ply":0,"pit":null}',
    "a field that is a text": '{"type":"play","game":1,"ply":0,"pit":"2"}',
    "a field that is a list": '{"type":"play","game":1,"ply":0,"pit":[2]}',
    "a field that is a truth": '{"type":"play","game":1,"ply":0,"pit":true}',
    "a fraction": '{"type":"play","game":1,"ply":0,"pit":2.5}',
    "a negative number": '{"type":"play","game":1,"ply":0,"pit":-1}',
    "a number just too large": '{"type":"play","game":1,"ply":0,"pit":2147483648}',
    "a huge number": '{"type":"play","game":1,"ply":0,"pit":' + "9" * 4000 + "}",
    "a huge exponent": '{"type":"play","game":1,"ply":0,"pit":1e999}',
    "an infinite time": '{"type":"ping","game":1,"version":1,"sent_at":1e999}',
    "a time that is no number": '{"type":"ping","game":1,"version":1,"sent_at":NaN}',
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE)
def test_refused_as_malformed_is(text):
    with pytest.raises(Refused) as caught:
        parse(text)
    assert caught.value.refusal is Refusal.MALFORMED


def test_an_unknown_field_that_is_nested_deeply_is_ignored_or_refused_and_nothing_else():
    def heard(text):
        try:
            return parse(text)
        except Refused as refused:
            return refused.refusal

    nested = '{"type":"sync","x":' + "[" * 2000 + "]" * 2000 + "}"
    assert heard(nested) in {Sync(), Refusal.MALFORMED}  # from Python 3.12 on that is not too deep


# What the document says ---------------------------------------------------------------------------


def section(title):
    """The text between a heading of the document and the next of its rank."""
    rank = title.split(" ")[0]
    return re.split(rf"^{rank} ", DOC.split(f"\n{title}\n")[1], flags=re.MULTILINE)[0]


def examples(title):
    """The examples of a section by the heading they stand under."""
    parts = re.split(r"^### (.+)\n", section(title), flags=re.MULTILINE)[1:]
    return {
        heading: re.findall(r"```json\n(.*?)```", text, re.DOTALL)
        for heading, text in zip(parts[::2], parts[1::2], strict=True)
    }


def kinds(union):
    return {kind.__struct_config__.tag: kind for kind in get_args(union)}


def first_cells(text):
    return re.findall(r"^\| `?([^|`]+?)`? \|", text, re.MULTILINE)[1:]


@pytest.mark.parametrize(
    ("title", "union"), [("## From the browser", protocol.Incoming), ("## From the server", protocol.Outgoing)]
)
def test_every_message_is_documented_with_an_example_of_all_its_fields(title, union):
    documented = examples(title)
    assert documented.keys() == kinds(union).keys()
    for name, kind in kinds(union).items():
        (text,) = documented[name]
        message = msgspec.json.decode(text, type=kind)
        # What the document adds or leaves out would be missing, or too much, on the way back.
        assert json.loads(msgspec.json.encode(message)) == json.loads(text)


def test_every_refusal_is_documented():
    assert sorted(first_cells(section("### refused"))) == sorted(refusal.value for refusal in Refusal)


def test_every_close_code_is_documented_and_may_be_sent():
    codes = sorted(int(code) for code in first_cells(section("## Close codes")))
    assert codes == sorted(Close)
    assert all(4000 <= code <= 4999 for code in codes)


def test_every_ending_is_documented():
    endings = set(re.findall(r"`([a-z_]+)`", section("### ended").split("`ending`")[1]))
    assert endings == set(Game.Ending.values)


def test_every_address_is_documented():
    rows = re.findall(r"^\| (?:GET|POST|GET, POST) \| `/(.*?)`", section("## Pages and records"), re.MULTILINE)
    assert sorted(rows) == sorted(re.sub(r"<\w+:", "<", str(pattern.pattern)) for pattern in urls.urlpatterns)


def test_the_paths_of_the_sockets_are_of_the_version_spoken():
    assert set(re.findall(r"/ws/v(\d+)/(?:rooms|lobby)", DOC)) == {str(protocol.VERSION)}


def test_the_document_names_the_longest_frame():
    assert f"at most {protocol.MAX_FRAME_BYTES} bytes" in DOC


def test_what_a_browser_says_of_its_clock_is_ignored():
    """B51: a returning player's own figures poisoned everybody's clock."""
    own = '"clock": {"S": 9000000, "running": "N"}, "since": 0, "lag": 60000'
    assert parse(f'{{"type": "play", "game": 1, "ply": 3, "pit": 2, {own}}}') == Play(game=1, ply=3, pit=2)
