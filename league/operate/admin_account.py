"""The operator's account: its password is generated, short enough to type, and kept under `var/`.

Only the owner of the folder can read the file.
"""

import secrets
from pathlib import Path

from django.conf import settings

from league.accounts.models import User
from league.config.environment import own_secret

NAME = "admin"
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for another."""
GROUPS, GROUP_LENGTH = 2, 5
"""About 50 bits; eight wrong attempts lock an address out for a while."""


def draw_password() -> str:
    """Return a new random password, in groups for the eye."""
    return "-".join(
        "".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS)
    )


def password_path() -> Path:
    """Return the file with the generated password."""
    return Path(settings.VAR) / "admin_password"


def ensure() -> None:
    """Create the account, unless somebody can administer this league already."""
    if not User.objects.filter(is_superuser=True).exists():
        password = own_secret(password_path(), draw_password)
        User.objects.create_superuser(NAME, password=password)


def current_password() -> str | None:
    """Return the generated password as long as it is valid: people may choose one of their own."""
    path = password_path()
    if not path.exists():
        return None
    password = path.read_text().strip()
    admin = User.objects.filter(username=NAME).first()
    return password if admin and admin.check_password(password) else None
