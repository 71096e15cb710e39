"""Drawn tiles, rendered tables and the scripted demo: pictures whose truth is known to the pixel."""
