"""Waldi is Hedwig's dachshund, and a network: he has no map, but a nose for where to dig.

He watched her for three thousand matches, then dug in more than ten thousand beside her, the
magpie, greedy bots and his own kind, and did more of what went better than expected. What he
learned lies beside this file: `layer1.npy` to `layer3.npy` are his weights, `inputs2.npy` to
`inputs4.npy` say where they find what he sees at a table of two, three or four. To him his own gems
are always opals, whatever they are: so he had to learn everything only once.

`python -m bots_sdk.training edelsteinsuche FOLDER` trains another one.
"""

from collections.abc import Sequence

import numpy as np

from bots_sdk import Bot, View
from bots_sdk.games.edelsteinsuche.rl import OWN_GEM_FIRST
from bots_sdk.rl import choose_move
from bots_sdk.rl.network import Network


class Waldi(Bot):
    """Does what the network likes best."""

    games = ("edelsteinsuche",)
    network: Network | None = None

    def decide(self, view: View, options: Sequence[str]) -> str:
        """Choose action after action until the move is complete."""
        if self.network is None:
            self.network = self.load_network(len(view.seats))
        return choose_move(OWN_GEM_FIRST, view, options, self.network.choose)

    def load_network(self, seats: int) -> Network:
        """Open the weights, and what a table with so many seats needs of them."""
        layers = [np.load(self.data_path / f"layer{n}.npy", mmap_mode="r") for n in (1, 2, 3)]
        return Network(layers, np.load(self.data_path / f"inputs{seats}.npy"))
