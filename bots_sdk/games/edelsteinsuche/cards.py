"""Pictures of the cards of Edelsteinsuche."""

from bots_sdk.viewer.cards import Catalogue, Group, gem, picture

_CUTS = {"opal": "o", "ruby": "r", "sapphire": "b", "emerald": "g"}


def card_groups(catalogue: Catalogue) -> list[Group]:
    """Return the gems and the prospectors."""
    gems, prospectors = [], []
    for card, face in catalogue.items():
        name, cut = face["gem"].capitalize(), _CUTS[face["gem"]]
        if face["type"] == "gem":
            row = f'<span class="kv-gems">{gem(cut) * face["number"]}</span>'
            gems.append(picture([card], f"{name} {face['number']}", row))
        else:
            row = f'<span class="kv-gems">{gem(cut)}</span>'
            prospectors.append(picture([card], f"{name} prospector", row))
    return [
        Group("Gem cards", "Five of each type, as printed.", gems),
        Group("Prospectors", "Yours says which gems you look for.", prospectors),
    ]
