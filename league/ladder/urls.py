"""The addresses of leaderboards."""

from django.urls import path

from league.ladder.views import leaderboard

app_name = "ladder"
urlpatterns = [
    path("g/<str:game>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("g/<str:game>/leaderboard.csv", leaderboard.as_csv, name="leaderboard-csv"),
    path("g/<str:game>/leaderboard.json", leaderboard.as_json, name="leaderboard-json"),
]
