"""Signing up, in and out; passwords; keys; settings."""

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, views as auth
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.generic import FormView

from league.accounts import services
from league.accounts.forms import DeletionForm, SettingsForm, SignInForm, SignUpForm, TokenForm
from league.accounts.models import Token, User
from league.errors import Refused

_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignUp(auth.RedirectURLMixin, FormView):
    """A new account. What a guest left in the session stays there, so nothing is typed twice."""

    template_name = "accounts/signup.html"
    form_class = SignUpForm
    next_page = settings.LOGIN_REDIRECT_URL

    def dispatch(self, request: HttpRequest, *given: object, **named: object) -> HttpResponseBase:
        """Who has an account needs no other."""
        if request.user.is_authenticated:
            return HttpResponseRedirect(self.get_success_url())
        return super().dispatch(request, *given, **named)

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Signed in at once."""
        try:
            with transaction.atomic():
                user = form.save()
        except IntegrityError:  # somebody else took the name since the form looked
            form.add_error("username", "Somebody has this name already.")
            return self.form_invalid(form)
        login(self.request, user, backend=_BACKEND)
        messages.success(self.request, f"Welcome, {user.username}.")
        return HttpResponseRedirect(self.get_success_url())

    def get_context_data(self, **more: object) -> dict[str, object]:
        """Where to go afterwards."""
        return super().get_context_data(next=self.get_redirect_url(), **more)


class SignIn(auth.LoginView):
    """Back again. Axes counts wrong passwords."""

    template_name = "accounts/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


class PasswordChange(auth.PasswordChangeView):
    """Another password, by somebody who knows the present one."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:settings")

    def form_valid(self, form: object) -> HttpResponse:
        """Other browsers are signed out by it; this one stays."""
        messages.success(self.request, "Your password is changed. Other browsers are signed out.")
        return super().form_valid(form)  # type: ignore[arg-type]  # any form that can be saved


class PasswordReset(auth.PasswordResetView):
    """A mail with a link. The page says the same whether the address is known or not."""

    template_name = "accounts/reset.html"
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    success_url = reverse_lazy("accounts:reset-sent")


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    """The link of the mail."""

    template_name = "accounts/reset_confirm.html"
    success_url = reverse_lazy("accounts:login")

    def form_valid(self, form: object) -> HttpResponse:
        """Whoever has the mail signs in with the new password."""
        messages.success(self.request, "Your password is changed. Sign in with it.")
        return super().form_valid(form)  # type: ignore[arg-type]  # as above


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Too many wrong passwords for this name from this address."""
    pause = timedelta(hours=settings.AXES_COOLOFF_TIME)
    minutes = round(pause.total_seconds() / 60)
    answer = render(request, "accounts/locked_out.html", {"minutes": minutes}, status=429)
    answer["Retry-After"] = str(int(pause.total_seconds()))
    return answer


@login_required
def edit_settings(request: HttpRequest) -> HttpResponse:
    """Mail address and shortcuts."""
    form = SettingsForm(request.POST or None, instance=_user(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:settings")
    return render(request, "accounts/settings.html", {"form": form, "section": "me"})


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """All keys, and a new one: it is shown in this answer and kept nowhere."""
    user = _user(request)
    form = TokenForm(request.POST or None)
    secret = refusal = None
    if request.method == "POST" and form.is_valid():
        try:
            _, secret = services.create_token(user, **form.cleaned_data)
            form = TokenForm()
        except Refused as refused:
            refusal = refused.message
    said = {
        "form": form,
        "secret": secret,
        "refusal": refusal,
        "tokens": user.tokens.valid(),
        "site": settings.SITE_URL,
        "section": "me",
    }
    return render(request, "accounts/tokens.html", said)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """End a key of one's own."""
    token: Token = get_object_or_404(_user(request).tokens, pk=pk)
    services.revoke_token(token)
    messages.success(request, f"The key {token.name} is revoked.")
    return redirect("accounts:tokens")


@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Leave. Results stay, as those of a former member."""
    user = _user(request)
    form = DeletionForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.delete_account(user)
        logout(request)
        messages.success(request, "Your account is deleted. Thank you for playing.")
        return redirect("/")
    return render(request, "accounts/delete.html", {"form": form, "section": "me"})


def _user(request: HttpRequest) -> User:
    """Who is signed in."""
    assert isinstance(request.user, User)
    return request.user
