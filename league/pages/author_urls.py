"""The addresses of pages for authors."""

from django.urls import path

from league.pages import me, sdk, smoke, users, versions

app_name = "author"
urlpatterns = [
    path("me/", me.me, name="me"),
    path("me/lost/", me.lost_match, name="lost-match"),
    path("me/first-steps/hide/", me.hide_steps, name="hide-steps"),
    path("u/<slug:name>/", users.user, name="user"),
    path("bots/<slug:slug>/versions/", versions.versions, name="versions"),
    path("uploads/<int:pk>/smoke/<slug:game>/", smoke.match, name="smoke-match"),
    path("uploads/<int:pk>/smoke/<slug:game>/record.json", smoke.as_json, name="smoke-record"),
    path("sdk/", sdk.index, name="sdk"),
    path("sdk/karat.whl", sdk.latest, name="latest-wheel"),
    path("sdk/<str:name>", sdk.download, name="wheel"),
]
