"""The messenger: Celery only says "look now". Every job is a row of the database."""

import os
import signal
import sys
import warnings

import billiard.pool
from celery import Celery, signals
from celery.exceptions import SecurityWarning
from django.db import close_old_connections

from league.parent import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Commands of manage.py check everything before they start; twice takes a second for nothing.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("karat")
app.config_from_object("league.messages")
# With somebody who listens, Celery leaves logs as Django has set them up.
signals.setup_logging.connect(lambda **_: None, weak=False)
# Root is warned of messages that run code when they are read; ours are JSON, and boxes drop root.
warnings.filterwarnings("ignore", category=SecurityWarning)
# Django's own rule for connections, instead of Celery's, which makes a new one for every message.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize
signals.task_prerun.connect(lambda **_: close_old_connections(), weak=False)
signals.task_postrun.connect(lambda **_: close_old_connections(), weak=False)
# A process that ends waits until its parent has heard of all it did. The parent may have stopped
# listening, and nobody needs the answers of hints: one second instead of half a minute.
billiard.pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = 10
# The clock of a control process that is killed would tick on for nobody.
signals.beat_embedded_init.connect(lambda **_: end_with_parent(signal.SIGKILL), weak=False)
app.autodiscover_tasks(
    ["league.bots", "league.matches", "league.ladder", "league.tournaments", "league.operate"]
)
