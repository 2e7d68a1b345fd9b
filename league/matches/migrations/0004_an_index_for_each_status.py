"""Matches that wait, run or are void are found without looking at those that are finished."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0003_care_for_workers")]

    operations = [
        migrations.RemoveIndex("match", "matches_to_play"),
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["priority", "id"],
                name="matches_queued",
                condition=models.Q(status="queued"),
            ),
        ),
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["id"], name="matches_running", condition=models.Q(status="running")
            ),
        ),
        migrations.AddIndex(
            "match",
            models.Index(fields=["id"], name="matches_void", condition=models.Q(status="void")),
        ),
    ]
