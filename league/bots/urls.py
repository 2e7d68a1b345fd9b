"""The addresses of uploads and versions."""

from django.urls import path

from league.bots import version_views, views

app_name = "bots"
urlpatterns = [
    path("bots/new/", views.new, name="new"),
    path("bots/check/", views.check, name="check"),
    path("bots/<slug:slug>/versions/new/", views.new_version, name="new-version"),
    path("bots/<slug:slug>/versions/check/", views.check, name="check-version"),
    path("bots/<slug:slug>/about/", version_views.describe, name="describe"),
    path("bots/<slug:slug>/diff/", version_views.difference, name="diff"),
    path("bots/<slug:slug>/versions/<int:number>/", version_views.source, name="source"),
    path("bots/<slug:slug>/versions/<int:number>/bot.py", version_views.download, name="download"),
    path(
        "bots/<slug:slug>/versions/<int:number>/activate/", version_views.activate, name="activate"
    ),
    path("bots/<slug:slug>/versions/<int:number>/publish/", version_views.publish, name="publish"),
    path("uploads/<int:pk>/", views.upload, name="upload"),
]
