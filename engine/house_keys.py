"""What every house key means (RULES section 10): its values, its name and a sentence for players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from engine.text import Text, same

if TYPE_CHECKING:
    from collections.abc import Mapping

Value: TypeAlias = "bool | int | str"
Kind = Literal["flag", "choice", "integer", "patterns"]


@dataclass(frozen=True)
class Setting:
    """What one house key means, for every game that has it.

    Attributes:
        key: the name used in records and TOML files.
        kind: ``flag`` true or false, ``choice`` one of `values`, ``integer`` a whole number of at least
            `minimum`, ``patterns`` an object from pattern key to multiplier.
        label: two to six words for a form.
        sentence: what the key changes, for a player.
        values: the allowed values in order, each with its name; empty for ``integer`` and ``patterns``.
        minimum: the least integer.
        course: true for the keys of RULES 10.2, which change the course of a game and no settlement.
    """

    key: str
    kind: Kind
    label: Text
    sentence: Text
    values: tuple[tuple[Value, Text], ...] = ()
    minimum: int = 1
    course: bool = False

    @property
    def allowed(self) -> tuple[Value, ...]:
        """The allowed values, without their names."""
        return tuple(value for value, _ in self.values)


_YES = Text("是", "是", "yes")
_NO = Text("否", "否", "no")
_FLAG: tuple[tuple[Value, Text], ...] = ((True, _YES), (False, _NO))


def _numbers(*values: int) -> tuple[tuple[Value, Text], ...]:
    """Names for a choice between numbers: the numbers themselves."""
    return tuple((value, same(str(value))) for value in values)


def _integer(key: str, label: Text, sentence: Text, minimum: int = 1, course: bool = False) -> Setting:
    return Setting(key, "integer", label, sentence, minimum=minimum, course=course)


def _flag(key: str, label: Text, sentence: Text, course: bool = False) -> Setting:
    return Setting(key, "flag", label, sentence, _FLAG, course=course)


def _choice(key: str, label: Text, sentence: Text, *values: tuple[Value, Text], course: bool = False) -> Setting:
    return Setting(key, "choice", label, sentence, values, course=course)


_ALL_SETTINGS: tuple[Setting, ...] = (
    # --- RULES 10.1: keys that change a settlement -------------------------------------------------
    _integer(
        "base",
        Text("底", "底", "base"),
        Text(
            "底、底注：最普通的一胡，每家所付的单位。",
            "底、底注：最普通的一胡，每家所付的單位。",
            "The unit every payment is counted in: what a loser pays for the plainest win.",
        ),
    ),
    _integer(
        "base_nondealer",
        Text("闲家底", "閒家底", "base of a non-dealer"),
        Text("闲家胡牌时的底。", "閒家胡牌時的底。", "The base when a non-dealer wins."),
    ),
    _integer(
        "base_dealer",
        Text("庄家底", "莊家底", "base of the dealer"),
        Text(
            "庄家的底（漳州：凡有庄家收付的一笔都用庄家底）。",
            "莊家的底（漳州：凡有莊家收付的一筆都用莊家底）。",
            "The base of the dealer (Zhangzhou: of every payment the dealer makes or receives).",
        ),
    ),
    _choice(
        "streak_mode",
        Text("连庄", "連莊", "dealer streak"),
        Text(
            "连庄怎么算：庄家底每连一次翻倍、每连一次所有的底加一，或不加。",
            "連莊怎麼算：莊家底每連一次翻倍、每連一次所有的底加一，或不加。",
            "What consecutive deals do: double the dealer's base each time, add one to every base, or nothing.",
        ),
        ("double", Text("庄底翻倍", "莊底翻倍", "dealer's base doubles")),
        ("plus_one", Text("每连加一", "每連加一", "every base plus one")),
        ("none", Text("不加", "不加", "nothing")),
    ),
    _choice(
        "formula",
        Text("计分公式", "計分公式", "formula"),
        Text(
            "水乘不乘倍数：（底＋水）×倍数，或底×倍数＋水。",
            "水乘不乘倍數：（底＋水）×倍數，或底×倍數＋水。",
            "Whether water is multiplied: (base + water) × multiplier, or base × multiplier + water.",
        ),
        ("sum_times_multiplier", Text("（底＋水）×倍", "（底＋水）×倍", "(base + water) × multiplier")),
        ("base_times_multiplier_plus_water", Text("底×倍＋水", "底×倍＋水", "base × multiplier + water")),
    ),
    _flag(
        "dealer_loser_pays_dealer_base",
        Text("庄家输按庄底付", "莊家輸按莊底付", "losing dealer pays the dealer's base"),
        Text(
            "庄家输时按庄家底（连庄在内）付，而不是按赢家的底。",
            "莊家輸時按莊家底（連莊在內）付，而不是按贏家的底。",
            "A losing dealer pays with the dealer's own base, streak included, not the winner's.",
        ),
    ),
    _integer(
        "course_chips",
        Text("每课筹码", "每課籌碼", "chips of a course"),
        Text(
            "一课开始时每人的筹码；牌局没记筹码而三游收光时用它。",
            "一課開始時每人的籌碼；牌局沒記籌碼而三游收光時用它。",
            "The chips each player starts a course with; used for triple youjin (三游) when the record gives no chips.",
        ),
    ),
    _flag(
        "flower_set_additive",
        Text("花齐另加", "花齊另加", "flower set on top"),
        Text(
            "春夏秋冬或梅兰竹菊凑齐时，八水加在单花之上（四加八），而不是共八水。",
            "春夏秋冬或梅蘭竹菊湊齊時，八水加在單花之上（四加八），而不是共八水。",
            "A complete family of flowers gives 8 on top of the single flowers (4 + 8), not 8 in all.",
        ),
    ),
    _choice(
        "tianting_bonus",
        Text("天听奖", "天聽獎", "bonus of tianting (天聽)"),
        Text(
            "天听（抢金）时每家课外另付多少。",
            "天聽（搶金）時每家課外另付多少。",
            "What each loser pays outside the chips for tianting (天聽), robbing the gold (搶金).",
        ),
        *_numbers(0, 50),
    ),
    _choice(
        "mid_three_golds",
        Text("中途三金倒", "中途三金倒", "three golds (三金倒) in mid-hand"),
        Text(
            "开局之后凑满三金：三倍、四倍（都没有奖），或不能胡、必须游金。",
            "開局之後湊滿三金：三倍、四倍（都沒有獎），或不能胡、必須游金。",
            "Three golds after the opening: ×3, ×4 (both without a bonus), or no win at all: you must play for youjin (游金).",
        ),
        ("x3", Text("三倍", "三倍", "×3")),
        ("x4", Text("四倍", "四倍", "×4")),
        ("must_youjin", Text("必须游金", "必須游金", "must play youjin (游金)")),
    ),
    _choice(
        "sanyou_multiplier",
        Text("三游倍数", "三游倍數", "multiplier of triple youjin (三游)"),
        Text("三游的倍数。", "三游的倍數。", "The multiplier of triple youjin (三游)."),
        *_numbers(16, 12),
    ),
    _choice(
        "sanyou_settlement",
        Text("三游结算", "三游結算", "settlement of triple youjin (三游)"),
        Text(
            "三游时收光各家筹码（杀三），或照公式计算。",
            "三游時收光各家籌碼（殺三），或照公式計算。",
            "Triple youjin (三游) takes all chips the losers have left (殺三), or is counted by the formula.",
        ),
        ("kill_all", Text("收光筹码", "收光籌碼", "take all chips")),
        ("formula", Text("照公式", "照公式", "by the formula")),
    ),
    _choice(
        "no_discard_win_with_golds",
        Text("有金不能吃胡", "有金不能吃胡", "golds that forbid a discard win"),
        Text(
            "手里有几张金就不能胡别人打的牌；0 为不限。",
            "手裡有幾張金就不能胡別人打的牌；0 為不限。",
            "From how many golds in hand a win on a discard is refused; 0 means never.",
        ),
        *_numbers(0, 1, 2, 3),
    ),
    _flag(
        "rob_kong_with_gold",
        Text("有金可抢杠", "有金可搶槓", "robbing a kong with a gold"),
        Text("手里有金也可以抢杠。", "手裡有金也可以搶槓。", "A player who holds a gold may rob a kong."),
    ),
    _flag(
        "lone_wild_discard_win",
        Text("单金可吃胡", "單金可吃胡", "discard win with a lone wild"),
        Text(
            "已成游金（敲响）牌型的人可以胡别人打的牌。",
            "已成游金（敲響）牌型的人可以胡別人打的牌。",
            "A player whose tiles are in youjin shape (游金, 敲響) may win on a discard.",
        ),
    ),
    _flag(
        "false_win_fine_added",
        Text("诈胡另罚", "詐胡另罰", "false-win fine on top"),
        Text(
            "诈胡重判时，除赔游金者外，仍赔每家半课；否则只赔游金者。",
            "詐胡重判時，除賠游金者外，仍賠每家半課；否則只賠游金者。",
            "A re-judged false win costs the half course to everybody in addition to the amounts for youjin (游金).",
        ),
    ),
    _choice(
        "scoring_profile",
        Text("计分方式", "計分方式", "scoring profile"),
        Text(
            "花杠分不乘倍数、庄闲底分开；或俱乐部算法：（底＋花杠分）×倍数。",
            "花槓分不乘倍數、莊閒底分開；或俱樂部算法：（底＋花槓分）×倍數。",
            "Flower and kong points outside the multiplier with a dealer base, or the club's (base + points) × multiplier.",
        ),
        ("points", Text("花杠分另加", "花槓分另加", "points added")),
        ("club", Text("俱乐部", "俱樂部", "club")),
    ),
    _choice(
        "discard_payers",
        Text("点炮谁付", "點炮誰付", "who pays for a discard"),
        Text(
            "点炮胡时三家都付、只有点炮者付一份，或只有点炮者付两份。",
            "點炮胡時三家都付、只有點炮者付一份，或只有點炮者付兩份。",
            "For a win on a discard all three pay, the discarder alone pays once, or the discarder alone pays twice.",
        ),
        ("all", Text("三家付", "三家付", "all three")),
        ("single", Text("点炮者付", "點炮者付", "the discarder")),
        ("single_double", Text("点炮者付双份", "點炮者付雙份", "the discarder twice")),
    ),
    _integer(
        "free_flowers",
        Text("不计分的花", "不計分的花", "flowers without points"),
        Text(
            "前几张花不计分，超过的每张一分。",
            "前幾張花不計分，超過的每張一分。",
            "So many flowers give no point; each further one gives 1.",
        ),
        minimum=0,
    ),
    _choice(
        "qiangjin_multiplier",
        Text("抢金倍数", "搶金倍數", "multiplier of robbing the gold (搶金)"),
        Text("抢金的倍数。", "搶金的倍數。", "The multiplier of robbing the gold (搶金)."),
        *_numbers(2, 4),
    ),
    _choice(
        "rob_kong_multiplier",
        Text("抢杠倍数", "搶槓倍數", "multiplier of robbing a kong (搶槓)"),
        Text("抢杠的倍数。", "搶槓的倍數。", "The multiplier of robbing a kong (搶槓)."),
        *_numbers(1, 2),
    ),
    _choice(
        "tianhu_multiplier",
        Text("天胡倍数", "天胡倍數", "multiplier of the heavenly hand (天胡)"),
        Text(
            "天胡的倍数（云霄：地胡也是）。",
            "天胡的倍數（雲霄：地胡也是）。",
            "The multiplier of the heavenly hand (天胡); in Yunxiao of the earthly hand (地胡) too.",
        ),
        *_numbers(4, 8, 10),
    ),
    _flag(
        "last_hand_liability",
        Text("最后一手包牌", "最後一手包牌", "last-hand liability"),
        Text(
            "最后四张可摸的牌里点炮的人，一家付清。",
            "最後四張可摸的牌裡點炮的人，一家付清。",
            "Who discards the winning tile during the last four drawable tiles pays for everybody.",
        ),
    ),
    _flag(
        "last_hand_liability_rob_kong",
        Text("最后一手被抢杠也包", "最後一手被搶槓也包", "last-hand liability for a robbed kong"),
        Text(
            "最后一手时被抢杠的人也一家付清。",
            "最後一手時被搶槓的人也一家付清。",
            "The same liability falls on a player whose kong is robbed in that phase.",
        ),
    ),
    _flag(
        "sanyou",
        Text("有三游金", "有三游金", "triple youjin (三游金) exists"),
        Text(
            "有第三级的三游金（十六倍）；没有时仍算双游金。",
            "有第三級的三游金（十六倍）；沒有時仍算雙游金。",
            "There is a third level, triple youjin (三游金) ×16; without it the win stays double youjin (雙游金).",
        ),
    ),
    _choice(
        "special_hand_multiplier",
        Text("不搭、七对倍数", "不搭、七對倍數", "factor of unrelated tiles (不搭) and seven pairs (七對)"),
        Text(
            "不搭和七对在平胡价上乘几倍（点炮与自摸）。",
            "不搭和七對在平胡價上乘幾倍（點炮與自摸）。",
            "The factor on the plain price of unrelated tiles (不搭) and seven pairs (七對), on a discard and self-drawn.",
        ),
        *_numbers(1, 2, 4),
    ),
    _flag(
        "white_self_in_special_hands",
        Text(
            "幺九、不搭白板是白板",
            "幺九、不搭白板是白板",
            "white stays white in terminals (幺九) and unrelated tiles (不搭)",
        ),
        Text(
            "打幺九和不搭时白板仍是白板；否则代替金牌原来的牌。",
            "打幺九和不搭時白板仍是白板；否則代替金牌原來的牌。",
            "In terminals and honours (幺九) and in unrelated tiles (不搭) the white is itself; otherwise it is the gold's face there too.",
        ),
    ),
    _choice(
        "foreign_gold_in_pure_suit",
        Text("清一色有异色金", "清一色有異色金", "foreign gold beside one suit"),
        Text(
            "除金以外全是一色而金是别的花色：照平常胡牌，或金无用、不能胡。",
            "除金以外全是一色而金是別的花色：照平常胡牌，或金無用、不能胡。",
            "All tiles but the golds are one suit and the gold is not: an ordinary hand, or the gold is useless and nothing is won.",
        ),
        ("plain", Text("照平常胡", "照平常胡", "an ordinary hand")),
        ("useless", Text("金无用", "金無用", "the gold is useless")),
    ),
    _choice(
        "pure_suit_discard",
        Text("清一色吃胡", "清一色吃胡", "pure suit (清一色) on a discard"),
        Text(
            "清一色胡别人打的牌：三家各付八倍，或照点炮算。",
            "清一色胡別人打的牌：三家各付八倍，或照點炮算。",
            "A pure suit (清一色) won on a discard: 8 from all three, or the plain price of a discard.",
        ),
        ("each_8", Text("三家各八倍", "三家各八倍", "8 from each")),
        ("plain", Text("照点炮", "照點炮", "as a plain discard")),
    ),
    _flag(
        "all_honours_pure_suit",
        Text("字一色算清一色", "字一色算清一色", "honours count as pure suit (清一色)"),
        Text(
            "全是大字的牌也算清一色。",
            "全是大字的牌也算清一色。",
            "A hand of honours only counts as a pure suit (清一色).",
        ),
    ),
    _flag(
        "qiangjin_dealer",
        Text("庄家可抢金", "莊家可搶金", "dealer may rob the gold (搶金)"),
        Text("庄家也可以抢金。", "莊家也可以搶金。", "The dealer may rob the gold as well."),
    ),
    _flag(
        "rob_kong",
        Text("可抢杠", "可搶槓", "robbing a kong"),
        Text("别人补杠时可以抢杠胡。", "別人補槓時可以搶槓胡。", "An added kong may be robbed."),
    ),
    _choice(
        "chengbao_double",
        Text("承包加倍", "承包加倍", "liability (承包) doubled"),
        Text(
            "承包时加倍：两个方向都加倍、只有被吃碰者胡时加倍，或不加倍。",
            "承包時加倍：兩個方向都加倍、只有被吃碰者胡時加倍，或不加倍。",
            "When liability (承包) is doubled: in both directions, only if the claimed-from player wins, or never.",
        ),
        ("both", Text("都加倍", "都加倍", "both directions")),
        ("claimed_from_wins", Text("被吃碰者胡才加倍", "被吃碰者胡才加倍", "only if the claimed-from player wins")),
        ("none", Text("不加倍", "不加倍", "never")),
    ),
    _choice(
        "chengbao_multi",
        Text("几家承包", "幾家承包", "several in liability (承包)"),
        Text(
            "有几家承包时：每家各付全部，或大家分摊。",
            "有幾家承包時：每家各付全部，或大家分攤。",
            "Several liable players: each pays the whole, or they share it.",
        ),
        ("each_full", Text("各付全部", "各付全部", "each the whole")),
        ("share", Text("分摊", "分攤", "shared")),
    ),
    _choice(
        "chengbao_count",
        Text("承包三摊", "承包三攤", "three claims of liability (承包)"),
        Text(
            "三摊的算法：总共三摊，或连续三摊。",
            "三攤的算法：總共三攤，或連續三攤。",
            "The three claims that bind: three in total, or three in a row.",
        ),
        ("total", Text("总共三摊", "總共三攤", "three in total")),
        ("consecutive", Text("连续三摊", "連續三攤", "three in a row")),
    ),
    _choice(
        "haidi_baotou",
        Text("敲响海底", "敲響海底", "lone wild (敲響) with the last tile"),
        Text(
            "敲响碰上海底捞月：合起来八倍，或两者相乘。",
            "敲響碰上海底撈月：合起來八倍，或兩者相乘。",
            "A lone wild (敲響) together with the last tile (海底撈月): 8 for both, or the product.",
        ),
        ("eight", Text("八倍", "八倍", "×8")),
        ("multiply", Text("相乘", "相乘", "the product")),
    ),
    _choice(
        "gangbao_multiplier",
        Text("杠爆倍数", "槓爆倍數", "multiplier of a lone wild on a kong (槓爆)"),
        Text(
            "敲响加杠上开花（杠爆）的倍数。",
            "敲響加槓上開花（槓爆）的倍數。",
            "The multiplier of a lone wild (敲響) won on a kong's replacement (槓上開花), together 槓爆.",
        ),
        *_numbers(2, 4, 8),
    ),
    _flag(
        "pph_strict",
        Text("碰碰胡须碰过三次", "碰碰胡須碰過三次", "all pongs (碰碰胡) needs three claimed pongs"),
        Text(
            "碰碰胡必须已经碰过三次；否则四副刻子就算。",
            "碰碰胡必須已經碰過三次；否則四副刻子就算。",
            "All pongs (碰碰胡) needs three claimed pongs; otherwise any four triplets do.",
        ),
    ),
    _choice(
        "quanqiuren_kongs",
        Text("全求人的杠", "全求人的槓", "kongs in all claimed (全求人)"),
        Text(
            "全求人的四副里可以有哪些杠：不可、明杠和补杠，或暗杠也可以。",
            "全求人的四副裡可以有哪些槓：不可、明槓和補槓，或暗槓也可以。",
            "Kongs allowed among the four melds of all claimed (全求人): none, exposed and added ones, concealed ones too.",
        ),
        ("none", Text("不可有杠", "不可有槓", "none")),
        ("exposed", Text("明杠可以", "明槓可以", "exposed")),
        ("any", Text("暗杠也可以", "暗槓也可以", "any")),
    ),
    _flag(
        "sancai_with_qiaoxiang",
        Text("三财一刻加敲响", "三財一刻加敲響", "triplet of wilds (三財一刻) with lone wild (敲響)"),
        Text(
            "摸牌前已成敲响时，三财一刻再乘敲响的倍数。",
            "摸牌前已成敲響時，三財一刻再乘敲響的倍數。",
            "A triplet of wilds (三財一刻) also takes the multiplier of the lone wild (敲響) if the tiles before the draw were in its shape.",
        ),
    ),
    _flag(
        "opening_wins_multiply",
        Text("天地人胡相乘", "天地人胡相乘", "opening wins (天胡, 地胡, 人胡) multiply"),
        Text(
            "天胡、地胡、人胡与其他牌型相乘；否则只取较大的。",
            "天胡、地胡、人胡與其他牌型相乘；否則只取較大的。",
            "Opening wins (天胡, 地胡, 人胡) multiply with other patterns; otherwise only the larger counts.",
        ),
    ),
    Setting(
        "pattern_values",
        "patterns",
        Text("牌型倍数", "牌型倍數", "multipliers of patterns"),
        Text("各牌型改用的倍数。", "各牌型改用的倍數。", "Other multipliers for single patterns."),
    ),
    _choice(
        "piao_multiplier",
        Text("每飘倍数", "每飄倍數", "factor of each discarded wild (飄)"),
        Text("财飘每飘一次乘几倍。", "財飄每飄一次乘幾倍。", "The factor of each discarded wild (飄)."),
        *_numbers(1, 2, 4),
    ),
    _choice(
        "qidui_with_baotou",
        Text("七对暴头", "七對暴頭", "seven pairs (七對) with lone wild (暴頭)"),
        Text(
            "七对类碰上暴头：相乘，或只取较大的。",
            "七對類碰上暴頭：相乘，或只取較大的。",
            "The seven-pairs family (七對) with a lone wild (暴頭): the product, or the larger one.",
        ),
        ("multiply", Text("相乘", "相乘", "the product")),
        ("highest", Text("取大", "取大", "the larger")),
    ),
    _flag(
        "natural_quads_only",
        Text("豪华须四张真牌", "豪華須四張真牌", "natural four of a kind only"),
        Text(
            "豪华七对的四张一样必须都是真牌；否则可以有财神。",
            "豪華七對的四張一樣必須都是真牌；否則可以有財神。",
            "The four of a kind of luxury seven pairs (豪華七對) must be natural; otherwise it may contain wilds (財神).",
        ),
    ),
    _flag(
        "four_wilds_baotou",
        Text("四财神算暴头", "四財神算暴頭", "four wilds (財神) count as lone wild (暴頭)"),
        Text(
            "四张白板都在手里时也算暴头。",
            "四張白板都在手裡時也算暴頭。",
            "A hand with all four whites counts as lone wild (暴頭) too.",
        ),
    ),
    # --- RULES 10.2: keys that change the course of the game ---------------------------------------
    _choice(
        "shuangyou_mode",
        Text("双游时他家", "雙游時他家", "the others during double youjin (雙游)"),
        Text(
            "有人双游时其他人：各摸一张不打牌、摸打照常但不能吃碰，或也可吃碰；都不能吃胡。",
            "有人雙游時其他人：各摸一張不打牌、摸打照常但不能吃碰，或也可吃碰；都不能吃胡。",
            "During double youjin (雙游) the others draw one tile each without discarding, draw and discard, or also chow and pong; no discard wins.",
        ),
        ("one_draw", Text("各摸一张", "各摸一張", "one draw each")),
        ("draw_and_discard", Text("摸打", "摸打", "draw and discard")),
        ("claims_allowed", Text("可吃碰", "可吃碰", "claims allowed")),
        course=True,
    ),
    _choice(
        "sanyou_mode",
        Text("三游时他家", "三游時他家", "the others during triple youjin (三游)"),
        Text(
            "有人三游时其他人：不摸牌立即结束、各摸一张，或只可杠后补牌。",
            "有人三游時其他人：不摸牌立即結束、各摸一張，或只可槓後補牌。",
            "During triple youjin (三游) the others do nothing and the hand ends, draw one tile each, or only draw a kong's replacement.",
        ),
        ("immediate", Text("立即结束", "立即結束", "ends at once")),
        ("one_draw", Text("各摸一张", "各摸一張", "one draw each")),
        ("kong_only", Text("只可开杠", "只可開槓", "kongs only")),
        course=True,
    ),
    _flag(
        "direct_shuangyou",
        Text("可直接双游", "可直接雙游", "direct double youjin (雙游)"),
        Text(
            "一对金不必先游金，可以直接打出一张金双游（杭州：财飘）。",
            "一對金不必先游金，可以直接打出一張金雙游（杭州：財飄）。",
            "A pair of golds may be opened by discarding one without being in youjin (游金) first (Hangzhou: 財飄).",
        ),
        course=True,
    ),
    _choice(
        "gold_discard",
        Text("乱打金", "亂打金", "discarding a gold"),
        Text(
            "不是双游而打金：不允许、算相公，或一圈内只能自摸。",
            "不是雙游而打金：不允許、算相公，或一圈內只能自摸。",
            "Discarding a gold outside double youjin (雙游): not allowed, an offence (相公), or only self-draws for one round.",
        ),
        ("refuse", Text("不允许", "不允許", "not allowed")),
        ("xianggong", Text("算相公", "算相公", "an offence")),
        ("lock_one_round", Text("一圈内只能自摸", "一圈內只能自摸", "only self-draws for a round")),
        course=True,
    ),
    _flag(
        "follow_discard",
        Text("跟打", "跟打", "follow-discard"),
        Text(
            "别人打过的大字，手里只有一张就必须跟打。",
            "別人打過的大字，手裡只有一張就必須跟打。",
            "An honour that was discarded before must be discarded by whoever holds a single copy.",
        ),
        course=True,
    ),
    _choice(
        "pass_lock",
        Text("过手", "過手", "passed tiles"),
        Text(
            "放过能碰能胡的牌后，到自己下一轮前：锁那一种牌、锁所有吃胡（放碰锁那一种），或不锁。",
            "放過能碰能胡的牌後，到自己下一輪前：鎖那一種牌、鎖所有吃胡（放碰鎖那一種），或不鎖。",
            "What letting a claimable tile pass locks until the own next turn: that kind, all discard wins, or nothing.",
        ),
        ("kind", Text("锁该牌", "鎖該牌", "that kind")),
        ("all", Text("锁所有吃胡", "鎖所有吃胡", "all discard wins")),
        ("off", Text("不锁", "不鎖", "nothing")),
        course=True,
    ),
    _choice(
        "qiangjin_timing",
        Text("抢金时机", "搶金時機", "when to rob the gold (搶金)"),
        Text(
            "闲家何时可抢金：庄家打第一张之前，或自己第一轮、且无人吃碰。",
            "閒家何時可搶金：莊家打第一張之前，或自己第一輪、且無人吃碰。",
            "When a non-dealer may take the gold: before the dealer's first discard, or at the own first turn before any claim.",
        ),
        ("before_first_discard", Text("庄家打牌前", "莊家打牌前", "before the first discard")),
        ("first_turn", Text("自己第一轮", "自己第一輪", "at the own first turn")),
        course=True,
    ),
    _integer(
        "dead_wall",
        Text("留牌", "留牌", "tiles left in the wall"),
        Text("牌墙最后留几张不摸。", "牌牆最後留幾張不摸。", "How many tiles stay in the wall."),
        minimum=0,
        course=True,
    ),
    _choice(
        "dead_wall_increase",
        Text("花杠多留", "花槓多留", "dead wall grows with points"),
        Text(
            "有花分或杠分时多留一墩：每分一墩、每人一墩，或不多留。",
            "有花分或槓分時多留一墩：每分一墩、每人一墩，或不多留。",
            "One more stack stays for each flower or kong point, for each player who has any, or never.",
        ),
        ("per_point", Text("每分一墩", "每分一墩", "each point")),
        ("per_event", Text("每人一墩", "每人一墩", "each player with points")),
        ("off", Text("不多留", "不多留", "never")),
        course=True,
    ),
    _choice(
        "dead_wall_kong",
        Text("有杠多留", "有槓多留", "dead wall grows with kongs"),
        Text(
            "开杠后多留两墩：只加一次、每杠都加，或不加。",
            "開槓後多留兩墩：只加一次、每槓都加，或不加。",
            "Two more stacks stay after the first kong, after each kong, or never.",
        ),
        ("once", Text("一次", "一次", "once")),
        ("each", Text("每杠", "每槓", "each kong")),
        ("off", Text("不多留", "不多留", "never")),
        course=True,
    ),
    _flag(
        "third_kong_draw",
        Text("第三杠不胡即流局", "第三槓不胡即流局", "third kong draws"),
        Text(
            "一局里的第三杠补牌不胡就流局。",
            "一局裡的第三槓補牌不胡就流局。",
            "If the replacement tile of the third kong of a hand does not win, the hand is drawn.",
        ),
        course=True,
    ),
    _flag(
        "kong_after_claim",
        Text("吃碰后可杠", "吃碰後可槓", "kong after a claim"),
        Text(
            "刚吃或碰之后可以马上开杠。",
            "剛吃或碰之後可以馬上開槓。",
            "A kong may be declared right after a chow or pong.",
        ),
        course=True,
    ),
    _flag(
        "fenbing",
        Text("分饼", "分餅", "followed discards (分餅)"),
        Text(
            "庄家首张被三家跟打时，庄家付每家一底。",
            "莊家首張被三家跟打時，莊家付每家一底。",
            "When all three follow the dealer's first discard, the dealer pays each of them one base.",
        ),
        course=True,
    ),
    _flag(
        "fenbing_broken_by_claim",
        Text("吃碰断分饼", "吃碰斷分餅", "a claim ends followed discards (分餅)"),
        Text(
            "有人吃、碰、明杠后就不再分饼。",
            "有人吃、碰、明槓後就不再分餅。",
            "Any exposed claim ends followed discards (分餅).",
        ),
        course=True,
    ),
    _choice(
        "next_dealer",
        Text("下一庄", "下一莊", "next dealer"),
        Text(
            "庄家胡或流局连庄、否则下家做庄；赢家做庄；或每局抽定。",
            "莊家胡或流局連莊、否則下家做莊；贏家做莊；或每局抽定。",
            "The dealer stays on a win or draw and else the next player deals, the winner deals, or the dealer is drawn anew.",
        ),
        ("rotate", Text("轮庄", "輪莊", "in turn")),
        ("winner", Text("赢家做庄", "贏家做莊", "the winner")),
        ("random", Text("抽定", "抽定", "drawn anew")),
        course=True,
    ),
    _choice(
        "wild_discard_ban",
        Text("打财神禁吃碰", "打財神禁吃碰", "ban after a discarded wild (財神)"),
        Text(
            "有人打出财神后别家不能吃碰：到他下次打牌、一圈，或不禁。",
            "有人打出財神後別家不能吃碰：到他下次打牌、一圈，或不禁。",
            "After a discarded wild (財神) the others may not chow or pong until the discarder's next discard, for one circle, or not at all.",
        ),
        ("until_next_discard", Text("到他下次打牌", "到他下次打牌", "until the next discard")),
        ("one_circle", Text("一圈", "一圈", "one circle")),
        ("off", Text("不禁", "不禁", "no ban")),
        course=True,
    ),
    _choice(
        "haidi_window",
        Text("海底张数", "海底張數", "tiles that count as the last (海底)"),
        Text(
            "最后几张摸的牌算海底。",
            "最後幾張摸的牌算海底。",
            "How many of the last tiles drawn count as the last (海底).",
        ),
        *_numbers(4, 1),
        course=True,
    ),
    _choice(
        "renhu_window",
        Text("人胡时机", "人胡時機", "when a first-round win (人胡) counts"),
        Text(
            "人胡：自己第一次摸牌且无人吃碰，或第一圈内不论。",
            "人胡：自己第一次摸牌且無人吃碰，或第一圈內不論。",
            "A first-round win (人胡) counts at the own first draw with no claim before, or during the first round whatever happened.",
        ),
        ("unclaimed", Text("无人吃碰", "無人吃碰", "no claim before")),
        ("first_round", Text("第一圈", "第一圈", "the first round")),
        course=True,
    ),
)

SETTINGS: Mapping[str, Setting] = {setting.key: setting for setting in _ALL_SETTINGS}
"""Every house key of RULES 10, by name and in the order of its tables."""
