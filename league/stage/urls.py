"""The addresses of the wall and of its remote. `/tv/live` is answered before Django, by `live`."""

from django.urls import path

from league.stage.views import remote, wall

app_name = "stage"
urlpatterns = [
    path("tv/", wall.wall, name="wall"),
    path("tournaments/<slug:slug>/remote/", remote.remote, name="remote"),
    path("tournaments/<slug:slug>/remote/<slug:do>/", remote.press, name="press"),
]
