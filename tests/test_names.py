"""Names: what is cleaned away, what is refused, and which names a reader would confuse."""

import random
import unicodedata

import pytest
from hypothesis import given, strategies as st

from games import names

CLEANED = {
    "nothing to clean": ("Ann", "Ann"),
    "a blank at the end": ("Ann ", "Ann"),
    "blanks around": ("  Ann\t", "Ann"),
    "blanks in a row": ("Ann   Lee", "Ann Lee"),
    "a no-break space": ("Ann\u00a0Lee", "Ann Lee"),
    "an ideographic space": ("Ann\u3000Lee", "Ann Lee"),
    "a zero-width space": ("A\u200bnn", "Ann"),
    "a zero-width joiner": ("A\u200dnn", "Ann"),
    "a byte order mark": ("\ufeffAnn", "Ann"),
    "a soft hyphen": ("A\u00adnn", "Ann"),
    "a variation selector": ("A\ufe0fnn", "Ann"),
    "a right-to-left override": ("\u202eAnn", "Ann"),
    "direction isolates": ("\u2067Ann\u2069", "Ann"),
    "a newline": ("Ann\nLee", "Ann Lee"),
    "a carriage return": ("Ann\rLee", "Ann Lee"),
    "a line separator": ("Ann\u2028Lee", "Ann Lee"),
    "control characters": ("\x00A\x07n\x1bn\x7f", "Ann"),
    "a lone surrogate": ("A\ud800nn", "Ann"),
    "a private character": ("A\ue000nn", "Ann"),
    "an unassigned character": ("A\u0378nn", "Ann"),
    "a letter that looks empty": ("A\u3164nn", "Ann"),
    "a tower of accents": ("A" + "\u0301" * 50, "\u00c1\u0301\u0301"),
    "an accent upon nothing": ("\u0301Ann", "Ann"),
    "an accent upon a blank": ("Ann \u0301Lee", "Ann Lee"),
    "an accent apart": ("Jose\u0301", "Jos\u00e9"),
    "an accent kept apart by something unseen": ("Jose\u200b\u0301", "Jos\u00e9"),
    "markup is only text": ("<b>Ann</b>", "<b>Ann</b>"),
    "other scripts": ("Владимир", "Владимир"),
    "three signs upon a letter": ("ज़िंदगी", "ज़िंदगी"),
    "the same, typed as one": ("\u095bिंदगी", "ज़िंदगी"),
    "vowel signs": ("हिन्दी", "हिन्दी"),
    "an emoji": ("🦊 Fox", "🦊 Fox"),
    "as long as may be": ("n" * 20, "n" * 20),
    "as long as may be, with marks that do not count": ("n\u0308" * 20, "n\u0308" * 20),
}


@pytest.mark.parametrize(("text", "name"), CLEANED.values(), ids=CLEANED)
def test_a_name_is_cleaned_of(text, name):
    """B103: the same name with blanks, zero-width signs, line ends; and below, look-alikes."""
    assert names.clean(text) == name


REFUSED = {
    "nothing": "",
    "only blanks": " \t\n\u3000",
    "only the unseen": "\u200b\u202e\u2060\ufeff",
    "only letters that look empty": "\u3164\u2800\uffa0",
    "only accents": "\u0301\u0301",
    "too long": "n" * 21,
    "too long in other scripts": "д" * 21,
    "far too long": "n" * 100_000,
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_no_name_is(text):
    with pytest.raises(names.InvalidName):
        names.clean(text)


@pytest.mark.parametrize("letter", ["\ufb2c", "\u0958", "\U0001d160"])
def test_a_letter_that_composing_takes_apart_counts_with_its_marks(letter):
    """With two more upon it, of which one or both are too many, it has three: 16 such letters are 64 code points."""
    marked = f"{letter}\u0301\u0301\u0301"
    assert len(names.clean(marked * 16)) == names.MAX_STORED
    with pytest.raises(names.InvalidName):
        names.clean(marked * 17)


@given(st.text(max_size=40))
def test_whatever_is_typed_becomes_a_short_visible_name_or_is_refused(text):
    try:
        name = names.clean(text)
    except names.InvalidName:
        return
    assert names.clean(name) == name == unicodedata.normalize("NFC", name)
    assert name == name.strip()
    assert 1 <= len(name) <= names.MAX_STORED
    assert not [character for character in name if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


ALIKE = {
    "the same": ("Ann", "Ann"),
    "case": ("Ann", "ANN"),
    "an accent": ("Ann", "Ánn"),
    "a Cyrillic A": ("Ann", "\u0410nn"),
    "Greek letters": ("Bob", "Βοb"),
    "full-width letters": ("Ann", "\uff21nn"),
    "a blank inside": ("Ann Lee", "AnnLee"),
    "zero for O": ("Bob", "B0b"),
    "one for l": ("Bill", "Bi11"),
    "a capital I for l": ("Bill", "BiII"),
    "an enclosing mark": ("Ann", "A\u20ddnn"),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_names_are_taken_for_one_another_in_spite_of(one, other):
    assert names.alike(one, other)
    assert names.alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("Alice", "Bob"), ("Ann Lee", "Ann Low"), ("小明", "小红")]
)
def test_different_names_are_told_apart(one, other):
    assert not names.alike(one, other)


def test_every_suggested_name_is_a_clean_one():
    suggested = {names.suggest(random.Random(number)) for number in range(500)}
    assert len(suggested) > 100
    assert all(names.clean(name) == name for name in suggested)
