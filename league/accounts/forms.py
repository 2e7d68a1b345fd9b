"""Forms of accounts: what people type, and why it is not taken."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from league.accounts.models import Token, User

RESERVED = "former-"
"""Who left is called so; nobody else may be."""


class SignUpForm(forms.ModelForm):
    """A name and a password; the mail address is for those who may forget it."""

    password = forms.CharField(
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 8 characters, and none of the passwords that everybody uses.",
    )

    class Meta:
        model = User
        fields: ClassVar = ["username", "email"]
        labels: ClassVar = {"username": "User name", "email": "Mail address"}
        help_texts: ClassVar = {
            "username": "3 to 30 letters, digits, hyphens and underscores. Everybody sees it.",
            "email": "Only to set a new password if you forget yours. Nobody sees it.",
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
        return name

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
        "invalid_login": "Name and password do not fit together. Mind the case of the password.",
    }

    def clean_username(self) -> str:
        """The name as its owner wrote it."""
        said: str = self.cleaned_data["username"]
        known = User.objects.filter(username__iexact=said).values_list("username", flat=True)
        return known.first() or said


class SettingsForm(forms.ModelForm):
    """What is one's own to choose."""

    class Meta:
        model = User
        fields: ClassVar = ["email", "shortcuts"]
        labels: ClassVar = {"email": "Mail address", "shortcuts": "Single-key shortcuts"}
        help_texts: ClassVar = {
            "email": "Only to set a new password if you forget yours. Nobody sees it.",
            "shortcuts": "Letters such as f and b jump through a replay. Arrow keys always work.",
        }
        widgets: ClassVar = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}


class TokenForm(forms.Form):
    """A new key."""

    name = forms.CharField(
        max_length=60,
        label="What is it for?",
        help_text="So that you know later which one to revoke.",
        widget=forms.TextInput(attrs={"placeholder": "karat on my laptop", "autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=Token.Scope.choices,
        initial=[Token.Scope.READ, Token.Scope.UPLOAD],
        label="What may it do?",
        widget=forms.CheckboxSelectMultiple,
    )


class DeletionForm(forms.Form):
    """Whoever leaves says so by their name."""

    confirmed = forms.CharField(
        label="Your user name", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, user: User, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.user = user

    def clean_confirmed(self) -> str:
        """The name, letter for letter."""
        said: str = self.cleaned_data["confirmed"]
        if said != self.user.username:
            raise ValidationError(f"Type {self.user.username} to leave; nothing was deleted.")
        return said
