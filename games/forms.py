"""What a browser may post, cleaned. Never a write."""

import json
import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import clock, computers, names
from games.computers import COMPUTERS
from games.models import CODE_ALPHABET, CODE_LENGTH, Room
from games.rules import ruleset as rulesets, transcript
from games.rules.position import InvalidText, Side
from games.rules.ruleset import Ruleset
from games.rules.sowing import IllegalSowing

_CODE = re.compile(rf"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")

MAX_RECORD = 100_000
"""The longest text that is read as a record, in characters."""

MAX_PLIES = 400
"""The longest game that an address holds. Games between people have 20 to 60 plies."""

STONES = (3, 4, 5, 6)
PITS = (6, 5, 4, 3)
CONTROLS = ("1+1", "3+2", "5+3", "10+5", "15+10", "30+20", "15s", "30s", "60s")
"""The time controls on offer; others are good too."""


_WRONG_CODE = _("A code has 8 letters and digits, such as abcd-efgh. It never has 0, 1, i, l or o.")


class RulesForm(forms.Form):
    """How a game is played. `cleaned_data["ruleset"]` is the key that the choices make together."""

    RULES = ("classic", "both-stores", "no-empty-capture", "avalanche")
    EXTRAS = ("majority", "pie")

    rules = forms.ChoiceField(choices=[(name, name) for name in RULES], initial="classic", required=False)
    stones = forms.TypedChoiceField(choices=[(n, n) for n in STONES], coerce=int, initial=4, required=False)
    pits = forms.TypedChoiceField(choices=[(n, n) for n in PITS], coerce=int, initial=6, required=False)
    majority = forms.BooleanField(required=False)
    pie = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Fill what was left out with the defaults, and name the ruleset."""
        cleaned = self.cleaned_data
        for name, field in self.fields.items():
            cleaned[name] = cleaned.get(name) or field.initial
        key = "{rules}-{pits}x{stones}".format(**cleaned)
        key += "".join(f"+{extra}" for extra in self.EXTRAS if cleaned[extra])
        cleaned["ruleset"] = rulesets.by_key(key).key
        return cleaned


class OpenRoomForm(RulesForm):
    """The choices for a new room."""

    SHARED = "shared"
    """Beside a room's visibilities: two who sit at one device open a private one, and play at once."""
    COMPUTER = "computer"
    """Likewise: whoever plays against a computer opens a private one, and plays at once."""

    control = forms.CharField(max_length=8, initial="", required=False)
    side = forms.ChoiceField(choices=[("S", "S"), ("N", "N"), ("random", "random")], initial="S", required=False)
    visibility = forms.ChoiceField(
        choices=[*Room.Visibility.choices, (SHARED, SHARED), (COMPUTER, COMPUTER)],
        initial=Room.Visibility.PRIVATE,
        required=False,
    )
    level = forms.TypedChoiceField(
        choices=[(one.level, one.name) for one in COMPUTERS], coerce=int, initial=1, required=False
    )

    def clean_control(self) -> str:
        """A time control, or none."""
        key = str(self.cleaned_data["control"])
        try:
            return clock.by_key(key).key if key else ""
        except clock.UnknownControl as error:
            raise forms.ValidationError(_("Nobody knows this clock.")) from error

    def clean(self) -> dict[str, Any]:
        """Name the side, and the computer. Nobody swaps sides on one device, or with a computer, which has no clock."""
        against_computer = self.cleaned_data.get("visibility") == self.COMPUTER
        if against_computer:
            self.cleaned_data["control"] = ""
        if against_computer or self.cleaned_data.get("visibility") == self.SHARED:
            self.cleaned_data["pie"] = False
        cleaned = super().clean()
        cleaned["side"] = None if cleaned["side"] == "random" else Side(cleaned["side"])
        cleaned["against"] = computers.of_level(cleaned["level"]) if against_computer else None
        return cleaned


class ReplayForm(RulesForm):
    """A record as people paste it: for people, for programs, or plies alone, which the choices tell how to read."""

    text = forms.CharField(
        max_length=MAX_RECORD,
        error_messages={"required": _("Paste the moves of a game."), "max_length": _("This text is too long.")},
    )

    @classmethod
    def of_address(cls, key: str, plies: str) -> "ReplayForm":
        """The form as if somebody had pasted what an address holds."""
        return cls({"text": f"Ruleset: {key}\n{plies}"})

    @property
    def record(self) -> tuple[str, str]:
        """What was found: the key of the ruleset and a transcript, which it allows; both as addresses have them."""
        return self.cleaned_data["ruleset"], self.cleaned_data["plies"]

    def clean(self) -> dict[str, Any]:
        """Find ruleset and plies in the text; raises ValidationError naming the first ply that the rules refuse."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        key, plies = _record(cleaned["text"])
        try:
            cleaned["plies"] = transcript.parse(plies)
            ruleset = rulesets.by_key(key or cleaned["ruleset"])
        except InvalidText:
            self.add_error("text", _("This is no record: moves are letters, such as c a j m."))
            return cleaned
        except rulesets.UnknownRuleset:
            self.add_error("text", _("Nobody knows the rules that this record names."))
            return cleaned
        cleaned["ruleset"] = ruleset.key
        if not cleaned["plies"]:
            self.add_error("text", self.fields["text"].error_messages["required"])
        elif len(cleaned["plies"]) > MAX_PLIES:
            self.add_error("text", self.fields["text"].error_messages["max_length"])
        elif fault := _fault(ruleset, cleaned["plies"]):
            self.add_error("text", fault)
        return cleaned


class JoinForm(forms.Form):
    """A room code as people type or paste it: any case, blanks and dashes, or the whole link."""

    code = forms.CharField(
        max_length=200,
        error_messages={
            "required": _("Type the 8 letters and digits your friend sent you."),
            "max_length": _WRONG_CODE,
        },
    )

    def clean_code(self) -> str:
        """The code as rooms have it."""
        code = tidy_code(self.cleaned_data["code"])
        if not is_code(code):
            raise forms.ValidationError(_WRONG_CODE)
        return code


class NameForm(forms.Form):
    """A name of 1 to 20 visible characters."""

    most = names.MAX_VISIBLE

    name = forms.CharField(
        strip=False,
        error_messages={"required": _("Type a name first.")},
    )

    def clean_name(self) -> str:
        """The name without anything unseen in it."""
        try:
            return names.clean(self.cleaned_data["name"])
        except names.InvalidName as error:
            raise forms.ValidationError(
                _("A name has 1 to %(most)s characters."), params={"most": names.MAX_VISIBLE}
            ) from error


def _record(text: str) -> tuple[str | None, str]:
    r"""The key of the ruleset, if it is named, and what holds the plies.

    >>> _record('{"ruleset": "classic-6x4", "transcript": "ca", "room": "abcdefgh"}')
    ('classic-6x4', 'ca')
    >>> _record("Ruleset: classic-6x4\nca")
    ('classic-6x4', 'ca')
    """
    try:
        record = json.loads(text)
        return str(record["ruleset"]), str(record["transcript"])
    except (ValueError, TypeError, KeyError, RecursionError):
        named = re.search(r"^\s*Ruleset:\s*(\S+)\s*?$", text, re.MULTILINE)
        return (named[1], text.replace(named[0], "", 1).strip()) if named else (None, text)


def _fault(ruleset: Ruleset, plies: str) -> forms.ValidationError | None:
    """Why the first ply that the rules refuse cannot be sown."""
    position, nth = ruleset.start(), 1
    try:
        for sowing in transcript.replay(ruleset, plies):
            position, nth = sowing.after, nth + 1
    except IllegalSowing:
        letter = plies[nth - 1]
    else:
        return None
    own = position.pits(position.turn)
    if ruleset.outcome(position):
        why = _("Move %(nth)s, %(letter)s: the game is over before it.")
    elif letter == transcript.swap_letter(ruleset) and ruleset.pie:
        why = _("Move %(nth)s, %(letter)s: sides are swapped once, by Moon, before its first move.")
    elif transcript.hole(letter) in own:
        why = _("Move %(nth)s, %(letter)s: that pit is empty.")
    elif position.turn is Side.SOUTH:
        why = _("Move %(nth)s, %(letter)s: it is the turn of Sun, with the pits %(first)s to %(last)s.")
    else:
        why = _("Move %(nth)s, %(letter)s: it is the turn of Moon, with the pits %(first)s to %(last)s.")
    first, last = transcript.letter(own[0]), transcript.letter(own[-1])
    return forms.ValidationError(why, params={"nth": nth, "letter": letter, "first": first, "last": last})


def is_code(text: str) -> bool:
    """Whether a room could have this code."""
    return _CODE.fullmatch(text) is not None


def tidy_code(text: str) -> str:
    """A code as it might be meant: lower case, without blanks, dashes or the link around it.

    >>> tidy_code(" https://play.example.org/r/ABCD-efgh/?ply=3 ")
    'abcdefgh'
    """
    link = re.search(r"/r/([^/?#]+)", text)
    return re.sub(r"[\W_]", "", link[1] if link else text).lower()
