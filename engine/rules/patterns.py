"""Patterns that multiply (Jinhua, Hangzhou): the line of a settlement that shows them."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from engine.settlement import Line
from engine.text import Text, join

if TYPE_CHECKING:
    from engine.settlement import Pattern


@lru_cache(maxsize=1024)
def product_line(patterns: tuple[Pattern, ...]) -> Line:
    """The factors and their product.

    >>> from engine.settlement import Pattern
    >>> from engine.text import same
    >>> product_line((Pattern("a", same("A"), 2), Pattern("b", same("B"), 4))).text.en
    'A 2 × B 4 = ×8'
    """
    factor = Text("{name} {value}", "{name} {value}", "{name} {value}")
    factors = [factor.format(name=pattern.text, value=pattern.value) for pattern in patterns]
    form = Text("{factors}＝×{product}", "{factors}＝×{product}", "{factors} = ×{product}")
    listed = join(factors, chinese=" × ", english=" × ")
    return Line("patterns", form.format(factors=listed, product=prod(pattern.value for pattern in patterns)))
