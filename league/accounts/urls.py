"""The addresses of accounts."""

from django.contrib.auth.views import LogoutView, PasswordResetDoneView
from django.urls import path

from league.accounts import views

app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", views.SignUp.as_view(), name="signup"),
    path("accounts/login/", views.SignIn.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/reset/", views.PasswordReset.as_view(), name="reset"),
    path(
        "accounts/reset/sent/",
        PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="reset-sent",
    ),
    path(
        "accounts/reset/<uidb64>/<token>/",
        views.PasswordResetConfirm.as_view(),
        name="reset-confirm",
    ),
    path("me/password/", views.PasswordChange.as_view(), name="password"),
    path("me/settings/", views.edit_settings, name="settings"),
    path("me/tokens/", views.tokens, name="tokens"),
    path("me/tokens/<int:pk>/revoke/", views.revoke_token, name="revoke-token"),
]
