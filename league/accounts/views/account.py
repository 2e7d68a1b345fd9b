"""Views for signing up, in and out; passwords; keys; settings."""

from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts import login_throttle, services
from league.accounts.forms import (
    ForgottenPasswordForm,
    NewPasswordForm,
    ResetForm,
    SettingsForm,
    SignInForm,
    SignUpForm,
    TokenForm,
)
from league.accounts.models import Token, User
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.generics import FormView
from league.web.throttling import Budget

_BACKEND = "django.contrib.auth.backends.ModelBackend"
SIGN_UPS = Budget("sign-ups", 100, 10 * 60)
"""For each address: enough for a whole class, but not for a flood."""


class SignUp(auth.RedirectURLMixin, FormView[SignUpForm]):
    """Sign-up. The session of the guest is kept, so nothing has to be typed twice."""

    template_name = "accounts/signup.html"
    form_class = SignUpForm
    next_page = settings.LOGIN_REDIRECT_URL

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Redirect users who are signed in, and refuse everybody while sign-up is closed."""
        if request.user.is_authenticated:
            return HttpResponseRedirect(self.get_success_url())
        if not settings.SIGN_UP:
            return render(request, "accounts/signup_closed.html", status=HTTPStatus.FORBIDDEN)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Create the account and sign in, or wait if too many people sign up from one address."""
        if seconds := SIGN_UPS.seconds_to_wait(counted_address(self.request)):
            return self._wait(form, seconds)
        try:
            with transaction.atomic():
                user = form.save()
        except IntegrityError:  # the name was taken after the form was validated
            form.add_error("username", "Somebody has this name already.")
            return self.form_invalid(form)
        login(self.request, user, backend=_BACKEND)
        messages.success(self.request, f"Welcome, {user.username}.")
        return _known(self.request, self._go_on(), user)

    def _wait(self, form: SignUpForm, seconds: int) -> HttpResponse:
        """Show the form with its values on a page that submits it again automatically."""
        form.keep_password()
        context = self.get_context_data(form=form, seconds=seconds)
        response = render(self.request, self.template_name, context, status=429)
        response["Retry-After"] = str(seconds)
        response["Cache-Control"] = "no-store"
        return response

    def _go_on(self) -> HttpResponse:
        """Redirect to the next page; htmx needs a header for it."""
        if self.request.headers.get("HX-Request"):
            return HttpResponse(headers={"HX-Redirect": self.get_success_url()})
        return HttpResponseRedirect(self.get_success_url())

    def get_context_data(self, **more: object) -> dict[str, object]:
        """Return the context with the page to go to afterwards."""
        return super().get_context_data(next=self.get_redirect_url(), **more)


class SignIn(auth.LoginView):
    """Sign-in. Axes and `login_throttle` count wrong passwords."""

    template_name = "accounts/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Check the password, unless the account or the address has to wait."""
        if seconds := login_throttle.seconds_to_wait(request, request.POST.get("username", "")):
            response = render(request, "accounts/slow_down.html", {"seconds": seconds}, status=429)
            response["Retry-After"] = str(seconds)
            return response
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Reset the count of wrong passwords and remember the browser."""
        user = form.get_user()
        assert isinstance(user, User)
        login_throttle.forget_wrong_passwords(user)
        return _known(self.request, super().form_valid(form), user)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count the wrong password."""
        login_throttle.note_wrong_password(self.request, self.request.POST.get("username", ""))
        return super().form_invalid(form)


def sign_in_to_admin(request: HttpRequest) -> HttpResponse:
    """Redirect staff to the common sign-in page, so that wrong passwords are counted there."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next", reverse("admin:index")))


def _known(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    """Remember the browser, and give the session its usual length."""
    request.session.set_expiry(None)
    login_throttle.remember_browser(request, response, user)
    return response


class PasswordChange(auth.PasswordChangeView):
    """Password change by somebody who knows the current one."""

    template_name = "accounts/password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:settings")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Change the password. This browser stays signed in; all others are signed out."""
        messages.success(self.request, "Your password is changed. Other browsers are signed out.")
        if form.cleaned_data.get("revoke_keys"):
            messages.success(self.request, "Your access keys are revoked.")
        return super().form_valid(form)


class PasswordReset(auth.PasswordResetView):
    """Request for a reset email. The page never reveals whether the address is known."""

    template_name = "accounts/reset.html"
    form_class = ResetForm
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    success_url = reverse_lazy("accounts:reset-sent")


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    """New password, set through the link in the email."""

    template_name = "accounts/reset_confirm.html"
    form_class = ForgottenPasswordForm
    success_url = reverse_lazy("accounts:login")

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        """Change the password and remember the browser: the reader of the email is the owner."""
        messages.success(self.request, "Your password is changed. Sign in with it.")
        response = super().form_valid(form)
        login_throttle.remember_browser(self.request, response, form.user)
        return response


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Show how long to wait after too many wrong passwords for a name from one address."""
    pause = timedelta(hours=settings.AXES_COOLOFF_TIME)
    minutes = round(pause.total_seconds() / 60)
    response = render(request, "accounts/locked_out.html", {"minutes": minutes}, status=429)
    response["Retry-After"] = str(int(pause.total_seconds()))
    return response


@login_required
def edit_settings(request: HttpRequest) -> HttpResponse:
    """Edit the email address and shortcuts."""
    form = SettingsForm(request.POST or None, instance=_user(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:settings")
    return render(request, "accounts/settings.html", {"form": form, "section": "me"})


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """List the valid keys and create new ones. The secret is shown once and never stored."""
    user = _user(request)
    form = TokenForm(request.POST or None)
    secret = refusal = None
    if request.method == "POST" and form.is_valid():
        try:
            _, secret = services.create_token(user, **form.cleaned_data)
            form = TokenForm()
        except Refused as refused:
            refusal = refused.message
    context = {
        "form": form,
        "secret": secret,
        "refusal": refusal,
        "tokens": user.tokens.valid(),
        "site": settings.SITE_URL,
        "section": "me",
    }
    return render(request, "accounts/tokens.html", context)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of your own keys."""
    token: Token = get_object_or_404(_user(request).tokens, pk=pk)
    services.revoke_token(token)
    messages.success(request, f"The key {token.name} is revoked.")
    return redirect("accounts:tokens")


def _user(request: HttpRequest) -> User:
    """Return the signed-in user."""
    assert isinstance(request.user, User)
    return request.user
