"""The addresses of the playground."""

from django.urls import path

from league.playground.views import editor, run

app_name = "playground"
urlpatterns = [
    path("play/", editor.editor, name="editor"),
    path("play/upload/", editor.upload, name="upload"),
    path("play/runs/<uuid:key>/", run.run, name="run"),
    path("play/runs/<uuid:key>/record.json", run.as_json, name="record"),
]
