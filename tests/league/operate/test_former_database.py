"""A database from before the migrations were squashed is moved aside, never half migrated."""

import sqlite3
from datetime import UTC, datetime

import psycopg
import pytest
from django.db.utils import ConnectionHandler

from league.operate import former_database
from tests.league.home import SERVER, Home

# Other databases than that of the tests are asked too.
pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TABLE = "create table django_migrations (id integer primary key, app text, name text, applied text)"
FORMER = [
    ("matches", "0001_initial"),
    ("matches", "0009_pending_bench_reason"),
    ("tournaments", "0005_published_at"),
]


def write_migrations(path, migrations):
    """Write a database with these migrations applied; the open connection keeps a log beside it."""
    database = sqlite3.connect(path)
    database.execute("pragma journal_mode=wal")
    database.execute(TABLE)
    for app, name in migrations:
        database.execute(
            "insert into django_migrations (app, name, applied) values (?, ?, ?)",
            (app, name, "2026-01-01 00:00:00"),
        )
    database.commit()
    return database


def connect(path):
    handler = ConnectionHandler(
        {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}}
    )
    return handler["default"]


@pytest.fixture
def path(tmp_path, settings):
    # In tests the tables are made without migrations.
    settings.MIGRATION_MODULES = {}
    return tmp_path / "karat.sqlite3"


def test_a_former_database_is_moved_with_its_log_under_a_dated_name(path):
    still_open = write_migrations(path, FORMER)
    moved = former_database.move_aside(connect(path), NOW)
    assert moved == path.with_name("karat-2026-03-01-123000.sqlite3")
    assert sorted(file.name for file in path.parent.iterdir()) == [
        moved.name,
        f"{moved.name}-shm",
        f"{moved.name}-wal",
    ]
    still_open.close()
    rows = sqlite3.connect(moved).execute("select app, name from django_migrations")
    assert rows.fetchall() == FORMER


@pytest.mark.parametrize(
    "migrations",
    [
        pytest.param([], id="empty"),
        pytest.param([("matches", "0001_initial")], id="of this version"),
        pytest.param([("axes", "0999_of_a_library")], id="of somebody else"),
    ],
)
def test_a_current_database_stays_where_it_is(path, migrations):
    write_migrations(path, migrations).close()
    assert former_database.move_aside(connect(path), NOW) is None
    assert path.exists()


def test_no_database_at_all_is_a_new_one(path):
    assert former_database.move_aside(connect(path), NOW) is None


@pytest.mark.skipif(SERVER, reason="a league on one machine has a file")
def test_the_league_says_so_and_starts_with_an_empty_database(tmp_path):
    home = Home(tmp_path, {})
    write_migrations(tmp_path / "karat.sqlite3", FORMER).close()
    try:
        messages = home.python(
            """
            import io
            from league.operate.management.commands.run import Command
            output = io.StringIO()
            Command(stdout=output)._prepare()
            tell(output.getvalue())
            """
        )
        assert home.python("tell(Match.objects.count())") == 0
    finally:
        home.end()
    (moved,) = tmp_path.glob("karat-*.sqlite3")
    assert "was made by an older version and cannot be upgraded" in messages
    assert f"it was moved to {moved}; the league starts with an empty one" in messages


@pytest.mark.skipif(not SERVER, reason="needs PostgreSQL")
def test_a_server_refuses_and_changes_nothing(home):
    with psycopg.connect(home.env["DATABASE_URL"], autocommit=True) as database:
        database.execute(
            "insert into django_migrations (app, name, applied)"
            " values ('matches', '0009_pending_bench_reason', now())"
        )
        answer = home.manage("run", check=False)
        count = database.execute("select count(*) from matches_match").fetchone()
    assert answer.returncode == 1
    assert "was made by an older version of Karat and cannot be upgraded" in answer.stderr
    assert count == (0,)
