"""Pages of moderation: the actions for a user, bot or version. Each requires a reason."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.accounts.forms import DeletionForm
from league.accounts.models import User
from league.bots.models import Bot, BotVersion
from league.errors import Refused
from league.moderation import services
from league.moderation.views.staff import staff_only

MAX_LINES = 30
KINDS: dict[str, type[Model]] = {"users": User, "bots": Bot, "versions": BotVersion}


@dataclass(frozen=True, slots=True)
class Act:
    """An action of moderation. `run` takes the subject, the staff member and the form's values."""

    title: str
    consequence: str
    run: Callable[..., object]
    named: bool = False
    """Whether it asks for a new name."""
    reason_hint: str = "For other staff, in the audit log."
    """Says who can read the reason."""
    applies: Callable[[Any], bool] = lambda _: True
    """Whether it makes sense for the subject in its current state."""


def _is_member(user: User) -> bool:
    return user.deleted_at is None


ACTS: dict[str, dict[str, Act]] = {
    "users": {
        "ban": Act(
            "Ban",
            "Ends their sessions and access keys at once. Their bots leave the ladders and are"
            " withdrawn from tournaments, where they forfeit the games of the round. Their other"
            " queued matches are void and not rated.",
            services.ban,
            applies=lambda user: user.is_active,
        ),
        "unban": Act(
            "Unban",
            "They can sign in again, and their bots can play.",
            services.unban,
            applies=lambda user: not user.is_active and user.deleted_at is None,
        ),
        "rename": Act(
            "Rename",
            "Their page gets a new address, and the old name disappears everywhere.",
            services.rename_user,
            named=True,
            applies=_is_member,
        ),
        "delete": Act(
            "Delete with all bots",
            "Removes the account, and the code and names of all their bots. Results stay, under"
            " neutral names. This cannot be undone.",
            services.delete_user,
            applies=_is_member,
        ),
    },
    "bots": {
        "rename": Act(
            "Rename",
            "Its pages get a new address. The old name disappears everywhere, even from replays.",
            services.rename_bot,
            named=True,
        ),
        "hide": Act(
            "Hide",
            "It stops playing, disappears from lists and gets a neutral name.",
            services.hide_bot,
            applies=lambda bot: bot.hidden_at is None,
        ),
        "show": Act(
            "Show again",
            "It can play again, under its neutral name.",
            services.show_bot,
            applies=lambda bot: bot.hidden_at is not None,
        ),
        "delete": Act(
            "Delete",
            "Removes its code, logs and name. Its matches stay. This cannot be undone.",
            services.delete_bot,
        ),
    },
    "versions": {
        "suspend": Act(
            "Suspend",
            "It stops playing. Its owner cannot undo this, not even by uploading the same code.",
            services.suspend,
            reason_hint="Everybody can read it on the bot's page.",
            applies=lambda version: version.suspended_at is None,
        ),
        "lift": Act(
            "Lift the suspension",
            "It can play again.",
            services.lift,
            applies=lambda version: version.suspended_at is not None,
        ),
        "read": Act(
            "Read the code",
            "Shows the code. The audit log records that you read it, and why.",
            services.read_source,
        ),
    },
}


class ReasonForm(forms.Form):
    """The reason of an action, and a new name for some of them."""

    name = forms.CharField(max_length=40, label="New name")
    because = forms.CharField(max_length=200, label="Reason")

    def __init__(self, act: Act, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["because"].help_text = act.reason_hint
        if not act.named:
            del self.fields["name"]


@require_safe
@staff_only
def subject(request: HttpRequest, kind: str, pk: str) -> HttpResponse:
    """Show the possible actions for a subject, and those already taken."""
    one = _find(kind, pk)
    content = ContentType.objects.get_for_model(KINDS[kind])
    lines = LogEntry.objects.filter(content_type=content, object_id=pk)
    context = {
        "section": "staff",
        "kind": kind,
        "subject": one,
        "acts": [(what, act) for what, act in ACTS[kind].items() if act.applies(one)],
        "versions": one.versions.defer("steps") if isinstance(one, Bot) else [],
        "lines": lines.select_related("user")[:MAX_LINES],
    }
    return render(request, "moderation/subject.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
@never_cache
def act(request: HttpRequest, kind: str, pk: str, what: str) -> HttpResponse:
    """Ask for the reason, then carry out the action."""
    one = _find(kind, pk)
    if what not in ACTS[kind]:
        raise Http404
    chosen = ACTS[kind][what]
    form = ReasonForm(chosen, request.POST or None)
    context = {"section": "staff", "kind": kind, "subject": one, "act": chosen, "form": form}
    if request.method == "POST" and form.is_valid():
        try:
            outcome = chosen.run(one, request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message.explanation)
        except ValidationError as error:
            form.add_error("name", error.messages)
        else:
            if what == "read":
                return render(request, "moderation/source.html", context | {"code": outcome})
            messages.success(request, "Done. The audit log has an entry for it.")
            gone = not KINDS[kind]._default_manager.filter(pk=pk).exists()
            return (
                redirect("moderation:staff") if gone else redirect("moderation:subject", kind, pk)
            )
    return render(request, "moderation/act.html", context)


@login_required
def leave(request: HttpRequest) -> HttpResponse:
    """Delete your own account. Results stay, as those of a former member."""
    assert isinstance(request.user, User)
    form = DeletionForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.leave(request.user)
        logout(request)
        messages.success(request, "Your account is deleted. Thank you for playing.")
        return redirect("pages:home")
    return render(request, "accounts/delete.html", {"form": form, "section": "me"})


def _find(kind: str, pk: str) -> Any:
    return get_object_or_404(KINDS[kind], pk=pk)
