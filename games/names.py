"""Names of people: cleaning, suggesting, comparing. Pure; never a row, never a request."""

import random
import unicodedata

MAX_VISIBLE = 20
"""The longest name, in visible characters."""

MAX_STORED = 64
"""The longest cleaned name in code points: 20 visible characters and the marks upon them."""

_MARKS_IN_A_ROW = 2  # enough for every living script; more is a tower of accents
_LETTERS_THAT_LOOK_EMPTY = "\u115f\u1160\u2800\u3164\uffa0\u034f"
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

_FIRST = (
    "Brave", "Bright", "Calm", "Clever", "Curious", "Eager", "Friendly", "Gentle", "Happy", "Jolly", "Kind", "Lively",
    "Lucky", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Sunny", "Swift", "Thoughtful", "Warm", "Wild", "Wise",
)  # fmt: skip
_SECOND = (
    "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Gecko", "Hare", "Heron", "Koala", "Lark",
    "Lynx", "Magpie", "Marten", "Otter", "Owl", "Panda", "Puffin", "Robin", "Seal", "Tiger", "Turtle", "Wren",
)  # fmt: skip

# Letters of other scripts that a reader takes for a Latin one, after case folding.
_LOOK_ALIKES = str.maketrans(
    "аᴀɑαвьсϲԁеёєғɡһніıїϳјкκӏмոпηоοօσрρԛꮪѕтτսυνѵԝшхχуүγʏᴢ01",
    "aaaabbccdeeefghhiiijjkklmnnnooooppqssttuuvvwwxxyyyyzol",
)


class InvalidName(ValueError):
    """A name with nothing to see in it, or with too much."""


def clean(text: str) -> str:
    r"""The name in `text`: composed, on one line, without anything unseen.

    Control, zero-width and direction characters are dropped, runs of white space become one blank.

    Raises:
        InvalidName: fewer than 1 or more than 20 visible characters are left.

    >>> clean("  Ann\u200b\n Lee ")
    'Ann Lee'
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if character.isspace() or category == "Zs":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif category in _UNSEEN or character in _LETTERS_THAT_LOOK_EMPTY:
            continue
        elif category in {"Mn", "Me", "Mc"}:
            marks += 1
            if kept and kept[-1] != " " and marks <= _MARKS_IN_A_ROW:
                kept.append(character)
            continue
        else:
            kept.append(character)
        marks = 0
    name = "".join(kept).strip()
    if not 1 <= _visible(name) <= MAX_VISIBLE:
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
    bare = (c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c) and not c.isspace())
    return "".join(bare).casefold().translate(_LOOK_ALIKES)
