"""The commands and their options. What they do is in the modules beside this one."""

from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli.commands import (
    arena as arena_command,
    check as check_command,
    doctor as doctor_command,
    duel as duel_command,
    login as login_command,
    new as new_command,
    pack as pack_command,
    play as play_command,
    push as push_command,
    rerun as rerun_command,
    tournaments,
    verify as verify_command,
    watch as watch_command,
)
from bots_sdk.cli.completion import (
    complete_bot,
    complete_bots,
    complete_folder,
    complete_game,
    complete_game_or_file,
    complete_record,
)
from bots_sdk.cli.match_request import core_count, read_request
from bots_sdk.cli.options import (
    BOT_FILES,
    BOTS_HELP,
    GAMES_HELP,
    BotFile,
    Bots,
    Boxed,
    FirstGame,
    Game,
    GameOption,
    Jobs,
    JobsOrAll,
    Json,
    Seed,
)
from bots_sdk.cli.output import say
from bots_sdk.cli.version import version_line
from runners.upload.check import FIXED_SEED

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True, epilog="Next: karat new my_bot.py")
def karat(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Karat: write bots that trade gems, let them play, and see how good they are."""
    if version:
        say(version_line())
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(epilog="Example: karat new my_bot.py --game edel-stein-reich")
def new(
    file: Annotated[Path, typer.Argument(help="the file to write, or with --bundle the folder")],
    game: Annotated[
        str | None,
        typer.Option(help=f"{GAMES_HELP}; default: the first", autocompletion=complete_game),
    ] = None,
    bundle: Annotated[
        bool, typer.Option("--bundle", help="make a folder with modules and a data file")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a bot to begin with. It already plays, and has ideas to try."""
    new_command.run(file, game, bundle, as_json)


@app.command(epilog="Example: karat pack my_bot --output my_bot-3.zip")
def pack(
    folder: Annotated[
        Path,
        typer.Argument(help="a folder with bot.py in it", autocompletion=complete_folder),
    ],
    output: Annotated[
        Path | None, typer.Option(help="the .zip to write; default: beside the folder")
    ] = None,
    compress: Annotated[
        bool, typer.Option("--compress", help="make it smaller; the digest stays the same")
    ] = False,
    as_json: Json = False,
) -> None:
    """Pack a bot with files into one .zip, and show what is inside.

    The same files make the same .zip on every machine, and the digest names exactly these files.
    Hidden files, caches and what editors leave behind are left out.
    """
    pack_command.run(folder, output, compress, as_json)


@app.command(epilog="Example: karat play my_bot.py")
def play(
    what: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FILE",
            help=f"{GAMES_HELP}; or a bot's file or folder, which gets opponents",
            autocompletion=complete_game_or_file,
        ),
    ],
    bots: Bots = None,
    seats: Annotated[int | None, typer.Option(help="number of seats, if one bot is named")] = None,
    seed: Seed = None,
    games: Annotated[int, typer.Option(help="how many matches", min=1)] = 1,
    option: GameOption = None,
    record: Annotated[
        Path | None, typer.Option(help="write the records to this file, one per line")
    ] = None,
    boxed: Boxed = False,
    logs: Annotated[Path | None, typer.Option(help="write what bots print to this folder")] = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Play matches between bots and show the results.

    One match is shown step by step, many as a table. What bots print goes to standard error. Exit
    status 1: a bot file had a fault.
    """
    request = read_request(what, bots, seats, seed, games, option or [], boxed)
    play_command.run(request, record, logs, jobs, as_json)


@app.command(epilog="Example: karat watch my_bot-7.json")
def watch(
    file: Annotated[
        Path,
        typer.Argument(
            help="a record: .json, or .jsonl with one per line", autocompletion=complete_record
        ),
    ],
    port: Annotated[int, typer.Option(help="the port on this machine; 0 is any")] = 0,
    browser: Annotated[bool, typer.Option(help="open the browser")] = True,
    text: Annotated[bool, typer.Option("--text", help="print the match as sentences")] = False,
) -> None:
    """Show the replay of a match in the browser, until Ctrl-C."""
    watch_command.run(file, port, browser, text)


@app.command(epilog="Example: karat arena basari --bots my_bot.py,greedy,random --deals 50")
def arena(
    game: Game,
    bots: Annotated[
        str,
        typer.Option(help=BOTS_HELP, autocompletion=complete_bots),
    ],
    games: Annotated[int, typer.Option(help="how many matches", min=1)] = 200,
    deals: Annotated[
        int, typer.Option(help="play deals instead, each in every rotation of the seats", min=0)
    ] = 0,
    seats: Annotated[
        str | None,
        typer.Option(help="comma-separated table sizes; default: all that can be filled"),
    ] = None,
    seed: Seed = None,
    option: GameOption = None,
    boxed: Boxed = False,
    jobs: JobsOrAll = None,
    as_json: Json = False,
) -> None:
    """Let all bots meet all others, and rate them.

    Shows ratings, who finishes before whom, faults and thinking times.
    """
    plan = arena_command.plan_arena(game, bots, seats, seed, games, deals, option or [], boxed)
    arena_command.run(plan, jobs or core_count(), as_json)


@app.command(epilog="Example: karat duel my_bot.py my_bot_old.py --deals 200")
def duel(
    new: Annotated[
        str,
        typer.Argument(help=f"a bot: a name or {BOT_FILES}", autocompletion=complete_bot),
    ],
    old: Annotated[
        str, typer.Argument(help="the bot it is compared with", autocompletion=complete_bot)
    ],
    game: FirstGame = None,
    deals: Annotated[int, typer.Option(help="maximum number of deals", min=1)] = 200,
    against: Annotated[
        str | None,
        typer.Option(
            help="comma-separated opponents for the other seats, repeated if fewer; "
            "default: greedy and random",
            autocompletion=complete_bots,
        ),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(help="number of seats; default: one more than --against names, or 4"),
    ] = None,
    seed: Seed = None,
    option: GameOption = None,
    boxed: Boxed = False,
    jobs: JobsOrAll = None,
    as_json: Json = False,
) -> None:
    """Find out whether one bot is better than another.

    Both play the same deals from the same seats against the same opponents. It ends as soon as the
    answer is clear. Stopping early is safe: two equal bots are called different in at most 5 of 100
    duels. Exit status 1: it is worse, or committed faults.
    """
    plan = duel_command.plan_duel(new, old, game, against, seats, seed, deals, option or [], boxed)
    duel_command.run(plan, jobs or core_count(), as_json)


@app.command(epilog="Example: karat check my_bot.py --game basari")
def check(
    file: BotFile,
    game: FirstGame = None,
    seed: Annotated[
        str, typer.Option(help="seed of the positions and the match, as a league reports it")
    ] = FIXED_SEED,
    as_json: Json = False,
) -> None:
    """Check a bot as the league does before it lets it play.

    Reads it, starts it in a box, asks it for moves in many positions, and plays a match.
    """
    check_command.run(file, game, seed, as_json)


@app.command(epilog="Example: karat verify out.jsonl")
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="records: .json, or .jsonl with one per line", autocompletion=complete_record
        ),
    ],
    as_json: Json = False,
) -> None:
    """Play recorded matches again, and name what differs.

    Names the first step of every record that is not as the rules make it.
    """
    verify_command.run(files, as_json)


@app.command(epilog="Example: karat login --url https://league.example")
def login(
    url: Annotated[
        str | None, typer.Option(envvar="KARAT_URL", help="the address of the league")
    ] = None,
    token: Annotated[
        str | None, typer.Option(help="an access key; safer at the prompt or in KARAT_TOKEN")
    ] = None,
    as_json: Json = False,
) -> None:
    """Save the address of a league and your access key.

    `push`, `enter`, `follow`, `tournaments` and `rerun` use them.
    """
    login_command.run(url, token, as_json)


@app.command(epilog='Example: karat push my_bot.py -m "first try"')
def push(
    file: BotFile,
    note: Annotated[str, typer.Option("--message", "-m", help="a note about the version")] = "",
    bot: Annotated[
        str | None,
        typer.Option(
            help="your bot, by its name or as in its address; default: the one named like its class"
        ),
    ] = None,
    check: Annotated[bool, typer.Option(help="check it on this machine first")] = True,
    as_json: Json = False,
) -> None:
    """Check a bot, upload it and follow the league's checks.

    It is checked here first, as by `karat check`, so that most mistakes are found at once.
    """
    push_command.run(file, note, bot, check, as_json)


@app.command("cups", hidden=True)
@app.command("tournaments", epilog="Example: karat tournaments")
def list_tournaments(as_json: Json = False) -> None:
    """List the tournaments of the league, the latest first."""
    tournaments.list_tournaments(as_json)


@app.command(epilog="Example: karat enter friday-cup-14 my-bot")
def enter(
    tournament: Annotated[str, typer.Argument(help="as in its address")],
    bot: Annotated[str, typer.Argument(help="your bot, by its name or as in its address")],
    code: Annotated[str, typer.Option(help="the invite code, if it needs one")] = "",
    as_json: Json = False,
) -> None:
    """Enter one of your bots in a tournament that is open."""
    tournaments.enter(tournament, bot, code, as_json)


@app.command(epilog="Example: karat follow friday-cup-14")
def follow(
    tournament: Annotated[str, typer.Argument(help="as in its address")],
    as_json: Json = False,
) -> None:
    """Wait for a tournament to end, and show its standings. Exit status 1: it was cancelled."""
    tournaments.follow(tournament, as_json)


@app.command(
    short_help="Ask a bot again what it was asked in a match.",
    epilog="Example: karat rerun 48211 --step 141 my_bot.py",
)
def rerun(
    match: Annotated[
        str,
        typer.Argument(help="a match of the league, or a record: my_bot-7.json, out.jsonl:3"),
    ],
    file: BotFile,
    step: Annotated[
        int | None, typer.Option(help="the step of the decision; default: the bot's first fault")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="the letter of the seat; default: the one named like the file"),
    ] = None,
    view: Annotated[
        bool, typer.Option("--view", help="print what the bot saw, and its options")
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot again what it was asked at one step of a match.

    Shows its answer, or its fault with the traceback. It is also asked everything before that
    step, so that it remembers what it knew then. Exit status 1: it had a fault.
    """
    rerun_command.run(match, step, file, seat, view, as_json)


@app.command(epilog="Example: karat doctor")
def doctor(
    as_json: Json = False,
) -> None:
    """Test the sandbox on this machine, and say what to fix.

    Tries every wall that keeps a bot in its box. Exit status 1: one does not hold.
    """
    doctor_command.run(as_json)
