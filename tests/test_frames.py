"""The way past a parser for short texts: it takes nothing else, and nothing in the middle of a message."""

import pytest

from mancala_site.frames import Shortcut

MASK = b"\x37\xfa\x21\x3d"


def frame(payload: bytes, first: int = 0x81, mask: bytes = MASK) -> bytes:
    """A masked frame of less than 126 bytes, as in RFC 6455, 5.2."""
    covered = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes((first, 0x80 | len(payload))) + mask + covered


def test_the_example_of_the_rfc_is_read():
    assert Shortcut().text(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58") == b"Hello"


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 124, 125])
@pytest.mark.parametrize("mask", [MASK, bytes(4), b"\xff\x00\xff\x00"])
def test_short_texts_of_any_length_under_any_mask_are_read(length, mask):
    text = (b'{"type": "play"}' * 8)[:length]
    assert Shortcut().text(frame(text, mask=mask)) == text


@pytest.mark.parametrize(
    "data",
    [
        frame(b"abc", first=0x82),  # binary
        frame(b"abc", first=0x89),  # a ping
        frame(b"abc", first=0xC1),  # a reserved bit
        frame("é".encode()),  # to be checked
        frame(b"\xff"),
        frame(b"abc") + frame(b"abc"),
        b"\x81\x03abc",  # not masked
        b"\x81\xfe\x00\x7e" + MASK + bytes(126),  # long
        b"",
        b"\x81",
    ],
)
def test_everything_else_is_for_the_parser(data):
    assert Shortcut().text(data) is None


@pytest.mark.parametrize("other", [frame(b"", first=0x8A), frame("é".encode()), frame(b"a") + frame(b"b")])
def test_after_whole_messages_short_texts_are_read_again(other):
    shortcut = Shortcut()
    assert shortcut.text(other) is None
    assert shortcut.text(frame(b"abc")) == b"abc"


@pytest.mark.parametrize(
    "begun",
    [
        frame(b"abc")[:1],
        frame(b"abc")[:7],
        frame(b"abc") + frame(b"def")[:3],
        frame(b"abc", first=0x01),  # a message in several frames
        b"\x81\xfe\x00\x7e" + MASK + bytes(100),  # long, and not yet whole
        b"\x81\x03abc",
    ],
)
def test_after_anything_unfinished_or_wrong_the_parser_reads_on(begun):
    """What looks like a short text may be the inside of a longer one."""
    shortcut = Shortcut()
    assert shortcut.text(begun) is None
    assert shortcut.text(frame(b"abc")) is None
    assert shortcut.text(frame(b"abc")) is None
