"""What a web server calls."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("KARAT_WEB", "1")
application = get_asgi_application()
