"""Admin pages of users and access keys. Keys can be revoked, but not edited."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.accounts import services
from league.accounts.models import Token, User
from league.web.generics import ModelAdmin, UserAdmin


@admin.register(User)
class Users(UserAdmin[User]):
    """Users and their roles.

    Users are renamed and banned under `/staff/`, which also takes care of their bots and keys.
    """

    list_display = ("username", "email", "is_organiser", "is_staff", "is_active", "last_login")
    list_filter = ("is_organiser", "is_staff", "is_active")
    search_fields = ("username", "email")
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        ("Roles", {"fields": ("is_active", "is_organiser", "is_staff", "is_superuser", "groups")}),
        ("Times", {"fields": ("last_login", "date_joined", "deleted_at")}),
    )
    readonly_fields = ("is_active", "last_login", "date_joined", "deleted_at")

    def get_readonly_fields(self, request: HttpRequest, user: User | None = None) -> list[str]:
        """Make the name read-only once the user exists."""
        fields = list(super().get_readonly_fields(request, user))
        return [*fields, "username"] if user else fields

    def has_delete_permission(self, _: HttpRequest, __: User | None = None) -> bool:
        """Forbid deletion: results stay, and `/staff/` erases personal data."""
        return False


@admin.register(Token)
class Tokens(ModelAdmin[Token]):
    """Access keys with their owners, scopes and times of use."""

    list_display = ("name", "beginning", "user", "scopes", "created_at", "used_at", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "beginning", "user__username")
    actions = ("revoke",)

    @admin.action(description="Revoke the selected keys")
    def revoke(self, _: HttpRequest, tokens: QuerySet[Token]) -> None:
        """Revoke the selected keys."""
        for token in tokens:
            services.revoke_token(token)

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Forbid it: a key is shown once, to its owner."""
        return False

    def has_change_permission(self, request: HttpRequest, _: Token | None = None) -> bool:
        """Allow staff to run the action; all fields are read-only."""
        return super().has_view_permission(request)

    def get_readonly_fields(self, *_: object) -> list[str]:
        """Return all fields except the hash, which nobody needs to see."""
        return ["user", "name", "beginning", "scopes", "created_at", "used_at", "revoked_at"]
