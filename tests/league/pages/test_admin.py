"""What staff see in the admin: everything there is, and nothing that is private."""

import pytest
from django.contrib import admin
from django.urls import reverse

from league.accounts.models import Token
from runners.match import Fault
from tests.league import factories

pytestmark = pytest.mark.django_db

SECRET = "secret of the source"
OURS = [model for model in admin.site._registry if model.__module__.startswith("league.")]


@pytest.fixture
def league(admin_client):
    owner = factories.make_user("mira")
    factories.make_key(owner)
    shark = factories.make_bot(owner, "Shark")
    factories.make_version(shark, f"{factories.SOURCE}# {SECRET}\n")
    shark.refresh_from_db()
    table = [shark, factories.make_player(), factories.make_player()]
    factories.make_match(table, faults=[Fault(0, 4, "E303", "KeyError", SECRET)])
    factories.rate_all()
    return admin_client


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_and_every_row_opens_without_showing_what_is_private(league, model):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    pages = [reverse(f"{name}_changelist") + "?q=a"]
    if first := model.objects.first():
        pages.append(reverse(f"{name}_change", args=[first.pk]))
    for page in pages:
        answer = league.get(page)
        assert answer.status_code == 200, page
        assert SECRET not in answer.content.decode()


def test_staff_revoke_keys(league):
    chosen = list(Token.objects.values_list("pk", flat=True))
    form = {"action": "revoke", "_selected_action": chosen}
    league.post(reverse("admin:accounts_token_changelist"), form)
    assert not Token.objects.filter(revoked_at=None).exists()
