"""The addresses of tournaments."""

from django.urls import path

from league.tournaments.views import (
    create,
    entering,
    feeds,
    index,
    irreversible,
    manage,
    organise,
    recurring,
    rounds,
    standings,
    tournament,
)

app_name = "tournaments"
_RECURRING = "tournaments/recurring/<slug:slug>"
_ONE = "tournaments/<slug:slug>"
urlpatterns = [
    path("tournaments/", index.index, name="index"),
    path("tournaments/new/", create.create, name="new"),
    path("tournaments/new/cost/", create.cost, name="cost"),
    path("tournaments/feed.atom", feeds.Tournaments(), name="feed"),
    path("tournaments.ics", feeds.calendar_of_all, name="calendar-of-all"),
    # Before those of one tournament, for which `recurring` would be a name.
    path(f"{_RECURRING}/", recurring.recurring, name="recurring"),
    path(f"{_RECURRING}/stop/", recurring.stop, name="stop"),
    path(f"{_RECURRING}/resume/", recurring.resume, name="resume"),
    path(f"{_ONE}.ics", feeds.one_calendar, name="calendar"),
    path(f"{_ONE}/", tournament.detail, name="detail"),
    path(f"{_ONE}/edit/", create.edit, name="edit"),
    path(f"{_ONE}/enter/", entering.enter, name="enter"),
    path(f"{_ONE}/withdraw/", entering.withdraw, name="withdraw"),
    path(f"{_ONE}/standings/", standings.standings, name="standings"),
    path(f"{_ONE}/standings.csv", standings.standings_csv, name="standings-csv"),
    path(f"{_ONE}/standings.json", standings.standings_json, name="standings-json"),
    path(f"{_ONE}/rounds/", rounds.latest_round, name="rounds"),
    path(f"{_ONE}/rounds/<int:number>/", rounds.one_round, name="round"),
    path(f"{_ONE}/bracket/", rounds.knockout, name="bracket"),
    path(f"{_ONE}/schedule/", tournament.schedule, name="schedule"),
    path(f"{_ONE}/entries/", tournament.entries, name="entries"),
    path(f"{_ONE}/rules/", tournament.rules, name="rules"),
    path(f"{_ONE}/log/", tournament.log, name="log"),
    path(f"{_ONE}/manage/", manage.manage, name="manage"),
    path(f"{_ONE}/manage/<slug:do>/", manage.step, name="step"),
    path(f"{_ONE}/manage/<slug:do>/confirm/", irreversible.confirm_action, name="confirm-action"),
    path("organise/", organise.organise, name="organise"),
]
