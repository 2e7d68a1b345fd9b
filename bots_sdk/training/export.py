"""A trained network as files: what a bot opens with `numpy.load`, layer by layer.

`layer1.npy` has a row for each input and a last one for the biases; `inputs3.npy` says for a table
of three which rows belong to the numbers of an observation.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bots_sdk import house
from bots_sdk.starters import class_name
from bots_sdk.training.course import Graduate
from bots_sdk.training.recipe import Recipe
from runners.bundles.bundle import ENTRY_FILES


def export(graduate: Graduate, game: str, recipe: Recipe, folder: Path) -> list[Path]:
    """Write a bundle, and return its files: the weights, and a bot that plays by them."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, array in _arrays(graduate):
        path = folder / name
        np.save(path, array)
        written.append(path)
    if recipe.bot:
        path = folder / ENTRY_FILES[0]
        path.write_text(_bot(house.source(game, recipe.bot), recipe.bot, folder), encoding="utf-8")
        written.append(path)
    return written


def _bot(text: str, name: str, folder: Path) -> str:
    """Return a house bot that is nobody's apprentice: with the name of the folder."""
    own_name = class_name(folder.name)
    docstring, *_ = ast.parse(text).body
    lines = text.splitlines(keepends=True)[docstring.end_lineno :]
    code = "".join(lines).replace(f"class {name.title()}(", f"class {own_name}(")
    return f'"""{own_name} plays by a trained network: its layers lie beside this file."""\n{code}'


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
