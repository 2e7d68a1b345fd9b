"""Databases from before the migrations were squashed: they cannot be migrated, not even in part.

Nothing was released with them, so a league on one machine starts anew beside the old file. Nobody
but its operator decides what happens to a database on a server.
"""

from datetime import datetime
from pathlib import Path

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

_SUFFIXES = ("", "-wal", "-shm")
"""Of the files that SQLite keeps a database in."""


class FormerDatabase(Exception):
    """The database was made by migrations that no longer exist, and only its operator may act."""


def is_former(connection: BaseDatabaseWrapper) -> bool:
    """Return whether migrations of the league were applied that no longer exist."""
    own_labels = {app.label for app in apps.get_app_configs() if app.name.startswith("league.")}
    existing = MigrationLoader(None).disk_migrations or {}
    return any(
        app in own_labels and (app, name) not in existing
        for app, name in _applied_migrations(connection)
    )


def _applied_migrations(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    table = MigrationRecorder.Migration._meta.db_table
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return []
        cursor.execute(f"select app, name from {table}")
        return [(app, name) for app, name in cursor.fetchall()]


def move_aside(connection: BaseDatabaseWrapper, now: datetime) -> Path | None:
    """Move a former SQLite database aside under a dated name, and return the new path.

    Return None if the database is a current one. On a server nothing is changed.
    """
    if not is_former(connection):
        return None
    if connection.vendor != "sqlite":
        raise FormerDatabase(
            f"The database {connection.settings_dict['NAME']} was made by an older version of Karat"
            " and cannot be upgraded. Nothing was changed. Create an empty database, set"
            " DATABASE_URL to it and start again."
        )
    # The last connection to close writes what is left in the log into the file itself.
    connection.close()
    path = Path(connection.settings_dict["NAME"])
    former = path.with_name(f"{path.stem}-{now:%Y-%m-%d-%H%M%S}{path.suffix}")
    for suffix in _SUFFIXES:
        file = path.with_name(f"{path.name}{suffix}")
        if file.exists():
            file.rename(former.with_name(f"{former.name}{suffix}"))
    return former
