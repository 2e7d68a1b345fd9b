"""The codes of what is wrong with an upload before it is run, and of what is worth a notice."""

from runners.codes import Code

UPLOAD_CODES = (
    Code(
        "E101",
        "Python cannot read the file",
        "upload",
        "[in `{module}`, ][line {line}, column {column}: {error}.|line {line}: {error}.|{error}."
        "|line {line} is not Python.|part of it is not Python.]",
        "Python stops here, so nothing after this line was checked. "
        "[{hint}.|Look at this line and at the end of the one before it.]"
        "[ (We use Python {python}.)]",
    ),
    Code(
        "E102",
        "No bot class found",
        "upload",
        "We looked for a class that inherits from `Bot`[ in `{module}`] and found none."
        "[ Classes in the file: {classes}.]",
        "[Add `BOT = {imported}` at the end of the file: a class of another file has to be named."
        "|Change line {line} to `class {name}(Bot):` and add `from bots_sdk import Bot` at the top."
        "|Write `class MyBot(Bot):` and add `from bots_sdk import Bot` at the top.]",
    ),
    Code(
        "E103",
        "More than one bot class",
        "upload",
        "Found [{count}: {classes}|{classes}|{count}|several][ in `{module}`]."
        " We cannot know which one should play.",
        "Keep one, or add `BOT = [{name}|MyBot]` at the end of the file.",
    ),
    Code(
        "E104",
        "A method is missing or has the wrong parameters",
        "upload",
        "[in `{module}`, ][line {line}: `{signature}` {reason}."
        "|line {line}: `{signature}` takes {count} parameters, but it is called with 3:"
        " `{method}(self, view, options)`."
        "|`{name}` (line {line}) has no method `decide`, which is asked for every move."
        " Line {method_line} has `{method}`."
        "|`{name}` (line {line}) has no method `decide`, which is asked for every move."
        "|a method for moves is missing, or does not take `(self, view, options)`.]",
        "[Rename `{method}` in line {method_line} to `{near}`."
        "|Write `def {method}(self, view, options):`.|Write `def decide(self, view, options):`.]"
        " If you do not need the options, keep the name and ignore it.",
    ),
    Code(
        "E105",
        "This import is not allowed",
        "upload",
        "[In `{module}`, line {line}: `{statement}`. |Line {line}: `{statement}`. |`{statement}`. ]"
        "Bots run without network, files and processes, so this module would not work.",
        "[A module of Python comes before `{own}`: rename that file. ]"
        "[No other file imports `{unused}`: you can also leave it out. ]"
        "Allowed: [{allowed}|the standard library without network, files and processes; numpy]."
        " The full list is at /docs/errors/E105/.",
    ),
    Code(
        "E106",
        "The file cannot be used",
        "upload",
        "[{reason}.|It is not one text file of a size that we take.]",
        'Upload one `.py` text file. Large tables: see "Shrinking a bot" in the docs,'
        " or put them into a bundle.",
    ),
    Code(
        "E107",
        "The bot does not play this game",
        "upload",
        "[`{name}` plays {games}, not {game}.|`games` does not name the game.]",
        "Check it for a game that it plays, or change `games` or the base class."
        " Without `games`, a plain `Bot` plays all games.",
    ),
    Code(
        "E108",
        "A method that nobody calls",
        "notice",
        "[`{file}`, line {line}: |Line {line}: ]nobody calls [`{method}`|a method of your bot]."
        "[ `{near}` is the method that is called.]",
        "[Rename it to `{near}`; until then, `{base}` makes that decision for you."
        "|Compare its name with the methods of the class you inherit from.]"
        " A helper of your own is best named with a leading `_`.",
    ),
    Code(
        "E109",
        "The bundle cannot be used",
        "upload",
        "[`{file}`: ][{reason}.|a file of it, or the archive itself, is not one that we take.]",
        "A bundle is a folder with `bot.py` at its top, or a `.zip` of one."
        " `karat pack` makes one from a folder.",
    ),
    Code(
        "E110",
        "A module is missing",
        "upload",
        "[`{file}`, line {line}: |`{file}`: |Line {line}: ][`{statement}` names|an import names]"
        " a module that is neither in the bundle nor in a box.",
        "Add the file to the bundle, or correct the name. Besides its own files, a bot can import"
        " the standard library and numpy."
        "[ No other file imports `{unused}`: you can also leave it out.]",
    ),
    Code(
        "E111",
        "Modules import each other",
        "notice",
        "[`{file}`, line {line}: |`{file}`: |Line {line}: ]modules of the bundle import each other"
        " while they are loaded[: {files}].",
        "The first one of them is only half loaded when another one uses it. Move an import into"
        " the function that needs it, or what both need into a module of its own.",
    ),
    Code(
        "E112",
        "A file with the name of a library",
        "notice",
        "[`{file}`, line {line}: |`{file}`: |Line {line}: ][`{statement}` imports|an import takes]"
        " the library of this name[, not `{own}` of the bundle].",
        "If you mean your own file, rename it, or import it relatively, with a leading dot."
        " Otherwise all is well.",
    ),
)
