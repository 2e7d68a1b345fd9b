"""The addresses of moderation, and of leaving."""

from django.urls import path, re_path

from league.moderation import views

app_name = "moderation"
_SUBJECT = r"staff/(?P<kind>users|bots|versions)/(?P<pk>[0-9]{1,18})"
urlpatterns = [
    path("me/delete/", views.leave, name="leave"),
    re_path(rf"^{_SUBJECT}/$", views.subject, name="subject"),
    re_path(rf"^{_SUBJECT}/(?P<what>[a-z]+)/$", views.act, name="act"),
]
