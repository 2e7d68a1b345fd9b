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
"""For somebody who found a browser that is signed in and wants more than to look around."""
RESET_MAILS = Limit("reset-mails", 3, 60 * 60)
"""To one account, whoever asks for them."""

RESERVED = "former-"
"""Who left is called so; nobody else may be."""


class SignUpForm(ModelForm[User]):
    """A name and a password; the mail address is for those who may forget it."""

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
        """A name is taken whatever its case."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError("Somebody has this name already.")
        if name.lower().startswith(RESERVED):
            raise ValidationError("Names like this are kept for members who left.")
        if reason := services.name_refusal(name):
            raise ValidationError(f"{reason}.")
        return name

    def keep_password(self) -> None:
        """Print what was typed into the page again, which only who typed it sees."""
        self.fields["password"].widget.render_value = True

    def _post_clean(self) -> None:
        """The password is looked at with the name beside it, which the model has only now."""
        super()._post_clean()  # type: ignore[misc]  # Django's own forms use it so
        password = self.cleaned_data.get("password")
        if password:
            try:
                validate_password(password, self.instance)
            except ValidationError as error:
                self.add_error("password", error)

    def save(self, commit: bool = True) -> User:
        """The new user."""
        user: User = super().save(commit=False)
        user.set_password(self.cleaned_data["password"])
        if commit:
            user.save()
        return user


class SignInForm(AuthenticationForm):
    """Name and password. The case of the name does not matter, as no two differ only in it."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "Wrong name or password. Passwords are case-sensitive.",
    }

    def clean_username(self) -> str:
        """The name as its owner wrote it."""
        typed: str = self.cleaned_data["username"]
        names = User.objects.filter(username__iexact=typed).values_list("username", flat=True)
        return names.first() or typed


class OwnPassword(forms.Form):
    """The present password, for what cannot be left to whoever finds an open browser."""

    password = forms.CharField(
        max_length=128,
        strip=False,
        label="Your password",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def check_password(self, user: User) -> str:
        """Return the password if it is the user's."""
        password: str = self.cleaned_data.get("password", "")
        if seconds := PASSWORD_TRIES.seconds_to_wait(str(user.pk)):
            minutes = -(-seconds // 60)
            raise ValidationError(f"Too many wrong passwords. Try again in {minutes} minutes.")
        if not user.check_password(password):
            raise ValidationError("This is not your password. Nothing was changed.")
        return password


class SettingsForm(OwnPassword, ModelForm[User]):
    """What is one's own to choose. Another mail address asks for the password: whoever has the
    mail can set a new one.
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
        """Asked for only if the mail address changes."""
        return self.check_password(self.instance) if "email" in self.changed_data else ""


class KeysToRevoke(forms.Form):
    """Whoever changes a password because somebody knows it may want new keys as well."""

    revoke_keys = forms.BooleanField(
        required=False,
        label="Revoke all my access keys",
        help_text="Programs that use them need new ones. Do it if somebody may know your password.",
    )

    def offer_to(self, user: User | None) -> None:
        """Ask only people who have keys."""
        if user is None or not user.tokens.valid().exists():
            del self.fields["revoke_keys"]

    def revoke_for(self, user: User) -> None:
        """Revoke the keys, if that was asked for."""
        if self.cleaned_data.get("revoke_keys"):
            services.revoke_all_tokens(user)


class NewPasswordForm(KeysToRevoke, PasswordChangeForm):
    """Another password, by somebody who knows the present one."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.offer_to(user)

    def save(self, commit: bool = True) -> User:
        """Set it, and revoke keys if that was asked for."""
        self.revoke_for(self.user)
        user: User = super().save(commit)
        return user


class ForgottenPasswordForm(KeysToRevoke, SetPasswordForm[User]):
    """Another password, by somebody who has the mail."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.offer_to(user)

    def save(self, commit: bool = True) -> User:
        """Set it, and revoke keys if that was asked for."""
        self.revoke_for(self.user)
        user: User = super().save(commit)
        return user


class ResetForm(PasswordResetForm):
    """Asks for the mail with a link. Few mails go to one account, whoever asks for them."""

    def get_users(self, email: str) -> Iterable[Any]:
        """Return the accounts of this address that have not been sent too many mails."""
        users = super().get_users(email)
        return [user for user in users if not RESET_MAILS.seconds_to_wait(str(user.pk))]

    def save(self, **named: Any) -> None:  # type: ignore[override]  # the view names all of them
        """Send it. The link names the site by its setting, never by what the request claims."""
        context = (named.pop("extra_email_context", None) or {}) | {"site_url": settings.SITE_URL}
        super().save(**named, extra_email_context=context)


class TokenForm(forms.Form):
    """A new key."""

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
    """Whoever leaves says so by their name and their password."""

    confirmed = forms.CharField(
        label="Your user name", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.order_fields(["confirmed", "password"])

    def clean_confirmed(self) -> str:
        """The name, letter for letter."""
        typed: str = self.cleaned_data["confirmed"]
        if typed != self.user.username:
            raise ValidationError(f"Type {self.user.username} to leave; nothing was deleted.")
        return typed

    def clean_password(self) -> str:
        """The password, and nothing less."""
        return self.check_password(self.user)
