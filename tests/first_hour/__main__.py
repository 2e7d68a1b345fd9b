"""Write into every page what its commands print on the machine of an author."""

import os
import sys
from pathlib import Path

from tests.first_hour import author_machine
from tests.first_hour.console import PAGES, ROOT, rewrite


def main() -> None:
    """Run the commands of all pages with the site's wheel."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    python = author_machine.python_for_everybody() or Path(sys.executable)
    with author_machine.machine(python) as machine:
        for number, name in enumerate(PAGES):
            path = ROOT / name
            shell = machine.shell(machine.folder / f"page {number}")
            path.write_text(rewrite(path.read_text(encoding="utf-8"), shell), encoding="utf-8")
            print(f"{name} is up to date.")


if __name__ == "__main__":
    main()
