"""Why an event is refused: the rule's paragraph and a sentence in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.text import Text

if TYPE_CHECKING:
    from engine.errors import Refusal

_GAMES: Final = ("xiamen", "zhangzhou", "yunxiao", "jinhua", "hangzhou")

#: Paragraph of each reason, in the order of ``_GAMES``; one entry where it is the same everywhere.
_PARAGRAPHS: Final[dict[str, tuple[str, ...]]] = {
    # reasons of the rule sets and of `engine.claims`
    "not_complete": ("XM 3.1", "ZZ 3", "YX 3.1", "JH 3.1", "HZ 2"),
    "gold_discarded": ("R 6",),
    "not_dealer": ("R 5",),
    "opening_with_melds": ("R 5",),
    "no_such_win": ("R 5",),
    "too_few_golds": ("R 5",),
    "no_youjin_shape": ("R 7",),
    "needs_youjin_first": ("XM-A8", "ZZ 3", "YX 3.1", "7.2", "HZ 2.4"),
    "holds_gold": ("XM 2.4", "ZZ 2.2", "YX 2.5", "JH 2.8", "HZ 1.4"),
    "lone_wild": ("XM-A12", "ZZ 2.3", "YX 2.4", "JH 2.8", "HZ 1.4"),
    "in_youjin": ("XM-A12", "ZZ 2.3", "YX 2.4", "JH 2.8", "HZ 1.4"),
    "must_youjin": ("XM-A2",),
    "gold_discard": ("XM 2.9",),
    "must_follow": ("XM 2.8",),
    "passed_this_circle": ("XM 2.6", "ZZ 2.1", "YX 2.8", "JH 2.3", "HZ 1.2"),
    "passed_win": ("XM 2.6", "ZZ 2.1", "YX 2.8", "JH 2.3", "HZ 1.2"),
    "not_enough_copies": ("R 3",),
    "not_previous_player": ("0.1",),
    "no_rob_kong": ("JH 2.7",),
    "during_double_youjin": ("XM 2.12", "ZZ 2.5", "YX 2.6", "JH 2.8", "HZ 1.2"),
    "wild_discarded": ("JH 2.5",),
    "nothing_to_discard": ("7.2",),
    "dealer_gold_grab": ("YX-A11",),
    "foreign_gold": ("YX-A15",),
    "must_be_concealed": ("YX 2.7",),
    "gold_not_terminal": ("YX 1.5",),
    # reasons of the course of a game
    "turn": ("XM 2.1", "ZZ 2.1", "YX 2.1", "JH 2.1", "HZ 1.2"),
    "priority": ("XM 2.2", "ZZ 2.1", "YX 2.1", "JH 2.1", "HZ 1.2"),
    "opening_order": ("XM 3.3", "ZZ 3", "YX 3.1", "JH 3.1", "HZ 1.4"),
    "flowers": ("XM 1.4", "ZZ 1.4"),
    "gold_flip": ("XM 1.5", "ZZ 1.5", "YX 1.3", "JH 1.2", "HZ 1.3"),
    "dealer": ("XM 1.10", "ZZ 1.2", "YX 1.1", "JH 1.4", "HZ 3"),
    "shuangyou": ("XM 2.12", "ZZ 2.5"),
    "sanyou": ("XM 2.12", "ZZ 2.6"),
    "tiles": ("XM 1.1", "ZZ 1.1", "YX 1.1", "JH 1.1", "HZ 1.2"),
    "course": ("XM 4.4",),
    "kong": ("XM 2.1", "ZZ 2.1", "YX 2.2", "JH 2.2", "HZ 1.2"),
    "kong_after_claim": ("YX 2.8",),
    "chowed_tile": ("JH 2.4",),
    "last_tiles": ("XM 1.9", "ZZ 1.9", "YX 1.7", "JH 1.4", "HZ 1.2"),
    "third_kong": ("YX 1.8",),
    "sitting_out": ("XM 2.13",),
    "lock_one_round": ("XM 2.9",),
    "no_such_event": ("XM 2.14", "ZZ 2.7"),
}


def paragraph(code: str, rules: str) -> str:
    """Where the rule behind a reason stands in RULES.

    >>> paragraph("must_follow", "xiamen"), paragraph("turn", "jinhua"), paragraph("something", "xiamen")
    ('XM 2.8', 'JH 2.1', 'R 5')
    """
    found = _PARAGRAPHS.get(code, ("R 5",))
    place = _GAMES.index(rules)
    return found[place] if place < len(found) else found[0]


class Refused(ValueError):  # noqa: N818  # a move is refused, nothing is in error
    """The rules do not allow the event; the state is as it was.

    Attributes:
        code: stable key, for instance ``not_your_turn``.
        paragraph: where the rule stands, for instance ``XM 2.8``.
        text: why, as a sentence.
    """

    def __init__(self, code: str, paragraph: str, text: Text) -> None:
        super().__init__(f"{text.en} ({paragraph})")
        self.code = code
        self.paragraph = paragraph
        self.text = text

    def as_json(self) -> dict[str, object]:
        """``{"refused": {code, paragraph, zh, zh_hant, en}}``."""
        return {"refused": {"code": self.code, "paragraph": self.paragraph, **self.text.as_json()}}


def by_rule(refusal: Refusal, rules: str) -> Refused:
    """A refusal of a rule set as the refusal of an event."""
    return Refused(refusal.code, paragraph(refusal.code, rules), refusal.text)


#: Code -> (key of the paragraph, sentence).
_REASONS: Final[dict[str, tuple[str, Text]]] = {
    "no_hand": (
        "turn",
        Text("现在没有在打的牌，请先发牌", "現在沒有在打的牌，請先發牌", "no hand is being played; deal first"),
    ),
    "hand_running": (
        "turn",
        Text(
            "这一局还没打完，不能发牌",
            "這一局還沒打完，不能發牌",
            "the hand is still being played; it must end before the next deal",
        ),
    ),
    "course_over": (
        "course",
        Text(
            "有人筹码输光，这一课已经结束，请先开新课",
            "有人籌碼輸光，這一課已經結束，請先開新課",
            "somebody has no chips left: this course is over; begin a new one first",
        ),
    ),
    "no_course": (
        "course",
        Text("这种打法不用筹码", "這種打法不用籌碼", "this game is not played with the chips of a course"),
    ),
    "course_running": (
        "course",
        Text(
            "这一课还没结束：大家都还有筹码",
            "這一課還沒結束：大家都還有籌碼",
            "the course is not over: everybody has chips left",
        ),
    ),
    "wrong_dealer": (
        "dealer",
        Text("这一局的庄家应是 {seat}", "這一局的莊家應是 {seat}", "the dealer of this hand is {seat}"),
    ),
    "dealer_missing": (
        "dealer",
        Text(
            "庄家由抽签决定，请写出抽到谁",
            "莊家由抽籤決定，請寫出抽到誰",
            "the dealer is drawn by lot; say who was drawn",
        ),
    ),
    "wrong_wall": (
        "tiles",
        Text(
            "牌墙要正好有这副牌的 {count} 张",
            "牌牆要正好有這副牌的 {count} 張",
            "the wall must hold exactly the {count} tiles of this game",
        ),
    ),
    "not_your_turn": ("turn", Text("还没轮到 {seat}", "還沒輪到 {seat}", "it is not the turn of {seat}")),
    "not_now": (
        "turn",
        Text(
            "现在不能这样做：正在等{awaited}",
            "現在不能這樣做：正在等{awaited}",
            "this is not possible now; the table is waiting for {awaited}",
        ),
    ),
    "flowers_first": (
        "flowers",
        Text("先补花再打牌", "先補花再打牌", "the flower must be laid out and replaced first"),
    ),
    "no_flowers": ("flowers", Text("{seat} 没有花要补", "{seat} 沒有花要補", "{seat} has no flower to replace")),
    "bad_dice": (
        "gold_flip",
        Text("骰子要两个 1 到 6 的数字", "骰子要兩個 1 到 6 的數字", "the dice show two numbers from 1 to 6"),
    ),
    "tile_not_held": ("turn", Text("{seat} 手里没有{tile}", "{seat} 手裡沒有{tile}", "{seat} does not hold {tile}")),
    "not_asked": (
        "priority",
        Text("{seat} 现在没有可以选的", "{seat} 現在沒有可以選的", "{seat} has nothing to decide now"),
    ),
    "answered": (
        "priority",
        Text(
            "{seat} 已经表示过，不能反悔",
            "{seat} 已經表示過，不能反悔",
            "{seat} has answered already; a claim cannot be taken back",
        ),
    ),
    "no_such_claim": (
        "priority",
        Text("{seat} 不能这样要这张牌", "{seat} 不能這樣要這張牌", "{seat} cannot claim the tile this way"),
    ),
    "wait_for_higher": (
        "opening_order",
        Text("先问{seat}", "先問{seat}", "{seat} goes first and must answer"),
    ),
    "no_such_win_now": ("turn", Text("现在不能这样胡", "現在不能這樣胡", "the hand cannot be won this way now")),
    "no_kong": ("kong", Text("{seat} 不能杠{tile}", "{seat} 不能槓{tile}", "{seat} cannot declare a kong of {tile}")),
    "no_exposed_kong": (
        "kong",
        Text(
            "自己摸到的四张只能暗杠",
            "自己摸到的四張只能暗槓",
            "four tiles of the own hand can only be a concealed kong",
        ),
    ),
    "no_kong_after_claim": (
        "kong_after_claim",
        Text(
            "吃碰之后不能马上杠（本桌规则 kong_after_claim）",
            "吃碰之後不能馬上槓（本桌規則 kong_after_claim）",
            "no kong right after a chow or pong (house rule kong_after_claim)",
        ),
    ),
    "no_replacement": (
        "last_tiles",
        Text("没有牌可以补，不能杠", "沒有牌可以補，不能槓", "no tile is left to replace the kong"),
    ),
    "chowed_tile": (
        "chowed_tile",
        Text(
            "已经吃了两摊，不能吃张打张：不能打{tile}",
            "已經吃了兩攤，不能吃張打張：不能打{tile}",
            "with two chows made, {tile} may not be discarded: it fits the run just chowed",
        ),
    ),
    "must_win_last": (
        "last_tiles",
        Text(
            "最后几张摸到可胡的牌必须胡",
            "最後幾張摸到可胡的牌必須胡",
            "a complete hand on one of the last tiles must be won",
        ),
    ),
    "win_or_draw": (
        "third_kong",
        Text(
            "这张牌只能胡，不胡就是流局，不用打牌",
            "這張牌只能胡，不胡就是流局，不用打牌",
            "this tile wins or the hand is drawn; nothing is discarded",
        ),
    ),
    "shuangyou_win": (
        "shuangyou",
        Text(
            "双游到这里只能胡牌，或打金三游",
            "雙游到這裡只能胡牌，或打金三游",
            "雙游 must be won here, or a gold discarded for 三游",
        ),
    ),
    "shuangyou_no_kong": (
        "shuangyou",
        Text("双游期间不能杠", "雙游期間不能槓", "no kong during 雙游"),
    ),
    "during_double_youjin": (
        "during_double_youjin",
        Text(
            "有人双游，大家只能自摸", "有人雙游，大家只能自摸", "somebody has announced 雙游: only self-draws win now"
        ),
    ),
    "sitting_out": (
        "sitting_out",
        Text(
            "{seat} 已是相公，这一局不能再参加",
            "{seat} 已是相公，這一局不能再參加",
            "{seat} sits out this hand and takes no part",
        ),
    ),
    "lock_one_round": (
        "lock_one_round",
        Text(
            "{seat} 打了金，这一圈只能自摸",
            "{seat} 打了金，這一圈只能自摸",
            "{seat} discarded a gold and may only self-draw in this round",
        ),
    ),
}


def refused(code: str, rules: str, **values: object) -> Refused:
    """The refusal of an event for a reason of the course."""
    key, text = _REASONS[code]
    return Refused(code, paragraph(key, rules), text.format(**values) if values else text)
