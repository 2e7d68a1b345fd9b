"""Programs for children with limits. Each imports no part of the league, so that it starts fast."""
