# tries: answer with a list that contains itself; verdict: raised|nothing
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        answer = [options[0]]
        answer.append(answer)
        return answer
