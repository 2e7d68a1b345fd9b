"""The form of the playground: code, a game, opponents and a seed."""

from typing import Any

from django import forms

from bots_sdk import house
from bots_sdk.starters import starter
from engine.registry import GAMES
from league.bots.forms import CodeForm
from runners.limits import max_seats

USUAL_OPPONENTS = ("greedy", "random")
"""At a first table, if the game has house bots of these names."""
MAX_SEED = 64


class RunForm(CodeForm):
    """Code, and the match to play with it. The seat of the code is the first one."""

    game = forms.ChoiceField()
    seed = forms.CharField(
        required=False,
        max_length=MAX_SEED,
        label="Seed",
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "placeholder": "new each time", "spellcheck": "false"}
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["note"]
        games = [(slug, game.name) for slug, game in GAMES.items()]
        self.fields["game"] = forms.ChoiceField(choices=games)
        for number in range(1, max_seats()):
            self.fields[f"opponent_{number}"] = self._opponent(number)

    def _opponent(self, number: int) -> forms.ChoiceField:
        choices = [(name, name) for name in house.names(self.chosen_game())]
        if number >= min(GAMES[self.chosen_game()].seats):
            choices = [("", "nobody"), *choices]
        return forms.ChoiceField(choices=choices, required=False, label=f"Opponent {number}")

    def chosen_game(self) -> str:
        """Return the game that the form is for; the first one, if it names none that there is."""
        game = (self.data if self.is_bound else self.initial).get("game")
        return str(game) if game in GAMES else next(iter(GAMES))

    def opponent_fields(self) -> list[forms.BoundField]:
        """Return the fields of the opponents, as many as the game has seats for."""
        count = max(GAMES[self.chosen_game()].seats)
        return [self[f"opponent_{number}"] for number in range(1, count)]

    def clean(self) -> dict[str, Any]:
        """Put the names of the opponents into `opponents`, in the order of their seats."""
        data = super().clean()
        if "game" not in data:
            return data
        names = [data.get(field.name) for field in self.opponent_fields()]
        data["opponents"] = [name for name in names if name]
        sizes = GAMES[data["game"]].seats
        if len(data["opponents"]) + 1 not in sizes and not self.errors:
            least, most = min(sizes) - 1, max(sizes) - 1
            number = str(least) if least == most else f"{least} to {most}"
            self.add_error("opponent_1", f"Choose {number} opponents for this game.")
        return data

    def choose_usual_opponents(self) -> None:
        """Forget the opponents and the starter code of another game."""
        data = dict(self.data.items()) | usual_setup(self.chosen_game())
        self.data = data


def usual_setup(game: str) -> dict[str, str]:
    """Return the fields with which somebody begins: a starter bot, and a small table."""
    names = house.names(game)
    usual = [name for name in USUAL_OPPONENTS if name in names] or names[:1]
    least = min(GAMES[game].seats) - 1
    table = {
        f"opponent_{number}": usual[(number - 1) % len(usual)] if number <= least else ""
        for number in range(1, max_seats())
    }
    return {"game": game, "code": starter(game), **table}


def is_starter(code: str) -> bool:
    """Return whether this is the starter bot of a game as it is, which nobody would miss."""
    text = code.replace("\r\n", "\n").strip()
    return not text or any(text == starter(game).strip() for game in GAMES)


def games_for_page() -> dict[str, dict[str, Any]]:
    """Return for each game what the page needs to change to it without asking the server."""
    return {
        slug: {
            "setup": usual_setup(slug),
            "opponents": house.names(slug),
            "least": min(game.seats) - 1,
            "most": max(game.seats) - 1,
        }
        for slug, game in GAMES.items()
    }
