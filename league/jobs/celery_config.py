"""Configuration of Celery: messages go through files under `var/broker`, or through Redis.

A message only wakes a worker. It carries nothing that is not in the database, so it may be lost or
come twice; workers look for jobs by themselves.
"""

from typing import Any

from django.conf import settings

import league.jobs.file_broker  # noqa: F401  makes its transport known

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
    }
broker_connection_retry_on_startup = True
broker_connection_max_retries = None

task_ignore_result = True
task_publish_retry = False
task_serializer = "json"
accept_content = ["json"]
task_default_queue = "matches"

worker_prefetch_multiplier = 1
worker_enable_remote_control = False
worker_hijack_root_logger = False
worker_send_task_events = False
