"""What a browser may post, cleaned. Never a write."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import names
from games.models import CODE_ALPHABET, CODE_LENGTH, Room
from games.rules import ruleset as rulesets
from games.rules.position import Side

_CODE = re.compile(rf"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")

STONES = (3, 4, 5, 6)
PITS = (6, 5, 4, 3)


_WRONG_CODE = _("A code has 8 letters and digits, such as abcd-efgh. It never has 0, 1, i, l or o.")


class OpenRoomForm(forms.Form):
    """The choices for a new room. `cleaned_data["ruleset"]` is the key they make together."""

    RULES = ("classic", "both-stores", "no-empty-capture", "avalanche")

    rules = forms.ChoiceField(choices=[(name, name) for name in RULES], initial="classic", required=False)
    stones = forms.TypedChoiceField(choices=[(n, n) for n in STONES], coerce=int, initial=4, required=False)
    pits = forms.TypedChoiceField(choices=[(n, n) for n in PITS], coerce=int, initial=6, required=False)
    majority = forms.BooleanField(required=False)
    side = forms.ChoiceField(choices=[("S", "S"), ("N", "N"), ("random", "random")], initial="S", required=False)
    visibility = forms.ChoiceField(choices=Room.Visibility.choices, initial=Room.Visibility.PRIVATE, required=False)

    def clean(self) -> dict[str, Any]:
        """Fill what was left out with the defaults, and name the ruleset."""
        cleaned = self.cleaned_data
        for name in ("rules", "stones", "pits", "side", "visibility"):
            cleaned[name] = cleaned.get(name) or self.fields[name].initial
        key = "{rules}-{pits}x{stones}".format(**cleaned) + ("+majority" if cleaned.get("majority") else "")
        cleaned["ruleset"] = rulesets.by_key(key).key
        cleaned["side"] = None if cleaned["side"] == "random" else Side(cleaned["side"])
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
