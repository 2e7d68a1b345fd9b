"""The messenger: Celery only says "look now". Every job is a row of the database."""

import os
import warnings

from celery import Celery, signals
from celery.exceptions import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Commands of manage.py check everything before they start; twice takes a second for nothing.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("karat")
app.config_from_object("league.jobs.celery_config")
# With somebody who listens, Celery leaves logs as Django has set them up.
signals.setup_logging.connect(lambda **_: None, weak=False)
# Root is warned of messages that run code when they are read; ours are JSON, and boxes drop root.
warnings.filterwarnings("ignore", category=SecurityWarning)
app.autodiscover_tasks(["league.workers"])
