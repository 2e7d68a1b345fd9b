"""A trained network as files: what a bot opens with `numpy.load`, layer by layer.

`layer1.npy` has a row for each input and a last one for the biases; `inputs3.npy` says for a table
of three which rows belong to the numbers of an observation.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bots_sdk import house
from bots_sdk.training.course import Graduate
from bots_sdk.training.recipe import Recipe


def export(graduate: Graduate, game: str, recipe: Recipe, folder: Path) -> list[Path]:
    """Write a bundle, and return its files: the weights, and the Python of the recipe's bot."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, array in _arrays(graduate):
        path = folder / name
        np.save(path, array)
        written.append(path)
    bundle = house.bundle(game, recipe.bot) if recipe.bot else None
    for place, data in bundle.python_files.items() if bundle else ():
        path = folder / place
        path.write_bytes(data)
        written.append(path)
    return written


def _arrays(graduate: Graduate) -> Iterator[tuple[str, NDArray[np.generic]]]:
    network = graduate.network
    last = len(network.weights)
    for number, (weights, biases) in enumerate(
        zip(network.weights, network.biases, strict=True), 1
    ):
        layer = np.vstack((weights, biases)).astype(np.float16)
        # A bot does not need to know how the match will end.
        yield f"layer{number}.npy", layer[:, :-1] if number == last else layer
    for seats, places in graduate.inputs.places.items():
        yield f"inputs{seats}.npy", places
