"""The frames that browsers nearly always send, read past the parser of the server, to which they are most of its work.

RFC 6455, section 5.2. Whatever is not a single short frame of ASCII text is left to the parser, and to judge by it.
"""

_TEXT = 0x81  # the first byte of a whole message of text
_MASKED = 0x80
_LENGTH_FOLLOWS = 126  # and longer ones
_HEAD = 6  # bytes before a short masked payload: two and the mask


class Shortcut:
    """What one websocket receives, as long as its parser stands between two messages whenever something comes."""

    __slots__ = ("_is_between",)

    def __init__(self) -> None:
        self._is_between = True

    def text(self, data: bytes) -> bytes | None:
        """The text that came as one short message; or None: `data` is for the parser."""
        if not self._is_between:
            return None
        if (text := _short_text(data)) is None:
            self._is_between = _are_messages(data)  # if not, the parser reads this socket to its end
        return text


def _short_text(data: bytes) -> bytes | None:
    length = len(data) - _HEAD
    if length < 0 or length >= _LENGTH_FOLLOWS or data[0] != _TEXT or data[1] != _MASKED + length:
        return None
    mask = int.from_bytes((data[2:_HEAD] * (length // 4 + 1))[:length])
    text = (int.from_bytes(data[_HEAD:]) ^ mask).to_bytes(length)
    return text if text.isascii() else None


def _are_messages(data: bytes) -> bool:
    """Whether `data` is nothing but whole, short, masked frames, of which each is a message."""
    begin = 0
    while begin < len(data) - 1:
        length = data[begin + 1] - _MASKED
        if not data[begin] & 0x80 or not 0 <= length < _LENGTH_FOLLOWS:
            return False
        begin += _HEAD + length
    return begin == len(data)
