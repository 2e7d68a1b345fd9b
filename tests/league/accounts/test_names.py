"""Names: one form for each, none that deceives, none that speaks for the league."""

import pytest
from hypothesis import given, strategies as st

from league.accounts import names
from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot
from league.errors import Refused
from tests.league.factories import make_bot, make_tournament, make_user
from tests.league.reading import text_of

CYRILLIC_A, GREEK_O = "\u0430", "\u03bf"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("Sapphire Shark", None, id="plain"),
        pytest.param("Zoë O'Neill 7", None, id="accents"),
        pytest.param("Жук", None, id="one other script"),
        pytest.param("カラット虫", None, id="Japanese is written in three"),
        pytest.param(f"S{CYRILLIC_A}pphire", "mixes letters of Cyrillic and Latin", id="Cyrillic"),
        pytest.param(f"C{GREEK_O}pper", "mixes letters of Greek and Latin", id="Greek"),
        pytest.param("Sha\u200brk", "an invisible character (U+200B)", id="a space without width"),
        pytest.param("Sha\u202erk", "an invisible character (U+202E)", id="the other way round"),
        pytest.param(
            "Sha\u1160rk", "an invisible character", id="a letter that is drawn as nothing"
        ),
        pytest.param("Sha\u00adrk", "an invisible character", id="a soft hyphen"),
        pytest.param("Sha\ue000rk", "an invisible character", id="a sign of nobody's"),
        pytest.param("Karat", "reserved for the league", id="reserved"),
        pytest.param("Adm1n", "reserved for the league", id="reserved at a glance"),
        pytest.param("House", "reserved for the league", id="the house"),
        pytest.param("League Staff Bot", "reserved for the league", id="speaks for the staff"),
        pytest.param("Karat Killer", None, id="a reserved word as a part"),
        pytest.param("Staffordshire", None, id="not a word of the staff"),
    ],
)
def test_a_name_that_deceives_is_refused_with_a_reason(name, reason):
    refusal = names.refusal_reason(names.normalize(name))
    assert (refusal is None) == (reason is None), refusal
    assert reason is None or reason in refusal


@given(st.text(max_size=40))
def test_a_name_has_one_form_and_looks_like_itself(name):
    once = names.normalize(name)
    assert names.normalize(once) == once
    assert len(names.skeleton(once)) == len(once)
    assert names.lookalike(once, ["", once]) in {"", once}
    names.refusal_reason(once)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Sapph1re Shark", id="a digit for a letter"),
        pytest.param("Sapphire.Shark", id="another sign in between"),
        pytest.param("S\u00e4pphire Shark", id="an accent"),
        pytest.param("\uff33apphire Shark", id="a wide letter"),
        pytest.param(f"S{CYRILLIC_A}pphire Shark", id="a letter of another script"),
    ],
)
def test_nobody_takes_the_looks_of_somebody_else_s_bot(name):
    owner = make_user("mira")
    make_bot(owner, "Sapphire Shark")
    with pytest.raises(Refused) as refused:
        bots.create(make_user("tom"), name)
    assert refused.value.code == "L002"
    assert Bot.objects.count() == 1


@pytest.mark.django_db
def test_owners_may_call_their_own_bots_alike():
    owner = make_user("mira")
    make_bot(owner, "Shark I")
    assert bots.create(owner, "Shark 1").slug == "shark-1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("m1ra", "looks like `mira`", id="a look-alike"),
        pytest.param("karat-staff", "reserved for the league", id="staff"),
        pytest.param("Admin", "reserved for the league", id="admin"),
    ],
)
def test_users_cannot_be_taken_for_others_either(client, name, said):
    make_user("mira")
    form = {"username": name, "password": "a fine long one"}
    assert said in text_of(client.post("/accounts/signup/", form))
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_title_of_a_tournament_is_shown_as_it_was_written():
    with pytest.raises(Refused, match="an invisible character"):
        make_tournament(make_user(), "Friday \u202eCup")
