"""Emil is Ottilie's apprentice, and a network: he knows no rule of thumb, only what paid off.

He watched six hundred matches of hers, then played almost eight thousand with her, with Zita, with
greedy bots and with himself, and did more of what went better than expected. What he learned lies
beside this file: `layer1.npy` to `layer3.npy` are his weights, `inputs3.npy` to `inputs5.npy` say
where they find what he sees at a table of three, four or five.

`python -m bots_sdk.training edel-stein-reich FOLDER` trains another one.
"""

from collections.abc import Sequence

import numpy as np

from bots_sdk import Bot, View
from bots_sdk.games.edel_stein_reich.rl import ENCODING
from bots_sdk.rl import choose_move
from bots_sdk.rl.network import Network


class Emil(Bot):
    """Does what the network likes best."""

    games = ("edel-stein-reich",)
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
