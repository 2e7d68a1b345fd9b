"""The `karat` command: exit status 0 = success, 1 = the answer is no, 2 = used wrongly."""


def main() -> None:
    """Run the command."""
    # Processes that play matches for the command import this module again, and nothing below it.
    from bots_sdk.cli.run import main as run  # noqa: PLC0415

    run()
