from django.db import migrations, models
from django.db.models.functions import Coalesce


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_sealed_matches")]

    operations = [
        migrations.RemoveIndex("match", "matches_to_rate"),
        migrations.AddIndex(
            "match",
            models.Index(
                models.F("game"),
                Coalesce("revealed_at", "finished_at"),
                models.F("id"),
                condition=models.Q(ledger_position=None, rated=True, status="finished"),
                name="matches_to_rate",
            ),
        ),
    ]
