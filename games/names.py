"""Names of people, and what they write: cleaning, suggesting, comparing. Pure; never a row, never a request."""

import random
import re
import unicodedata

MAX_VISIBLE = 20
"""The longest name, in visible characters."""

MAX_STORED = 64
"""The longest cleaned name in code points: 20 visible characters, and two marks upon each of them, or some more."""

_MARKS_IN_A_ROW = 3  # a nukta, a vowel sign and a nasal upon a Hindi letter; more is a tower of accents
_LOOKS_EMPTY = re.compile("[\u034f\u115f\u1160\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

_FIRST = (
    "Brave", "Bright", "Calm", "Clever", "Curious", "Eager", "Friendly", "Gentle", "Happy", "Jolly", "Kind", "Lively",
    "Lucky", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Sunny", "Swift", "Thoughtful", "Warm", "Wild", "Wise",
)  # fmt: skip
_SECOND = (
    "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Gecko", "Hare", "Heron", "Koala", "Lark",
    "Lynx", "Magpie", "Marten", "Otter", "Owl", "Panda", "Puffin", "Robin", "Seal", "Tiger", "Turtle", "Wren",
)  # fmt: skip

# Letters, after case folding, that look like a Latin one in either case; and i, l and 1, which look like one another.
_LOOK_ALIKES = str.maketrans(
    "аᴀɑαвьβсϲԁеєεғɡһнηіıιϳјкκӏмμոпνоοօσрρԛꮪѕтτսѵԝшхχуүγʏυᴢζ01i|",
    "aaaabbbccdeeefghhhllljjkklmmnnnooooppqssttuvwwxxyyyyyzzolll",
)


class InvalidName(ValueError):
    """A name with nothing to see in it, or with too much."""


def clean(text: str, most: int = MAX_VISIBLE) -> str:
    r"""The name in `text`, or another text of one line: composed, without anything unseen.

    Control, zero-width and direction characters are dropped, runs of white space become one blank.

    Raises:
        InvalidName: fewer than 1 or more than `most` visible characters are left, or far too many marks.

    >>> clean("  Ann\u200b\n Lee ")
    'Ann Lee'
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFD", text):  # so that all marks are seen, and counted
        category = unicodedata.category(character)
        if character.isspace() or category == "Zs":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif category in _UNSEEN or _LOOKS_EMPTY.match(character):
            continue
        elif category in {"Mn", "Me", "Mc"}:
            marks += 1
            if kept and kept[-1] != " " and marks <= _MARKS_IN_A_ROW:
                kept.append(character)
            continue
        else:
            kept.append(character)
        marks = 0
    name = unicodedata.normalize("NFC", "".join(kept)).strip()
    if not 1 <= _visible(name) <= most or len(name) > most * MAX_STORED // MAX_VISIBLE:
        raise InvalidName(text)
    return name


def suggest(chance: random.Random) -> str:
    """A friendly name that nobody chose, such as “Merry Otter”."""
    return f"{chance.choice(_FIRST)} {chance.choice(_SECOND)}"


def alike(one: str, other: str) -> bool:
    r"""Whether a reader would take one name for the other: case, accents and foreign look-alikes set aside.

    >>> alike("Ann", "\u0410nn")
    True
    """
    return _skeleton(one) == _skeleton(other)


def _visible(name: str) -> int:
    return sum(not unicodedata.category(character).startswith("M") for character in name)


def _skeleton(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = (c for c in letters if not (c.isspace() or unicodedata.category(c).startswith("M")))
    return "".join(bare).translate(_LOOK_ALIKES)
