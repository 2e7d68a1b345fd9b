"""`python -m bots_sdk.training GAME FOLDER`: train a network and write it as a bundle."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from time import process_time

from bots_sdk.training.course import train
from bots_sdk.training.export import export
from bots_sdk.training.recipe import find_recipe
from engine.registry import GAMES

SEED = 7


def main() -> None:
    """Train as the command line says, and print how it goes."""
    parser = ArgumentParser(prog="python -m bots_sdk.training", description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("folder", type=Path, help="where the bundle is written")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--lessons", type=int, help="matches of the teacher")
    parser.add_argument("--rounds", type=int, help="improvements")
    arguments = parser.parse_args()
    recipe = find_recipe(arguments.game)
    recipe = replace(
        recipe,
        lessons=arguments.lessons or recipe.lessons,
        rounds=recipe.rounds if arguments.rounds is None else arguments.rounds,
    )

    def report(text: str) -> None:
        print(f"{process_time():5.0f} s  {text}", flush=True)

    graduate = train(arguments.game, recipe, arguments.seed, report)
    files = export(graduate, arguments.game, recipe, arguments.folder)
    size = sum(path.stat().st_size for path in files) / 1024
    report(f"{arguments.folder}: {len(files)} files, {size:,.0f} KiB")


if __name__ == "__main__":
    main()
