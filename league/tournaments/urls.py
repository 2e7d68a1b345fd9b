"""The addresses of tournaments."""

from django.urls import path

from league.tournaments import feeds, making, managing, views

app_name = "tournaments"
_ONE = "tournaments/<slug:slug>"
urlpatterns = [
    path("tournaments/", views.index, name="index"),
    path("tournaments/new/", making.create, name="new"),
    path("tournaments/new/cost/", making.cost, name="cost"),
    path("tournaments/feed.atom", feeds.Tournaments(), name="feed"),
    path("tournaments.ics", feeds.calendar_of_all, name="calendar-of-all"),
    path(f"{_ONE}.ics", feeds.one_calendar, name="calendar"),
    path(f"{_ONE}/", views.detail, name="detail"),
    path(f"{_ONE}/edit/", making.edit, name="edit"),
    path(f"{_ONE}/enter/", views.enter, name="enter"),
    path(f"{_ONE}/withdraw/", views.withdraw, name="withdraw"),
    path(f"{_ONE}/standings/", views.standings, name="standings"),
    path(f"{_ONE}/standings.csv", views.standings_csv, name="standings-csv"),
    path(f"{_ONE}/standings.json", views.standings_json, name="standings-json"),
    path(f"{_ONE}/rounds/", views.latest_round, name="rounds"),
    path(f"{_ONE}/rounds/<int:number>/", views.one_round, name="round"),
    path(f"{_ONE}/bracket/", views.brackets, name="bracket"),
    path(f"{_ONE}/schedule/", views.schedule, name="schedule"),
    path(f"{_ONE}/entries/", views.entered, name="entries"),
    path(f"{_ONE}/rules/", views.rules, name="rules"),
    path(f"{_ONE}/log/", views.log, name="log"),
    path(f"{_ONE}/manage/", managing.manage, name="manage"),
    path(f"{_ONE}/manage/<slug:do>/", managing.step, name="step"),
    path(f"{_ONE}/manage/<slug:do>/confirm/", managing.deed, name="deed"),
    path("cups/<slug:slug>/", views.cup, name="cup"),
    path("cups/<slug:slug>/stop/", managing.turn, {"do": "stop"}, name="stop"),
    path("cups/<slug:slug>/resume/", managing.turn, {"do": "resume"}, name="resume"),
    path("organise/", managing.organise, name="organise"),
]
