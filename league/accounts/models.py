"""Users and access keys."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import MinLengthValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower

FORMER = "former member"


class User(AbstractUser):
    """A person. The row of a former member stays for the results, without personal data."""

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
        """The name that pages show."""
        return FORMER if self.deleted_at else self.username

    def get_full_name(self) -> str:
        """Return the name, as Django's admin expects."""
        return self.shown_name

    def get_short_name(self) -> str:
        """Return the name, as Django's admin expects."""
        return self.shown_name


class TokenQuerySet(models.QuerySet["Token"]):
    """Selections of access keys."""

    def valid(self) -> "TokenQuerySet":
        """Return keys that are not revoked and whose owner is active."""
        return self.filter(revoked_at=None, user__is_active=True)


class Token(models.Model):
    """An access key. Only its hash is stored; the secret is shown once."""

    class Scope(models.TextChoices):
        """Permissions of a key."""

        READ = "read", "Read my private data"
        UPLOAD = "upload", "Upload bots and request matches"
        ORGANISE = "organise", "Run tournaments"

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    beginning = models.CharField(max_length=8, editable=False)
    """The first characters of the secret, by which owners tell their keys apart."""
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"
