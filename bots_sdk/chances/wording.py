"""The wordings of a story: some for each thing it can tell, so that matches seldom read alike."""

LEADS = (
    "Halfway through, {seat} was the favourite with a chance of {chance}.",
    "At half time {seat} was most likely to win, with {chance}.",
    "In the middle of the match things looked best for {seat}: {chance}.",
)
OPEN = (
    "Halfway through, nobody was clearly ahead.",
    "In the middle of the match it was anybody’s game.",
    "At half time the match was still open.",
)
TURNS = (
    "What turned it was step {step}: {text}",
    "The turning point was step {step}: {text}",
)
"""The winner of the match became the favourite."""
LATE_TURNS = (*TURNS, "Then came step {step}: {text}")
"""The same after half time."""
HELPS = (
    "What helped {winner} was step {step}: {text}",
    "Step {step} helped {winner}: {text}",
)
"""The winner of the match was the favourite already, or not yet."""
SWINGS = (
    "The chances swung at step {step}: {text}",
    "Much changed at step {step}: {text}",
)
"""A swing that may not be what mattered most for the winner."""
RISES = (
    "That took {seat} from {then} to {now}{others}.",
    "The chance of {seat} rose from {then} to {now}{others}.",
    "{seat} had {then} before and {now} after it{others}.",
)
FALLS = (
    "That took {seat} from {then} down to {now}{others}.",
    "The chance of {seat} fell from {then} to {now}{others}.",
    "{seat} had {then} before and only {now} after it{others}.",
)
SLOW_RISES = (
    "Between steps {first} and {last} {seat} rose from {then} to {now}{others}.",
    "Step by step, from {first} to {last}, {seat} went up from {then} to {now}{others}.",
)
SLOW_FALLS = (
    "Between steps {first} and {last} {seat} fell from {then} to {now}{others}.",
    "Step by step, from {first} to {last}, {seat} went down from {then} to {now}{others}.",
)
LOST_MOST = (", mostly at the expense of {other}", ", and {other} paid for most of it")
LOST = ("; nobody lost more than {other}",)
GAINED_MOST = (", mostly to the benefit of {other}", ", and most of it went to {other}")
GAINED = ("; nobody gained more than {other}",)
LATER_SWINGS = (
    "It also swung {at} step {step}, where {seat} went from {then} to {now}.",
    "After that, {at} step {step}, {seat} went from {then} to {now}.",
    "Later, {at} step {step}, {seat} went from {then} to {now}.",
)
EARLIER_SWINGS = (
    "Before that, {at} step {step}, {seat} had gone from {then} to {now}.",
    "It had also swung before, {at} step {step}, when {seat} went from {then} to {now}.",
    "Earlier, {at} step {step}, {seat} had gone from {then} to {now}.",
)
QUIET = (
    "No single step turned it: the chances changed little by little.",
    "There was no turning point; it was decided bit by bit.",
)
COMEBACKS = (
    "From a chance of {low} at step {step}, {seat} still won with {score}",
    "{seat} was down to {low} at step {step} and won after all, with {score}",
)
SAFE = (
    "{seat} was the favourite throughout the second half and won with {score}",
    "Nobody caught up with {seat}, who won with {score}",
)
WINS = (
    "In the end {seat} won with {score}",
    "{seat} won with {score}",
    "The winner was {seat} with {score}",
)
SECONDS = ("; {others} came second with {score}.", ", ahead of {others} with {score}.")
