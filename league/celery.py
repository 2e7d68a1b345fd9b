"""The messenger: Celery only says "look now". Every job is a row of the database."""

import os

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("karat")
app.config_from_object("league.messages")
# With somebody who listens, Celery leaves logs as Django has set them up.
signals.setup_logging.connect(lambda **_: None, weak=False)
app.autodiscover_tasks(
    ["league.bots", "league.matches", "league.ladder", "league.tournaments", "league.operate"]
)
