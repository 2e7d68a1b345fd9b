"""The queue of a ladder is counted without looking at all its matches."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0004_an_index_for_each_status")]

    operations = [
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["kind", "game"],
                name="matches_queued_of_kind",
                condition=models.Q(status="queued"),
            ),
        ),
    ]
