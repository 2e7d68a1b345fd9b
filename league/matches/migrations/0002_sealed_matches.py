from django.db import migrations, models

# Django would rewrite the whole table on SQLite. Both databases add a column with a constant
# default without touching a row.
_ADD = "alter table matches_match add column sealed bool not null default false"
_REMOVE = "alter table matches_match drop column sealed"


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [
        migrations.RunSQL(
            _ADD,
            _REMOVE,
            state_operations=[
                migrations.AddField(
                    "match", "sealed", models.BooleanField(db_default=False, default=False)
                )
            ],
        ),
        migrations.AddField("match", "revealed_at", models.DateTimeField(blank=True, null=True)),
    ]
