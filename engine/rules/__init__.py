"""The games, by the name a record gives in ``rules``. A further game is one module and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.rules.hangzhou import Hangzhou
from engine.rules.jinhua import Jinhua
from engine.rules.xiamen import Xiamen
from engine.rules.yunxiao import Yunxiao
from engine.rules.zhangzhou import Zhangzhou

if TYPE_CHECKING:
    from engine.rules.base import RuleSet

#: Every game by name.
GAMES: Final[dict[str, RuleSet[Any]]] = {
    game.name: game for game in (Xiamen(), Zhangzhou(), Yunxiao(), Jinhua(), Hangzhou())
}
