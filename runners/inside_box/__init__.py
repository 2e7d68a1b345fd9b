"""What runs inside a box, beside the bot: this package, and nothing else of `runners`.

It is staged as bytecode. The start of every box pays for every module, so it imports next to
nothing. Nothing it says is believed.
"""
