"""Running the tests in a folder as its author would."""

import os
import subprocess
import sys


def run_pytest(folder):
    """What pytest printed. Plugins that happen to be installed would only make it slow."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=folder, env=alone, capture_output=True, text=True, check=False
    )
    return done.stdout
