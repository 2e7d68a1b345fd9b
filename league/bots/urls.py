"""The addresses of bots, their versions and uploads."""

from django.urls import path

from league.bots.views import (
    check,
    difference,
    directory,
    faults,
    head_to_head,
    matches,
    opponents,
    overview,
    settings,
    smoke_match,
    source,
    upload,
    version,
    versions,
)
from league.matches.views.feeds import BotFeed

app_name = "bots"
_BOT = "bots/<slug:slug>"
_VERSION = f"{_BOT}/versions/<int:number>"
_SMOKE = "uploads/<int:pk>/smoke/<slug:game>"
urlpatterns = [
    path("bots/", directory.directory, name="directory"),
    path("bots/new/", upload.new, name="new"),
    path("bots/check/", upload.check, name="check"),
    path(f"{_BOT}/", overview.overview, name="bot"),
    path(f"{_BOT}/about/", version.describe, name="describe"),
    path(f"{_BOT}/challenge/", overview.challenge, name="challenge"),
    path(f"{_BOT}/diff/", difference.difference, name="diff"),
    path(f"{_BOT}/faults/", faults.faults, name="faults"),
    path(f"{_BOT}/feed.atom", BotFeed(), name="feed"),
    path(f"{_BOT}/matches/", matches.matches, name="matches"),
    path(f"{_BOT}/opponents/", opponents.opponents, name="opponents"),
    path(f"{_BOT}/settings/", settings.settings, name="settings"),
    path(f"{_BOT}/settings/delete/", settings.delete, name="delete"),
    path(f"{_BOT}/settings/rename/", settings.rename, name="rename"),
    path(f"{_BOT}/settings/retire/", settings.retire, name="retire"),
    path(f"{_BOT}/settings/return/", settings.bring_back, name="bring-back"),
    path(f"{_BOT}/versions/", versions.versions, name="versions"),
    path(f"{_BOT}/versions/new/", upload.new_version, name="new-version"),
    path(f"{_BOT}/versions/check/", upload.check, name="check-version"),
    path(f"{_VERSION}/", source.source, name="source"),
    path(f"{_VERSION}/bot.py", source.download, name="download"),
    path(f"{_VERSION}/bundle.zip", source.archive, name="archive"),
    path(f"{_VERSION}/delete/", version.erase, name="erase"),
    path(f"{_VERSION}/files/<path:path>/", source.file, name="file"),
    path(f"{_VERSION}/raw/<path:path>", source.download_file, name="download-file"),
    path(f"{_VERSION}/activate/", version.activate, name="activate"),
    path(f"{_VERSION}/publish/", version.publish, name="publish"),
    path(f"{_BOT}/vs/<slug:other>/", head_to_head.pair, name="head-to-head"),
    path(f"{_BOT}/vs/<slug:other>/queue/", head_to_head.queue, name="queue"),
    path("uploads/drafts/<uuid:key>/", upload.resume, name="resume"),
    path("uploads/<int:pk>/", check.upload, name="upload"),
    path(f"{_SMOKE}/", smoke_match.match, name="smoke-match"),
    path(f"{_SMOKE}/record.json", smoke_match.as_json, name="smoke-record"),
]
