"""How messages travel: through files under `var/broker`, or through Redis.

A message is a hint. None carries anything that is not in the database, so all may be lost or come
twice; the tick looks for what was forgotten.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings

import league.files  # noqa: F401  makes its transport known
from runners.limits import MAX_SEATS

MAX_MATCH_SECONDS = settings.LIMITS.max_match_seconds(MAX_SEATS)
DRAIN_SECONDS = 10
"""So long a worker goes on with the next match before it looks into its mail again."""

broker_url = settings.REDIS_URL or "karat-files://localhost/"
if broker_url.startswith("unix://"):
    # A socket and the number of a database have other names here than in Django's cache.
    broker_url = broker_url.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
broker_transport_options: dict[str, Any] = {"visibility_timeout": 900}
if not settings.REDIS_URL:
    _folders = {
        name: settings.VAR / "broker" / name for name in ("messages", "control", "processed")
    }
    for _folder in _folders.values():
        _folder.mkdir(parents=True, exist_ok=True)
    broker_transport_options = {
        "data_folder_in": str(_folders["messages"]),
        "data_folder_out": str(_folders["messages"]),
        "control_folder": str(_folders["control"]),
        "processed_folder": str(_folders["processed"]),
        "polling_interval": 0.02,
    }
broker_connection_retry_on_startup = True

task_ignore_result = True
task_publish_retry = False
task_serializer = "json"
accept_content = ["json"]
task_default_queue = "control"
task_routes = {"league.matches.tasks.look": {"queue": "matches"}}
task_time_limit = MAX_MATCH_SECONDS + 20 + DRAIN_SECONDS

worker_prefetch_multiplier = 1
worker_enable_remote_control = False
worker_hijack_root_logger = False
worker_send_task_events = False

beat_schedule = {
    "tick": {
        "task": "league.ladder.tasks.tick",
        "schedule": timedelta(seconds=1),
        # Ticks that nobody heard in time are worth nothing.
        "options": {"expires": 5},
    },
    "tournaments": {
        "task": "league.tournaments.tasks.tick",
        "schedule": timedelta(seconds=1),
        "options": {"expires": 5},
    },
    "operate": {
        "task": "league.operate.tasks.tick",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},
    },
}
beat_schedule_filename = str(settings.VAR / "beat")
