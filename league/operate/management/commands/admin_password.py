"""`manage.py admin_password`: show the generated password of the operator again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.operate import admin_account


class Command(BaseCommand):
    """The password that `manage.py run` generated."""

    help = "Show the name and the generated password of the operator's account."

    def handle(self, *_: Any, **__: Any) -> None:
        """Print name and password, or how to set a new one."""
        password = admin_account.current_password()
        if password is None:
            raise CommandError(
                f"there is no generated password for {admin_account.NAME}, or it was changed; "
                f"set a new one with: .venv/bin/python manage.py changepassword "
                f"{admin_account.NAME}"
            )
        self.stdout.write(f"{admin_account.NAME} {password}")
