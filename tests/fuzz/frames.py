"""Websocket frames that no browser of ours sends, by chance from a seed. Opens no socket.

Two levels: what a text frame says, built from the messages that games/protocol.py knows and then spoiled; and the
frames themselves, as bytes for the wire (RFC 6455).
"""

import json
import struct
from collections.abc import Callable
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from games import protocol
from mancala_site.serve import MAX_MESSAGE_BYTES

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Frame(NamedTuple):
    """What goes over the wire at once; `ends`: nothing that comes after it on its connection is read."""

    wire: bytes
    ends: bool = False


def any_frame(random: Random) -> Frame:
    """One frame, or some that only make sense together: mostly a message, well framed."""
    if random.random() < 0.93:
        return _said(random, any_text(random))
    return random.choice(_FRAMES)(random)


# What is said -------------------------------------------------------------------------------------


def any_text(random: Random) -> str:
    """A message that may be good, or was, or never could have been."""
    text = _message(random)
    if random.random() < 0.3:
        return text
    return random.choice(_SPOILING)(random, text)


_VALUES = (
    *(
        "null",
        "true",
        "false",
        '""',
        '"2"',
        '"S"',
        "[]",
        "{}",
        "[2]",
        '{"pit":2}',
        '"\\u0000"',
        '"\\ud800"',
        '"\ud800"',
    ),
    *("0", "-0", "-1", "1.5", "2.0", "1e2", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "-Infinity", "0x10", "01"),
    *("2147483647", "2147483648", "4294967296", "9223372036854775808", "18446744073709551616", "-9223372036854775809"),
    *("9" * 400, "9" * 4000, "0." + "1" * 400, "1e400000000", "-", "+1", "1_000", "٣", '"' + "x" * 300 + '"'),
    *('"\u202e\u200b\u0000"', '"' + "e\u0301\u0301\u0301" * 60 + '"', '"<script>"', '"\\"', "'a'", "undefined"),
    *("[" * 900, "[" * 500 + "]" * 500, '{"a":' * 300 + "1" + "}" * 300),
)


def _message(random: Random) -> str:
    """A message of the protocol, with fields that are good and some that are not; JSON, unless a value is none."""
    kind = random.choice(get_args(protocol.Incoming))
    fields = {"type": json.dumps(kind.__struct_config__.tag)}
    for field in msgspec.structs.fields(kind):
        spoiled = random.random() < 0.15
        fields[field.name] = random.choice(_VALUES) if spoiled else json.dumps(_good(random, field.type))
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


def _good(random: Random, kind: Any) -> Any:
    """What a field of this type may hold."""
    if get_origin(kind) is Literal:
        return random.choice(get_args(kind))
    if kind is bool:
        return random.random() < 0.5
    if kind is str:
        return random.choice(("Nice capture!", "é" * 200, "\u202eabc", "a\nb", " ", "🦊" * 20))
    if kind is float:
        return random.choice((0.5, 1e308, -1.0, 17e11))
    return random.choice((0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 300))


def _twice(random: Random, text: str) -> str:
    return text.replace("{", f'{{"type":{random.choice(_VALUES)},"game":{random.choice(_VALUES)},', 1)


def _with_more(random: Random, text: str) -> str:
    return f'{text[:-1]},"__proto__":{random.choice(_VALUES)},"player":"x","":{random.choice(_VALUES)}}}'


def _with_less(random: Random, text: str) -> str:
    begin = random.randrange(len(text))
    return text[:begin] + text[begin + random.randint(1, 20) :]


def _with_noise(random: Random, text: str) -> str:
    characters = list(text)
    for _ in range(random.randint(1, 4)):
        noise = chr(random.choice((0, 9, 34, 92, 127, 0xA0, 0xD800, 0xFFFE, 0x2028, 0x1F98A, random.randrange(128))))
        characters.insert(random.randrange(len(characters) + 1), noise)
    return "".join(characters)


def _of_length(random: Random, text: str) -> str:
    longest = protocol.MAX_FRAME_BYTES
    return text.ljust(random.choice((longest - 1, longest, longest + 1, 2 * longest)))


_SPOILING: tuple[Callable[[Random, str], str], ...] = (
    _twice,
    _with_more,
    _with_less,
    _with_noise,
    _of_length,
    lambda random, text: text.replace('"type"', '"\\u0074ype"', 1),
    lambda random, text: text * random.randint(2, 5),
    lambda random, text: f"[{text}]",
    lambda random, text: "\ufeff" + text,
    lambda random, text: json.dumps(text),
    lambda random, text: random.choice(_VALUES),
    lambda random, text: text.upper(),
    lambda random, text: text.encode(errors="replace").decode("latin-1"),
)


# How it is framed ---------------------------------------------------------------------------------


def framed(
    code: int,
    payload: bytes = b"",
    *,
    last: bool = True,
    reserved: int = 0,
    key: bytes | None = b"\x01\x02\x03\x04",
    length: bytes | None = None,
) -> bytes:
    """A frame. Without a `key` it is not masked; `length` is what it says of its length, if not the truth."""
    masked = 0x80 if key is not None else 0
    if length is None:
        count = len(payload)
        if count < 126:
            length = bytes([count])
        else:
            length = b"\x7e" + struct.pack(">H", count) if count < 0x10000 else b"\x7f" + struct.pack(">Q", count)
    head = bytes([(0x80 if last else 0) | reserved << 4 | code, masked | length[0]]) + length[1:]
    if key is None:
        return head + payload
    stream = (key * (len(payload) // 4 + 1))[: len(payload)]
    return head + key + (int.from_bytes(payload) ^ int.from_bytes(stream)).to_bytes(len(payload))


def _said(random: Random, text: str) -> Frame:
    """A text, whatever UTF-8 makes of it; a lone surrogate ends the connection, as does what is far too long."""
    payload = text.encode(errors="surrogatepass")
    ends = len(payload) > protocol.MAX_FRAME_BYTES or payload != text.encode(errors="replace")
    return Frame(framed(TEXT, payload, key=random.randbytes(4)), ends)


def _pieces(random: Random) -> Frame:
    """A message in fragments, some empty, maybe with a question in between."""
    payload = _message(random).encode(errors="replace")
    cuts = sorted(random.randrange(len(payload) + 1) for _ in range(random.randint(1, 12)))
    parts = [payload[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
    wire = b""
    for number, part in enumerate(parts):
        wire += framed(TEXT if number == 0 else CONTINUATION, part, last=number == len(parts) - 1)
        if random.random() < 0.1:
            wire += framed(PING, b"in between")
    return Frame(wire)


def _not_utf8(random: Random) -> Frame:
    """In the middle, at the end of a message, or cut in two by a fragment."""
    bad = random.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"))
    if random.random() < 0.5:
        return Frame(framed(TEXT, b'{"type":"' + bad + b'"}'), ends=True)
    return Frame(framed(TEXT, b'{"type":"sy' + bad[:1], last=False) + framed(CONTINUATION, bad[1:]), ends=True)


def _closing(random: Random) -> Frame:
    """With a code that nobody may send, or may, and a reason that need not be one."""
    code = random.choice(
        (0, 1, 999, 1000, 1001, 1004, 1005, 1006, 1011, 1015, 1016, 2999, 3000, 4404, 4999, 5000, 65535)
    )
    reason = random.choice((b"", b"bye", b"\xff\xfe", b"x" * 123, b"\x00"))
    return Frame(framed(CLOSE, struct.pack(">H", code) + reason), ends=True)


_FRAMES: tuple[Callable[[Random], Frame], ...] = (
    _pieces,
    _pieces,
    _not_utf8,
    _closing,
    lambda random: Frame(framed(BINARY, random.randbytes(random.choice((0, 1, 15, 4000))))),
    lambda random: Frame(framed(PING, random.randbytes(random.randint(0, 125)))),
    lambda random: Frame(framed(PONG, random.randbytes(random.choice((0, 12, 125))))),
    lambda random: Frame(framed(TEXT)),
    lambda random: Frame(framed(random.choice((3, 4, 5, 6, 7, 11, 12, 13, 14, 15)), b"x"), ends=True),
    lambda random: Frame(framed(random.choice((TEXT, PING, CLOSE)), b"{}", reserved=random.randint(1, 7)), ends=True),
    lambda random: Frame(framed(random.choice((TEXT, PING)), b"{}", key=None), ends=True),
    lambda random: Frame(framed(PING, b"x", last=False), ends=True),
    lambda random: Frame(framed(random.choice((PING, CLOSE)), b"x" * 126), ends=True),
    lambda random: Frame(framed(CLOSE, b"\x03"), ends=True),
    lambda random: Frame(framed(CLOSE), ends=True),
    lambda random: Frame(framed(CONTINUATION, b"{}"), ends=True),
    lambda random: Frame(framed(TEXT, b"{", last=False) + framed(TEXT, b"}"), ends=True),
    lambda random: Frame(framed(TEXT, b"{}", length=b"\x7e\x00\x02"), ends=True),
    lambda random: Frame(framed(TEXT, b"{}", length=b"\x7f" + struct.pack(">Q", 2)), ends=True),
    lambda random: Frame(framed(TEXT, b"{}", length=b"\x7f" + struct.pack(">Q", 2**63 + 2)), ends=True),
    lambda random: Frame(framed(TEXT, b"{}", length=b"\x7f" + struct.pack(">Q", 2**62)), ends=True),
    lambda random: Frame(framed(TEXT, b"x" * 17_000), ends=True),
    lambda random: Frame(framed(TEXT, b"{}", length=b"\x7e" + struct.pack(">H", MAX_MESSAGE_BYTES)), ends=True),
    lambda random: Frame(
        framed(TEXT, last=False) + framed(CONTINUATION, last=False) * random.randint(2, 3000), ends=True
    ),
    lambda random: Frame(
        framed(TEXT, b"x" * 99, last=False) + framed(CONTINUATION, b"x" * 99, last=False) * 200, ends=True
    ),
    lambda random: Frame(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", ends=True),
    lambda random: Frame(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + random.randbytes(64), ends=True),
    lambda random: Frame(random.randbytes(random.randint(1, 400)), ends=True),
)
