"""Who was going to win: the chances in a recorded match, estimated for those who watch it.

estimate   plays positions of a match out, many times
policy     how all seats go on then; a kit may bring a better one in `playouts.py`
turning    what turned the match
story      tells all of it in a few sentences
values     what comes out, as plain values
"""
