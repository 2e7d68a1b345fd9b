"""What a web server calls."""

import os

import django
from django.conf import settings
from django.utils.module_loading import import_string

from league.web import start_up
from league.web.bodies.large import LargeBodies
from league.web.bodies.limit import BodyLimit
from league.web.thread_handler import ThreadHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("KARAT_WEB", "1")
django.setup(set_prefix=False)
# Models can only be imported from here on.
application = import_string("league.stage.live.application.Live")(
    BodyLimit(
        ThreadHandler(),
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        LargeBodies(import_string("league.accounts.senders.identify")),
    ),
    settings.LIVE_CONNECTIONS,
)
start_up.prepare()
