"""The league: a Django project around bots, matches, ladders and tournaments."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
