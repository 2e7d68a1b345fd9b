"""What the tests of the league share."""

from tests.league.home import empty_home, home
from tests.league.quiet import nobody_asked_before, plain_static_files, quick_passwords

__all__ = ["empty_home", "home", "nobody_asked_before", "plain_static_files", "quick_passwords"]
