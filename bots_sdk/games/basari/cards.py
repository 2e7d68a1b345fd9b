"""Pictures of the cards of Basari."""

from bots_sdk.viewer.cards import Catalogue, Group, gem_row, picture


def card_groups(catalogue: Catalogue) -> list[Group]:
    """Return the bazaar cards."""
    pictures = [
        picture(
            [card],
            f"{face['points']} points",
            gem_row(face["gems"]),
            aside=f"{face['workers']} worker{'s' * (face['workers'] != 1)}",
        )
        for card, face in catalogue.items()
    ]
    about = (
        "This is the house deck, as no list of the printed cards is known. "
        "A card brings its workers, its points or its gems."
    )
    return [Group("Bazaar cards", about, pictures)]
