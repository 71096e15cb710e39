"""The words of these games, explained for people who learn them (RULES 8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.text import Text


@dataclass(frozen=True)
class Term:
    """One word of the table.

    Attributes:
        term: the word, with an English gloss.
        pinyin: how it is said.
        text: one or two sentences on what it means.
    """

    term: Text
    pinyin: str
    text: Text

    def as_json(self) -> dict[str, Any]:
        """Return the entry for the page's scripts."""
        return {"term": self.term.as_json(), "pinyin": self.pinyin, "text": self.text.as_json()}


GLOSSARY: dict[str, Term] = {
    "gold": Term(
        Text("金", "金", "金 gold"),
        "jīn",
        Text(
            "开局翻出的那种牌，可当任何一张牌用（不能当花）。真金打出后谁都不能吃、碰、杠、胡。金华、杭州叫财神。",
            "開局翻出的那種牌，可當任何一張牌用（不能當花）。真金打出後誰都不能吃、碰、槓、胡。金華、杭州叫財神。",
            "The kind that was turned up at the start. It stands for any tile but a flower. Once discarded nobody may claim it or win on it. In Jinhua and Hangzhou it is called 財神.",
        ),
    ),
    "white": Term(
        Text("白板代金", "白板代金", "白 white for gold"),
        "bái",
        Text(
            "翻出金以后，白板就是金的那张牌面，当普通牌吃碰胡；它不是万能牌，也不算金。金就是白板时，没有代替。",
            "翻出金以後，白板就是金的那張牌面，當普通牌吃碰胡；它不是萬能牌，也不算金。金就是白板時，沒有代替。",
            "Once the gold is turned, the white dragon is an ordinary tile with the gold's face. It is not wild and does not count as a gold. If the white itself is the gold, nothing is replaced.",
        ),
    ),
    "youjin": Term(
        Text("游金", "游金", "游金 youjin"),
        "yóujīn",
        Text(
            "打出一张后，其余的牌已成副，只剩一张金作将的一半：下一次自己摸到任何牌都胡，比自摸更大。",
            "打出一張後，其餘的牌已成副，只剩一張金作將的一半：下一次自己摸到任何牌都胡，比自摸更大。",
            "After your discard every set is complete and one gold is left over as half of the pair: any tile you draw next wins, and it pays more than a plain self-draw.",
        ),
    ),
    "shuangyou": Term(
        Text("双游、三游", "雙游、三游", "雙游, 三游 double and triple youjin"),
        "shuāngyóu, sānyóu",
        Text(
            "游金时将牌可以是两张金：打出一张金继续游，就是双游；再来一次是三游。赔得更多，也更险。",
            "游金時將牌可以是兩張金：打出一張金繼續游，就是雙游；再來一次是三游。賠得更多，也更險。",
            "In youjin, when the pair can be two golds, you may discard one gold and go on: that is double youjin; once more is triple. It pays more and risks more.",
        ),
    ),
    "water": Term(
        Text("水", "水", "水 water"),
        "shuǐ",
        Text(
            "底之外另计的分：花、金、碰、暗刻、杠各有水数，只算赢家的。",
            "底之外另計的分：花、金、碰、暗刻、槓各有水數，只算贏家的。",
            "Points on top of the base: flowers, golds, pongs, concealed triplets and kongs each give some. Only the winner's count.",
        ),
    ),
    "base": Term(
        Text("底", "底", "底 base"),
        "dǐ",
        Text(
            "每一局的底分。庄家的底较大，连庄时再加。",
            "每一局的底分。莊家的底較大，連莊時再加。",
            "The stake of a hand. The dealer's is larger and grows while the same player keeps dealing.",
        ),
    ),
    "ting": Term(
        Text("听", "聽", "聽 ready"),
        "tīng",
        Text(
            "只差一张就胡。张数已扣掉自己手里、副露和看得见的牌。",
            "只差一張就胡。張數已扣掉自己手裡、副露和看得見的牌。",
            "One tile away from winning. The copies left exclude those in your hand, in melds and in sight.",
        ),
    ),
    "kong": Term(
        Text("杠", "槓", "槓 kong"),
        "gàng",
        Text(
            "四张相同的牌。杠后从牌墙尾补一张。别人打出来的叫明杠，碰后补上的叫补杠，四张都在手里的叫暗杠。",
            "四張相同的牌。槓後從牌牆尾補一張。別人打出來的叫明槓，碰後補上的叫補槓，四張都在手裡的叫暗槓。",
            "Four of a kind, replaced by a tile from the end of the wall: exposed on a discard, added to a pong, or concealed when all four are yours.",
        ),
    ),
    "self_draw": Term(
        Text("自摸", "自摸", "自摸 self-draw"),
        "zìmō",
        Text("胡自己摸到的牌。", "胡自己摸到的牌。", "Winning with a tile you drew yourself."),
    ),
    "three_golds": Term(
        Text("三金倒", "三金倒", "三金倒 three golds"),
        "sānjīndǎo",
        Text(
            "手里有三张真金就可以摊牌，牌型不拘。",
            "手裡有三張真金就可以攤牌，牌型不拘。",
            "With three real golds in hand you may lay the hand down, whatever its shape.",
        ),
    ),
    "gold_grab": Term(
        Text("抢金", "搶金", "搶金 robbing the gold"),
        "qiǎngjīn",
        Text(
            "起手已听，把翻出来的那张金拿来胡。",
            "起手已聽，把翻出來的那張金拿來胡。",
            "Ready from the deal, you take the turned-up gold itself as the last tile.",
        ),
    ),
    "rob_kong": Term(
        Text("抢杠", "搶槓", "搶槓 robbing a kong"),
        "qiǎnggàng",
        Text(
            "别人把第四张补到碰上时，用这张牌胡。",
            "別人把第四張補到碰上時，用這張牌胡。",
            "Winning on the fourth tile another player adds to a pong.",
        ),
    ),
    "follow": Term(
        Text("跟打", "跟打", "跟打 following"),
        "gēndǎ",
        Text(
            "大牌有人打过，自己手里只有一张时必须跟着打。",
            "大牌有人打過，自己手裡只有一張時必須跟著打。",
            "When an honour has been discarded before and you hold a single one, you must discard it too.",
        ),
    ),
    "dealer": Term(
        Text("庄、连庄", "莊、連莊", "莊 dealer"),
        "zhuāng, liánzhuāng",
        Text(
            "庄家先摸牌。庄家胡或流局就连庄，底分加大。",
            "莊家先摸牌。莊家胡或流局就連莊，底分加大。",
            "The dealer plays first. He keeps the deal when he wins or nobody does, and the base grows.",
        ),
    ),
    "course": Term(
        Text("课、筹码、杀三", "課、籌碼、殺三", "課 course, 殺三"),
        "kè, chóumǎ, shāsān",
        Text(
            "一课每人 100 筹码，输光为止。一局清空三家叫杀三，另有奖。“课外”的奖与罚不从筹码里出。",
            "一課每人 100 籌碼，輸光為止。一局清空三家叫殺三，另有獎。「課外」的獎與罰不從籌碼裡出。",
            "A course gives everybody 100 chips. Emptying all three others in one hand is 殺三 and earns a bonus. Bonuses and fines are paid outside the chips.",
        ),
    ),
    "xianggong": Term(
        Text("相公", "相公", "相公 sitting out"),
        "xiànggong",
        Text(
            "张数不对或犯规的人：盖牌不再摸打，结算时照付。",
            "張數不對或犯規的人：蓋牌不再摸打，結算時照付。",
            "A player with a wrong number of tiles or an offence covers his hand, plays no more, and pays like any other loser.",
        ),
    ),
    "chengbao": Term(
        Text("承包", "承包", "承包 liability"),
        "chéngbāo",
        Text(
            "金华：同一家被吃碰杠满三次，两家互相承包，赢时由对方一人付，且加倍。",
            "金華：同一家被吃碰槓滿三次，兩家互相承包，贏時由對方一人付，且加倍。",
            "Jinhua: once a player has claimed three melds from the same player the two are bound; if one of them wins, the other pays for everybody, doubled.",
        ),
    ),
    "flowers": Term(
        Text("花", "花", "花 flowers"),
        "huā",
        Text(
            "春夏秋冬梅兰竹菊，摸到就摊开补牌。每张算水，成套更多。",
            "春夏秋冬梅蘭竹菊，摸到就攤開補牌。每張算水，成套更多。",
            "The eight seasons and plants. They are laid out and replaced at once; each scores, a complete family scores more.",
        ),
    ),
}
