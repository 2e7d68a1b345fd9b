"""Running a league: the supervisor and the commands of an operator."""
