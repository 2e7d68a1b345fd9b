"""URLs of accounts: signing in, your own pages, profiles."""

from django.contrib.auth.views import LogoutView, PasswordResetDoneView
from django.urls import path

from league.accounts.views import account, dashboard, profile

app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", account.SignUp.as_view(), name="signup"),
    path("accounts/login/", account.SignIn.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/reset/", account.PasswordReset.as_view(), name="reset"),
    path(
        "accounts/reset/sent/",
        PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="reset-sent",
    ),
    path(
        "accounts/reset/<uidb64>/<token>/",
        account.PasswordResetConfirm.as_view(),
        name="reset-confirm",
    ),
    path("me/", dashboard.me, name="me"),
    path("me/lost/", dashboard.lost_match, name="lost-match"),
    path("me/first-steps/hide/", dashboard.hide_steps, name="hide-steps"),
    path("me/password/", account.PasswordChange.as_view(), name="password"),
    path("me/settings/", account.edit_settings, name="settings"),
    path("me/tokens/", account.tokens, name="tokens"),
    path("me/tokens/<int:pk>/revoke/", account.revoke_token, name="revoke-token"),
    path("u/<slug:name>/", profile.user, name="user"),
]
