"""Users and keys for staff. A key can only be revoked."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.accounts import services
from league.accounts.models import Token, User
from league.web.generics import ModelAdmin, UserAdmin


@admin.register(User)
class Users(UserAdmin[User]):
    """People and their roles. Who is renamed or banned is so under `/staff/`, where all that hangs
    on it is done too.
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
        """A name is chosen once."""
        fields = list(super().get_readonly_fields(request, user))
        return [*fields, "username"] if user else fields

    def has_delete_permission(self, _: HttpRequest, __: User | None = None) -> bool:
        """Results stay; an account is emptied under `/staff/`."""
        return False


@admin.register(Token)
class Tokens(ModelAdmin[Token]):
    """Keys: whose, what they may do, when they were used."""

    list_display = ("name", "beginning", "user", "scopes", "created_at", "used_at", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "beginning", "user__username")
    actions = ("revoke",)

    @admin.action(description="Revoke the selected keys")
    def revoke(self, _: HttpRequest, tokens: QuerySet[Token]) -> None:
        """Nobody can use them from now on."""
        for token in tokens:
            services.revoke_token(token)

    def has_add_permission(self, _: HttpRequest) -> bool:
        """A key is shown once, to its owner."""
        return False

    def has_change_permission(self, request: HttpRequest, _: Token | None = None) -> bool:
        """To run the action, not to edit: all fields are read-only."""
        return super().has_view_permission(request)

    def get_readonly_fields(self, *_: object) -> list[str]:
        """All of them; the hash is nobody's business."""
        return ["user", "name", "beginning", "scopes", "created_at", "used_at", "revoked_at"]
