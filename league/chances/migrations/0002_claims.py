import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chances", "0001_initial")]

    operations = [
        migrations.AddField(
            "matchchances",
            "claimed_at",
            models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            "matchchances",
            "attempts",
            models.PositiveSmallIntegerField(default=1),
        ),
    ]
