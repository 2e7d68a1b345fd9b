"""The addresses of tournaments."""

from django.urls import path

from league.tournaments.views import create, feeds, manage, public

app_name = "tournaments"
_ONE = "tournaments/<slug:slug>"
urlpatterns = [
    path("tournaments/", public.index, name="index"),
    path("tournaments/new/", create.create, name="new"),
    path("tournaments/new/cost/", create.cost, name="cost"),
    path("tournaments/feed.atom", feeds.Tournaments(), name="feed"),
    path("tournaments.ics", feeds.calendar_of_all, name="calendar-of-all"),
    path(f"{_ONE}.ics", feeds.one_calendar, name="calendar"),
    path(f"{_ONE}/", public.detail, name="detail"),
    path(f"{_ONE}/edit/", create.edit, name="edit"),
    path(f"{_ONE}/enter/", public.enter, name="enter"),
    path(f"{_ONE}/withdraw/", public.withdraw, name="withdraw"),
    path(f"{_ONE}/standings/", public.standings, name="standings"),
    path(f"{_ONE}/standings.csv", public.standings_csv, name="standings-csv"),
    path(f"{_ONE}/standings.json", public.standings_json, name="standings-json"),
    path(f"{_ONE}/rounds/", public.latest_round, name="rounds"),
    path(f"{_ONE}/rounds/<int:number>/", public.one_round, name="round"),
    path(f"{_ONE}/bracket/", public.brackets, name="bracket"),
    path(f"{_ONE}/schedule/", public.schedule, name="schedule"),
    path(f"{_ONE}/entries/", public.entered, name="entries"),
    path(f"{_ONE}/rules/", public.rules, name="rules"),
    path(f"{_ONE}/log/", public.log, name="log"),
    path(f"{_ONE}/manage/", manage.manage, name="manage"),
    path(f"{_ONE}/manage/<slug:do>/", manage.step, name="step"),
    path(f"{_ONE}/manage/<slug:do>/confirm/", manage.confirm_action, name="confirm-action"),
    path("cups/<slug:slug>/", public.cup, name="cup"),
    path("cups/<slug:slug>/stop/", manage.turn, {"do": "stop"}, name="stop"),
    path("cups/<slug:slug>/resume/", manage.turn, {"do": "resume"}, name="resume"),
    path("organise/", manage.organise, name="organise"),
]
