"""Forms of accounts."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
)
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from league.accounts import services
from league.accounts.models import Token, User
from league.web.generics import ModelForm, SetPasswordForm
from league.web.throttling import Limit

PASSWORD_TRIES = Limit("own-password", 10, 15 * 60)
"""Stops somebody who found a signed-in browser from guessing the password."""
RESET_MAILS = Limit("reset-mails", 3, 60 * 60)
"""For each account, no matter who requests them."""

RESERVED = "former-"
"""The prefix of members who left; nobody else may use it."""


class SignUpForm(ModelForm[User]):
    """Sign-up with a name and a password; the email address is only for password resets."""

    password = forms.CharField(
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 8 characters, and not a common password.",
    )

    class Meta:
        model = User
        fields: ClassVar = ["username", "email"]
        labels: ClassVar = {"username": "User name", "email": "Email address"}
        help_texts: ClassVar = {
            "username": "3 to 30 letters, digits, hyphens and underscores. Everybody sees it.",
            "email": "Only used to reset a forgotten password. Nobody sees it.",
        }
        widgets: ClassVar = {
            "username": forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
            "email": forms.EmailInput(attrs={"autocomplete": "email"}),
        }

    def clean_username(self) -> str:
        """Refuse names that are taken (ignoring case), reserved or deceptive."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError("Somebody has this name already.")
        if name.lower().startswith(RESERVED):
            raise ValidationError("Names like this are reserved for former members.")
        if reason := services.name_refusal(name):
            raise ValidationError(f"{reason}.")
        return name

    def keep_password(self) -> None:
        """Render the password into the form again; only the person who typed it sees the page."""
        self.fields["password"].widget.render_value = True

    def _post_clean(self) -> None:
        """Validate the password once the instance has its name, which it must not resemble."""
        super()._post_clean()  # type: ignore[misc]  # as Django's own forms do
        password = self.cleaned_data.get("password")
        if password:
            try:
                validate_password(password, self.instance)
            except ValidationError as error:
                self.add_error("password", error)

    def save(self, commit: bool = True) -> User:
        """Create the user with a hashed password."""
        user: User = super().save(commit=False)
        user.set_password(self.cleaned_data["password"])
        if commit:
            user.save()
        return user


class SignInForm(AuthenticationForm):
    """Name and password. The case of the name does not matter: no two names differ only in case."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "Wrong name or password. Passwords are case-sensitive.",
    }

    def clean_username(self) -> str:
        """Return the name in the case its owner chose."""
        name: str = self.cleaned_data["username"]
        names = User.objects.filter(username__iexact=name).values_list("username", flat=True)
        return names.first() or name


class OwnPassword(forms.Form):
    """The current password, for actions that a signed-in browser alone must not allow."""

    password = forms.CharField(
        max_length=128,
        strip=False,
        label="Your password",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def check_password(self, user: User) -> str:
        """Return the password if it is the user's; refuse after too many wrong ones."""
        password: str = self.cleaned_data.get("password", "")
        if seconds := PASSWORD_TRIES.seconds_to_wait(str(user.pk)):
            minutes = -(-seconds // 60)
            raise ValidationError(f"Too many wrong passwords. Try again in {minutes} minutes.")
        if not user.check_password(password):
            raise ValidationError("This is not your password. Nothing was changed.")
        return password


class SettingsForm(OwnPassword, ModelForm[User]):
    """Settings of an account.

    A new email address requires the password, because whoever reads the mail can reset it.
    """

    class Meta:
        model = User
        fields: ClassVar = ["email", "shortcuts"]
        labels: ClassVar = {"email": "Email address", "shortcuts": "Single-key shortcuts"}
        help_texts: ClassVar = {
            "email": "Only used to reset a forgotten password. Nobody sees it.",
            "shortcuts": "Letters such as f and b jump through a replay. Arrow keys always work.",
        }
        widgets: ClassVar = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].required = False
        self.fields["password"].help_text = "Only needed to change the email address."
        self.order_fields(["email", "password", "shortcuts"])

    def clean_password(self) -> str:
        """Check the password only if the email address changes."""
        return self.check_password(self.instance) if "email" in self.changed_data else ""


class KeysToRevoke(forms.Form):
    """The option to revoke all keys, for people whose password may be known to somebody else."""

    revoke_keys = forms.BooleanField(
        required=False,
        label="Revoke all my access keys",
        help_text="Programs that use them need new ones. Do it if somebody may know your password.",
    )

    def offer_to(self, user: User | None) -> None:
        """Show the option only to users who have valid keys."""
        if user is None or not user.tokens.valid().exists():
            del self.fields["revoke_keys"]

    def revoke_for(self, user: User) -> None:
        """Revoke the user's keys if the option is ticked."""
        if self.cleaned_data.get("revoke_keys"):
            services.revoke_all_tokens(user)


class NewPasswordForm(KeysToRevoke, PasswordChangeForm):
    """A new password, set by somebody who knows the current one."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.offer_to(user)

    def save(self, commit: bool = True) -> User:
        """Set the password, and revoke all keys if the option is ticked."""
        self.revoke_for(self.user)
        user: User = super().save(commit)
        return user


class ForgottenPasswordForm(KeysToRevoke, SetPasswordForm[User]):
    """A new password, set through the link in the email."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.offer_to(user)

    def save(self, commit: bool = True) -> User:
        """Set the password, and revoke all keys if the option is ticked."""
        self.revoke_for(self.user)
        user: User = super().save(commit)
        return user


class ResetForm(PasswordResetForm):
    """Request for an email with a reset link. The number of emails per account is limited."""

    def get_users(self, email: str) -> Iterable[Any]:
        """Return the accounts of this address that may still be sent an email."""
        users = super().get_users(email)
        return [user for user in users if not RESET_MAILS.seconds_to_wait(str(user.pk))]

    def save(self, **named: Any) -> None:  # type: ignore[override]  # the view names all of them
        """Send the email. Its link uses SITE_URL, never the host that the request claims."""
        context = (named.pop("extra_email_context", None) or {}) | {"site_url": settings.SITE_URL}
        super().save(**named, extra_email_context=context)


class TokenForm(forms.Form):
    """Purpose and permissions of a new key."""

    name = forms.CharField(
        max_length=60,
        label="Purpose",
        help_text="Helps you to recognise the key later.",
        widget=forms.TextInput(attrs={"placeholder": "karat on my laptop", "autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=Token.Scope.choices,
        initial=[Token.Scope.READ, Token.Scope.UPLOAD],
        label="Permissions",
        widget=forms.CheckboxSelectMultiple,
    )


class DeletionForm(OwnPassword):
    """Confirmation of an account's deletion by name and password."""

    confirmed = forms.CharField(
        label="Your user name", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.order_fields(["confirmed", "password"])

    def clean_confirmed(self) -> str:
        """Require the exact name."""
        name: str = self.cleaned_data["confirmed"]
        if name != self.user.username:
            raise ValidationError(f"Type {self.user.username} to leave; nothing was deleted.")
        return name

    def clean_password(self) -> str:
        """Require the correct password."""
        return self.check_password(self.user)
