"""What a web server calls."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from league.web.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("KARAT_WEB", "1")
application = BodyLimit(get_asgi_application(), settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
