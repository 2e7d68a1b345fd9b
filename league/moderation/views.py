"""Pages of moderation: what can be done to somebody or something, each act with a reason."""

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
from league.pages.staff import staff_only

MAX_LINES = 30
KINDS: dict[str, type[Model]] = {"users": User, "bots": Bot, "versions": BotVersion}


@dataclass(frozen=True, slots=True)
class Act:
    """What can be done. `run` is given the subject, who does it, and the form."""

    title: str
    consequence: str
    run: Callable[..., object]
    named: bool = False
    """Whether it asks for a new name."""


ACTS: dict[str, dict[str, Act]] = {
    "users": {
        "ban": Act(
            "Ban",
            "Ends their sessions and access keys at once. Their bots leave the ladders, matches"
            " that wait for them are void without rating, and tournaments withdraw them.",
            services.ban,
        ),
        "unban": Act("Unban", "They may sign in again, and their bots may play.", services.unban),
        "rename": Act(
            "Rename",
            "Their page gets another address, and the old name is shown nowhere.",
            services.rename_user,
            named=True,
        ),
        "delete": Act(
            "Delete with all bots",
            "Removes the account, and the code and names of all their bots. Results stay under"
            " names that say nothing. It cannot be undone.",
            services.delete_user,
        ),
    },
    "bots": {
        "rename": Act(
            "Rename",
            "Its pages get another address. The old name is shown nowhere, not in replays either.",
            services.rename_bot,
            named=True,
        ),
        "hide": Act(
            "Hide",
            "It plays no more and disappears from lists; its name becomes one that says nothing.",
            services.hide_bot,
        ),
        "show": Act("Show again", "It may play, under its plain name.", services.show_bot),
        "delete": Act(
            "Delete",
            "Removes its code, logs and name. Matches it played stay. It cannot be undone.",
            services.delete_bot,
        ),
    },
    "versions": {
        "suspend": Act(
            "Suspend",
            "It plays no more, and its owner cannot change that, nor by uploading the same code.",
            services.suspend,
        ),
        "lift": Act("Lift the suspension", "It may play again.", services.lift),
        "read": Act(
            "Read the code",
            "Shows the code, and writes down that you read it and why.",
            services.read_source,
        ),
    },
}


class ReasonForm(forms.Form):
    """Why, and for some acts a name."""

    name = forms.CharField(max_length=40, label="New name")
    because = forms.CharField(
        max_length=200, label="Reason", help_text="For other staff, in the audit."
    )

    def __init__(self, act: Act, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not act.named:
            del self.fields["name"]


@require_safe
@staff_only
def subject(request: HttpRequest, kind: str, pk: str) -> HttpResponse:
    """What can be done to it, and what was done."""
    one = _find(kind, pk)
    content = ContentType.objects.get_for_model(KINDS[kind])
    lines = LogEntry.objects.filter(content_type=content, object_id=pk)
    shown = {
        "section": "staff",
        "kind": kind,
        "subject": one,
        "acts": ACTS[kind].items(),
        "versions": one.versions.defer("steps") if isinstance(one, Bot) else [],
        "lines": lines.select_related("user")[:MAX_LINES],
    }
    return render(request, "moderation/subject.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
@never_cache
def act(request: HttpRequest, kind: str, pk: str, what: str) -> HttpResponse:
    """Ask for the reason, then do it."""
    one = _find(kind, pk)
    if what not in ACTS[kind]:
        raise Http404
    chosen = ACTS[kind][what]
    form = ReasonForm(chosen, request.POST or None)
    shown = {"section": "staff", "kind": kind, "subject": one, "act": chosen, "form": form}
    if request.method == "POST" and form.is_valid():
        try:
            outcome = chosen.run(one, request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message.explanation)
        except ValidationError as error:
            form.add_error("name", error.messages)
        else:
            if what == "read":
                return render(request, "moderation/source.html", shown | {"code": outcome})
            messages.success(request, f"{chosen.title}: done.")
            gone = not KINDS[kind]._default_manager.filter(pk=pk).exists()
            return redirect("pages:staff") if gone else redirect("moderation:subject", kind, pk)
    return render(request, "moderation/act.html", shown)


@login_required
def leave(request: HttpRequest) -> HttpResponse:
    """Delete one's own account. Results stay, as those of a former member."""
    assert isinstance(request.user, User)
    form = DeletionForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.leave(request.user)
        logout(request)
        messages.success(request, "Your account is deleted. Thank you for playing.")
        return redirect("/")
    return render(request, "accounts/delete.html", {"form": form, "section": "me"})


def _find(kind: str, pk: str) -> Any:
    return get_object_or_404(KINDS[kind], pk=pk)
