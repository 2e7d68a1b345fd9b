"""The replay viewer: what a server writes for a match, and the files that make it move.

The server writes everything that is text: the log, the timeline, the key moments, the charts; a
page that includes it can be read without JavaScript. The modules beside this draw the table from
the record, in step with all of that.
"""

from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import Replay, replay_of

__all__ = ["Replay", "replay_html", "replay_of"]
