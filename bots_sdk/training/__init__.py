"""Training of small networks with numpy: imitate a teacher, then improve by policy gradient.

`python -m bots_sdk.training GAME FOLDER` trains one and writes it to a folder that can be packed.
"""
