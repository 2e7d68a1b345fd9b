from django.db import migrations

# Before there were chances, excitement was measured on another scale. Both cannot be sorted together.
_FORGET = "update matches_match set excitement = 0 where excitement <> 0"


class Migration(migrations.Migration):
    dependencies = [("chances", "0002_claims"), ("matches", "0002_sealed_matches")]

    operations = [migrations.RunSQL(_FORGET, migrations.RunSQL.noop)]
