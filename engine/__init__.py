"""The rules of the games: pure, deterministic, without input or output.

``engine.api`` is the door for everybody else; ``engine.cli`` is the command line.
"""
