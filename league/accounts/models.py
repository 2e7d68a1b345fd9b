"""Users and access keys."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import MinLengthValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower

FORMER = "former member"


class User(AbstractUser):
    """A person. One who left keeps the row, because results stay, and nothing personal in it."""

    username = models.CharField(
        max_length=30,
        unique=True,
        validators=[
            MinLengthValidator(3),
            RegexValidator(
                r"\A[A-Za-z0-9][A-Za-z0-9_-]*\Z",
                "Use letters, digits, hyphens and underscores, beginning with a letter or digit.",
            ),
        ],
        error_messages={"unique": "Somebody has this name already."},
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(blank=True)
    is_organiser = models.BooleanField(
        default=False, help_text="May create tournaments that count for ratings."
    )
    shortcuts = models.BooleanField(default=True, help_text="Single-key shortcuts in the viewer.")
    steps_hidden = models.BooleanField(default=False, help_text="The list of first steps is gone.")
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("username"), name="username_whatever_its_case")
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name for people."""
        return FORMER if self.deleted_at else self.username

    def get_full_name(self) -> str:
        """Django's admin asks for it."""
        return self.shown_name

    def get_short_name(self) -> str:
        """Django's admin asks for it."""
        return self.shown_name


class TokenQuerySet(models.QuerySet["Token"]):
    """Which keys count."""

    def valid(self) -> "TokenQuerySet":
        """Not revoked, of somebody who is still here."""
        return self.filter(revoked_at=None, user__is_active=True)


class Token(models.Model):
    """An access key. Only its hash is kept; the key itself was shown once."""

    class Scope(models.TextChoices):
        """What a key may do."""

        READ = "read", "Read what is mine"
        UPLOAD = "upload", "Upload bots and ask for matches"
        ORGANISE = "organise", "Run tournaments"

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    beginning = models.CharField(max_length=8, editable=False)
    """So that its owner can tell it from others."""
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"
