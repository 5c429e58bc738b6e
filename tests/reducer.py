"""What a browser makes of the messages it gets, in Python: state + events = fresh state.

The same story as static/js/game/state.js, told apart from it; the conversations of tests/js/conversations/ hold the two
together. A state is what a `welcome` holds; `you` follows the seats. Not the pages, not the sockets.
"""

from typing import Any

from msgspec import json

State = dict[str, Any]

_NO_CLAIMS: State = {"S": None, "N": None}


def decoded(message) -> State:
    """A message as a browser reads it."""
    return json.decode(message.text())


class Viewer:
    """One browser in a room: who it is, the snapshot it holds, and what it has had to ask for."""

    def __init__(self, page: State) -> None:
        self.player: str | None = page["player"]
        self.you: str | None = page["you"]
        self.snapshot: State = page["snapshot"]
        self.sent: list[State] = []

    def hear(self, message: State) -> None:
        """Take a message in."""
        kind = message["type"]
        if kind == "welcome":
            self.you, self.player = message["you"], message["player"]
            self._adopt(message["snapshot"])
        elif kind == "snapshot":
            self._adopt(message)
        elif kind == "renamed":
            self._rename(message["player"])
        elif "version" in message and self._is_next(message):
            self.snapshot |= {"version": message["version"], **_CHANGES[kind](self.snapshot, message)}
            if kind == "seated":
                self._sit()

    def _adopt(self, snapshot: State) -> None:
        if _order(snapshot) < _order(self.snapshot):
            return
        self.snapshot = dict(snapshot)
        self._sit()

    def _is_next(self, message: State) -> bool:
        game, version = _order(self.snapshot)
        if _order(message) > (game, version + 1):
            self.sent.append({"type": "sync"})
        return _order(message) == (game, version + 1)

    def _rename(self, player: State) -> None:
        seats = self.snapshot["seats"]
        renamed = {side: player if shape and shape["id"] == player["id"] else shape for side, shape in seats.items()}
        self.snapshot |= {"seats": renamed}

    def _sit(self) -> None:
        """Find the own seat; who holds both looks from neither."""
        own = [side for side, shape in self.snapshot["seats"].items() if shape and shape["id"] == self.player]
        self.you = own[0] if len(own) == 1 else None


def _order(message: State) -> tuple[int, int]:
    return message["game"], message["version"]


def _seated(snapshot: State, message: State) -> State:
    seats = snapshot["seats"] | {message["side"]: message["player"]}
    return {"seats": seats, **{name: message[name] for name in ("status", "turn", "legal", "clock")}}


def _sown(snapshot: State, told: State) -> State:
    message = {"outcome": None, "offer": None, "clock": None, "may_swap": False, **told}
    return {
        **{name: message[name] for name in ("stones", "turn", "legal", "outcome", "clock", "may_swap")},
        "ply": message["ply"] + 1,
        "status": "over" if message["outcome"] else "playing",
        "offer": message["offer"],
        "claims": snapshot["claims"] if message["clock"] and not message["outcome"] else _NO_CLAIMS,
        "transcript": snapshot["transcript"] + "abcdefghijklmnopqrst"[message["pit"]],
        "captures": snapshot["captures"] + ([[message["ply"], message["captured"]]] if message["captured"] else []),
        "last": {name: message[name] for name in ("ply", "pit", "side", "last", "extra_turn", "captured")},
    }


def _ended(snapshot: State, message: State) -> State:
    told = {name: message[name] for name in ("outcome", "clock")}
    ended = {"status": "over", "turn": None, "legal": [], "offer": None, "claims": _NO_CLAIMS, "may_swap": False}
    return ended | told


def _offered(snapshot: State, message: State) -> State:
    return {"offer": message["offer"]}


def _claimable(snapshot: State, message: State) -> State:
    return {"claims": message["claims"]}


_CHANGES = {"seated": _seated, "sown": _sown, "ended": _ended, "offered": _offered, "claimable": _claimable}
