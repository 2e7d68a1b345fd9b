"""The Celery app. Its messages only wake workers: every job is a row of the database."""

import os
import warnings

from celery import Celery, signals
from celery.exceptions import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Commands of manage.py run the checks before they start; a second time takes a second for nothing.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("karat")
app.config_from_object("league.jobs.celery_config")
# With a receiver connected, Celery leaves logging as Django has set it up.
signals.setup_logging.connect(lambda **_: None, weak=False)
# Celery warns root of messages that run code when they are read; these are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
app.autodiscover_tasks(["league.workers"])
