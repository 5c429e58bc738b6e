"""Keys and the rulesets they name."""

import pytest

from games.rules.ruleset import NAMES, UnknownRuleset, by_key


def test_there_are_four_names_and_classic_is_the_default():
    assert NAMES == ("classic", "both-stores", "no-empty-capture", "avalanche")


@pytest.mark.parametrize("extras", ["", "+majority", "+pie", "+majority+pie"])
@pytest.mark.parametrize("name", NAMES)
def test_every_size_of_every_name_has_a_ruleset_that_starts_full(name, extras):
    for pits in range(1, 10):
        for stones in range(1, 10):
            key = f"{name}-{pits}x{stones}{extras}"
            ruleset = by_key(key)
            assert (ruleset.key, ruleset.pits, ruleset.stones) == (key, pits, stones)
            assert (ruleset.majority, ruleset.pie) == ("+majority" in extras, "+pie" in extras)
            assert ruleset.start().stones == ((stones,) * pits + (0,)) * 2


def test_a_key_names_always_the_same_ruleset():
    assert by_key("classic-6x4") is by_key("classic-6x4")


@pytest.mark.parametrize(
    "key",
    [
        "",
        "classic",
        "classic-6",
        "classic-0x4",
        "classic-6x0",
        "classic-10x4",
        "classic-6x10",
        "classic-6x4 ",
        "classic-6x4\n",
        "Classic-6x4",
        "classic-6x4+",
        "classic-6x4+majority+majority",
        "classic-6x4+Majority",
        "classic-6x4+pie+majority",
        "classic-6x4+pie+pie",
        "oware-6x4",
        "-6x4",
        "classic-\u0666x4",
    ],
)
def test_other_keys_are_unknown(key):
    with pytest.raises(UnknownRuleset):
        by_key(key)


def test_an_unknown_ruleset_is_a_value_error():
    assert issubclass(UnknownRuleset, ValueError)
