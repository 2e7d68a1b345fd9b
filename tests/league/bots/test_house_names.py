"""House bots go by the names of the command line wherever a game is known."""

import pytest

from bots_sdk import house
from engine.registry import GAMES
from league.bots import house_bots
from league.bots.bundles import sources
from league.bots.models import Bot
from tests.league import factories
from tests.league.asking import ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def key():
    house_bots.seed()
    return factories.make_key(factories.make_user("mira"))


@pytest.mark.parametrize("game", GAMES)
def test_every_name_that_the_command_knows_is_known_to_the_api(game, key):
    seats = min(GAMES[game].seats)
    for name in house.names(game):
        match = ask("matches", key=key, method="POST", send={"game": game, "bots": [name] * seats})
        assert match.status_code == 201, match.content
        slug = match.json()["seats"][0]["bot"]
        bot = ask(f"bots/{slug}").json()
        assert (bot["house_name"], bot["owner"], bot["games"]) == (name, None, [game])
        by_slug = {"game": game, "bots": [slug] * seats}
        assert ask("matches", key=key, method="POST", send=by_slug).status_code == 201
        matches = ask(f"matches?game={game}&bot={name}").json()["items"]
        assert match.json()["id"] in [one["id"] for one in matches]


@pytest.mark.parametrize("game", GAMES)
def test_a_house_bot_that_is_a_bundle_is_stored_with_its_files_once(game, key):
    (name,) = (name for name in house.names(game) if house.folder(game, name))
    version = Bot.objects.get(slug=house_bots.slugs()[game, name]).active
    assert version.source.bundle
    assert version.data_public
    assert sources.load(version.source_id).files == house.bundle(game, name).files
    assert version.source.text == house.source(game, name)
    assert house_bots.seed() == 0


def test_a_name_of_several_games_without_a_game_is_answered_with_what_it_could_mean(key):
    answer = ask("bots/greedy")
    assert answer.status_code == 404
    slugs = Bot.objects.filter(owner=None, slug__startswith="greedy").values_list("slug", flat=True)
    assert len(slugs) == len(GAMES)
    assert all(slug in answer.json()["detail"] for slug in slugs)


@pytest.mark.parametrize("name", ["Greedy", "random", "Searcher"])
def test_nobody_names_a_bot_as_a_house_bot(name, key):
    refused = ask("bots", key=key, method="POST", send={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (422, "L002")
    assert "house bot" in refused.json()["detail"]


def test_a_bot_that_had_the_name_before_keeps_it_at_every_table(key):
    owner = factories.make_user("ada")
    mine = factories.make_player(owner, "Early")
    Bot.objects.filter(pk=mine.pk).update(slug="greedy", name="Greedy")
    send = {"game": "basari", "bots": ["greedy", "random", "karim"]}
    seats = ask("matches", key=key, method="POST", send=send).json()["seats"]
    assert [seat["bot"] for seat in seats] == ["greedy", "random-basari", "karim"]


def test_an_upload_answers_with_the_slug_of_its_name(key):
    created = ask("bots", key=key, method="POST", send={"name": "Tin Cup"}).json()
    assert (created["name"], created["slug"]) == ("Tin Cup", "tin-cup")
