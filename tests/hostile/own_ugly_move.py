# tries: answer with control codes and a piece of a page; verdict: illegal
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return "\x1b[2J\u202e\x00\r<script>" * 20
