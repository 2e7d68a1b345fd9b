"""Yusuf carried Leila's baskets until he knew her prices, and is a network: he cannot say why.

He watched eight hundred matches of hers, then played some ten thousand with her, with Samira, with
greedy bots and with himself, and did more of what went better than expected. What he learned lies
beside this file: `layer1.npy` to `layer3.npy` are his weights, `inputs3.npy` to `inputs5.npy` say
where they find what he sees at a table of three, four or five.

`python -m bots_sdk.training basari FOLDER` trains another one.
"""

from collections.abc import Sequence

import numpy as np

from bots_sdk import Bot, View
from bots_sdk.games.basari.rl import ENCODING
from bots_sdk.rl import choose_move
from bots_sdk.rl.network import Network


class Yusuf(Bot):
    """Does what the network likes best."""

    games = ("basari",)
    network: Network | None = None

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Choose action after action until the move is complete."""
        if self.network is None:
            self.network = self.load_network(len(view.seats))
        return choose_move(ENCODING, view, options, self.network.choose)

    def load_network(self, seats: int) -> Network:
        """Open the weights, and what a table with so many seats needs of them."""
        layers = [np.load(self.data_path / f"layer{n}.npy", mmap_mode="r") for n in (1, 2, 3)]
        return Network(layers, np.load(self.data_path / f"inputs{seats}.npy"))
